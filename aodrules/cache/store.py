"""What was loaded before, kept in the user's cache folder, and read back from there.

An entry is trusted as Python trusts its own `__pycache__`: because only the user can write to the folder. What is read
there is run, so the folder must be our own: one that we made and that nobody else can open; it is never changed to be
so. A file in it is read only if it is a plain file of the user's. Whatever else lies there is left alone, and whatever
goes wrong with an entry goes wrong in silence.
"""

from __future__ import annotations

import marshal
import os
import stat
import sys
import warnings
from pathlib import Path
from typing import Any
from zlib import crc32

from aodrules.source.disk import open_plain

VARIABLE = "AODRULES_CACHE"
"""The environment variable that names the folder to keep the cache in; empty for no cache at all."""
NAME = "aodrules"
"""Our own folder in the one that is named, or in the usual one of the system."""
MARKER = "CACHEDIR.TAG"
"""By this file we know our folder again, and programs that make backups know that they can leave it out."""
MOST_ENTRIES = 300
_MARK = b"Signature: 8a477f597d28d172789f06886806bc55\n# The cache of aodrules; it can be removed at any time.\n"
_ENTRY = r"[0-9a-f]{8,64}\.[a-z0-9-]+|\.new-\w+"
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


class Store:
    """The entries of one ruleset: several names under one key."""

    def __init__(self, folder: Path, key: str) -> None:
        self.folder = folder
        self.key = key

    # Values of our stages, and generated code.

    def read(self, name: str) -> Any:
        """Return what was kept under a name; nothing if there is nothing or it is damaged."""
        from aodrules.cache.pickles import from_pickle  # lazy: what is plain needs no more

        content = self._read(name)
        return None if content is None else from_pickle(content)

    def write(self, name: str, value: Any) -> None:
        """Keep something under a name."""
        from aodrules.cache.pickles import to_pickle

        content = to_pickle(value)
        if content is not None:
            self._write(name, content)

    # Plain values: numbers, texts, bytes, and tuples of these. They are read back much faster.

    def read_plain(self, name: str) -> Any:
        """Return the plain value that was kept under a name; nothing if there is nothing or it is damaged."""
        content = self._read(name)
        try:
            # The check on the bytes was passed, and the folder is as safe as that of Python's own code.
            return None if content is None else marshal.loads(content)  # noqa: S302
        except (EOFError, ValueError, TypeError):
            return None

    def write_plain(self, name: str, value: Any) -> None:
        """Keep a plain value under a name."""
        self._write(name, marshal.dumps(value))

    def _read(self, name: str) -> bytes | None:
        try:
            content = read_own(self.folder / f"{self.key}.{name}")
        except (OSError, ValueError):
            return None
        return content[4:] if content is not None and content[:4] == _check(content[4:]) else None

    def _write(self, name: str, content: bytes) -> None:
        try:
            write_own(self.folder / f"{self.key}.{name}", _check(content) + content)
        except OSError:
            return


def _check(content: bytes) -> bytes:
    """Return what an entry begins with, so that damage is seen. It is no signature: the folder is trusted."""
    return crc32(content).to_bytes(4, "big")


# The folder and its files.


def own_folder() -> Path | None:
    """Return the cache folder if it is ours alone; nothing if there is to be no cache, or it cannot be trusted."""
    named = os.environ.get(VARIABLE)
    if named == "":
        return None
    try:
        above = Path(named) if named is not None else _usual_folder()
        above.mkdir(parents=True, exist_ok=True)
        folder = above.resolve() / NAME
        wrong = _distrust_above(folder) or _make(folder)
    except (OSError, ValueError, RuntimeError):
        return None
    if wrong is not None:
        _warn(folder, wrong)
        return None
    return folder


def read_own(path: Path) -> bytes | None:
    """Return what a file of ours holds; nothing if it is somebody else's.

    Raises:
        OSError: There is no such file, or it is a link, a pipe or a folder.
    """
    with open_plain(path, follow=False) as stream:
        return stream.read() if _is_own_file(os.fstat(stream.fileno())) else None


def write_own(path: Path, content: bytes) -> None:
    """Write a file at once: others see the old one or the new one. Then forget the oldest if there are too many.

    Raises:
        OSError: It cannot be written.
    """
    import tempfile  # lazy: it brings much along that reading does not need

    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
    _prune(path.parent)


def _usual_folder() -> Path:
    if sys.platform == "win32":
        return Path(os.environ["LOCALAPPDATA"]) if "LOCALAPPDATA" in os.environ else Path.home() / "AppData" / "Local"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    given = os.environ.get("XDG_CACHE_HOME", "")
    return Path(given) if os.path.isabs(given) else Path.home() / ".cache"  # noqa: PTH117 - a path may be empty


def _make(folder: Path) -> str | None:
    """Make the folder if it is not there; return why it cannot be used, nothing if it can."""
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        wrong = _distrust(folder)
        if wrong is not None:
            return wrong
    marker = folder / MARKER
    if not marker.exists():
        if any(folder.iterdir()):
            return f"it holds files but no `{MARKER}`, so it is not ours"
        # Whoever makes the folder writes nothing before the marker, so that two who begin at once do not meet a
        # folder with other files.
        marker.write_bytes(_MARK)
    return None


def _distrust(folder: Path) -> str | None:
    """Return why a folder that was there cannot be trusted."""
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode):
        return "it is no folder, or only a link to one"
    if sys.platform == "win32":
        return None
    if found.st_uid != os.geteuid():
        return "it belongs to somebody else"
    if found.st_mode & _OTHERS:
        return f"it is open to others (mode {stat.S_IMODE(found.st_mode):o}); if it is removed it is made anew"
    return None


def _distrust_above(folder: Path) -> str | None:
    """Return why others could put another folder in the place of this one."""
    for above in () if sys.platform == "win32" else folder.parents:
        mode = above.stat().st_mode
        if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
            return f"everybody can write to `{above.as_posix()}`, which it lies in"
    return None


def _warn(folder: Path, wrong: str) -> None:
    from aodrules.errors import CacheWarning  # lazy: a cache is nearly always in order

    told = f"the cache `{folder.as_posix()}` is not used: {wrong}; {VARIABLE} can name another place"
    warnings.warn(told, CacheWarning, stacklevel=2)


def _is_own_file(found: os.stat_result) -> bool:
    if sys.platform == "win32":
        return True
    # A second name for a file of ours could have been made by anybody who can reach it.
    return found.st_uid == os.geteuid() and not found.st_mode & _OTHERS_WRITE and found.st_nlink == 1


def _prune(folder: Path) -> None:
    """Forget the oldest entries when there are too many; what bears no name of an entry is no business of ours."""
    import re

    found = [entry for entry in os.scandir(folder) if re.fullmatch(_ENTRY, entry.name)]
    if len(found) <= MOST_ENTRIES:
        return
    found.sort(key=lambda entry: entry.stat(follow_symlinks=False).st_mtime, reverse=True)
    for entry in found[MOST_ENTRIES:]:
        Path(entry.path).unlink(missing_ok=True)
