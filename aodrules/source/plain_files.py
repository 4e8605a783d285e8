"""Plain files, read within a limit: what every path that we are given goes through.

A name can stand for anything: a folder, a pipe on which nobody writes, a device without an end, a link to itself, a
file larger than the memory. Each of these is an `OSError` here, at once.
"""

from __future__ import annotations

import errno
import os
import stat
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
