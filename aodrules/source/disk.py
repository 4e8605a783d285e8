"""Files and folders of the disk: what every path that we are given goes through.

A name can stand for anything: a folder, a pipe on which nobody writes, a device without an end, a link to itself, a
file larger than the memory. Each of these is an `OSError` here, at once.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

LARGEST_FILE = 1024 * 1024
"""How many bytes a document may have."""
# Not every system has every flag. Opening a pipe does not wait for whoever writes to it.
_FLAGS = sum(getattr(os, name, 0) for name in ("O_RDONLY", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))
_NO_LINKS = getattr(os, "O_NOFOLLOW", 0)


class TooLargeError(OSError):
    """A file that has more bytes than it may."""

    def __init__(self, path: Path, size: int, most: int) -> None:
        super().__init__(errno.EFBIG, f"it has {size:,} bytes, and at most {most:,} are read", os.fspath(path))
        self.size = size


def open_plain(path: Path, *, follow: bool = True) -> BinaryIO:
    """Open a plain file for reading.

    Args:
        path: Where it is.
        follow: Whether it may be a link to one.

    Raises:
        OSError: There is no such file, or it is none.
        ValueError: No file can have this name.
    """
    descriptor = os.open(path, _FLAGS if follow else _FLAGS | _NO_LINKS)
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is a folder" if stat.S_ISDIR(mode) else "it is no plain file", os.fspath(path))
    return os.fdopen(descriptor, "rb")


def read_plain(path: Path, most: int = LARGEST_FILE) -> bytes:
    """Return what a plain file holds.

    Raises:
        TooLargeError: It holds more than so many bytes.
        OSError: There is no such file, or it is none.
        ValueError: No file can have this name.
    """
    with open_plain(path) as stream:
        content = stream.read(most + 1)
        if len(content) > most:
            raise TooLargeError(path, max(os.fstat(stream.fileno()).st_size, len(content)), most)
    return content


# Questions about a path, answered with no where `pathlib` fails: for names that are too long, or links in a circle.


def is_there(path: str | Path) -> bool:
    """Whether there is anything at a path."""
    return os.path.exists(path)  # noqa: PTH110 - see above


def is_folder(path: str | Path) -> bool:
    """Whether there is a folder at a path."""
    return os.path.isdir(path)  # noqa: PTH112 - see above


def is_file(path: str | Path) -> bool:
    """Whether there is a plain file at a path."""
    return os.path.isfile(path)  # noqa: PTH113 - see above


def why_unreadable(cause: OSError | ValueError) -> str:
    """Return the reason why a file could not be read, as it stands in a sentence."""
    return (getattr(cause, "strerror", None) or str(cause)).lower()


SUFFIXES = (".yaml", ".yml")
# Where Python keeps what it compiled: no folder of an author.
_COMPILED = "__pycache__"


# Files found in folders; nothing is read here.


def yaml_files(folder: Path) -> list[Path]:
    """Return the YAML files under a folder, sorted by their path; hidden ones are left out."""
    return [Path(entry.path) for entry in yaml_entries(folder)]


def yaml_entries(folder: Path) -> list[os.DirEntry[str]]:
    """Return the entries of the YAML files under a folder, in the same order: they know the state of a file cheaply."""
    return sorted(entries(folder, SUFFIXES), key=lambda entry: entry.path.replace(os.sep, "/"))


def links_out_of(folder: Path) -> list[Path]:
    """Return the YAML files under a folder that are links to files elsewhere."""
    links = [entry.path for entry in yaml_entries(folder) if entry.is_symlink()]
    whole = Path(os.path.realpath(folder))
    return [Path(link) for link in links if not Path(os.path.realpath(link)).is_relative_to(whole)]


def entries(folder: str | Path, suffixes: tuple[str, ...]) -> Iterator[os.DirEntry[str]]:
    """Iterate over the entries of the files under a folder whose names end so; hidden ones are left out.

    Links to folders are not followed. Pipes and links to nothing are among them: reading them tells what is wrong.
    """
    left = [folder]  # a list, because folders can lie in each other deeper than calls can
    while left:
        for entry in _inside(left.pop()):
            if entry.name.startswith(".") or entry.name == _COMPILED:
                continue
            if entry.is_dir(follow_symlinks=False):
                left.append(entry.path)
            elif entry.name.endswith(suffixes) and not (entry.is_symlink() and is_folder(entry.path)):
                yield entry


def _inside(folder: str | Path) -> list[os.DirEntry[str]]:
    try:
        return list(os.scandir(folder))
    except (OSError, ValueError):
        return []  # what is no folder, or not ours to read, holds nothing


def shown_path(path: Path) -> str:
    """Return a path as people see it: relative to where they stand where that is shorter, with forward slashes."""
    absolute = path.absolute()
    here = Path.cwd()
    shown = (absolute.relative_to(here) if absolute.is_relative_to(here) else path).as_posix()
    if shown.isprintable():
        return shown
    # A name on the disk is any bytes; what is shown can also be written down.
    from aodrules.source.wording import harmless  # lazy: a load from the cache meets no such names

    return " ".join(harmless(shown).split("\n"))
