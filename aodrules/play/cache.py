"""What was loaded before, kept in the user's cache folder: the only module that reads and writes there.

An entry is trusted as Python trusts its own `__pycache__`: because only the user can write to the folder. So the
folder belongs to the user and is closed to others, or it is not used. Whatever goes wrong here goes wrong in silence.
"""

from __future__ import annotations

import marshal
import os
import stat
import sys
from pathlib import Path
from typing import Any
from zlib import crc32

VARIABLE = "AODRULES_CACHE"
"""The environment variable that names another folder; empty for no cache at all."""
MOST_ENTRIES = 300


class Store:
    """The entries of one ruleset: several names under one key."""

    def __init__(self, folder: Path, key: str) -> None:
        self.folder = folder
        self.key = key

    # Values of our stages, and generated code.

    def read(self, name: str) -> Any:
        """Return what was kept under a name; nothing if there is nothing or it is damaged."""
        content = self._read(name)
        return None if content is None else from_bytes(content)

    def write(self, name: str, value: Any) -> None:
        """Keep something under a name."""
        content = to_bytes(value)
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
            content = (self.folder / f"{self.key}.{name}").read_bytes()
        except (OSError, ValueError):
            return None
        return content[4:] if content[:4] == _check(content[4:]) else None

    def _write(self, name: str, content: bytes) -> None:
        try:
            _write(self.folder / f"{self.key}.{name}", _check(content) + content)
            _prune(self.folder)
        except OSError:
            return


def to_bytes(value: Any) -> bytes | None:
    """Return a value of our stages as it is kept; nothing if it has no such form."""
    from aodrules.play.pickles import pickled  # lazy: what is plain needs no more

    return pickled(value)


def from_bytes(content: bytes) -> Any:
    """Return the value that was kept so; nothing if it is damaged."""
    from aodrules.play.pickles import unpickled

    return unpickled(content)


def private_folder() -> Path | None:
    """Return the cache folder if it is ours alone; nothing if there is to be no cache."""
    named = os.environ.get(VARIABLE)
    if named == "":
        return None
    try:
        folder = Path(named) if named is not None else _usual_folder() / "aodrules"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder if _is_private(folder) else None
    except (OSError, ValueError, RuntimeError):
        return None


def _usual_folder() -> Path:
    if sys.platform == "win32":
        return Path(os.environ["LOCALAPPDATA"]) if "LOCALAPPDATA" in os.environ else Path.home() / "AppData" / "Local"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    given = os.environ.get("XDG_CACHE_HOME", "")
    return Path(given) if os.path.isabs(given) else Path.home() / ".cache"  # noqa: PTH117 - a path may be empty


def _is_private(folder: Path) -> bool:
    """Whether a folder is the user's and closed to everybody else; our own is closed if it is open."""
    if sys.platform == "win32":
        return True
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        return False
    if found.st_mode & 0o077:
        folder.chmod(0o700)
    return not folder.lstat().st_mode & 0o077


def _check(content: bytes) -> bytes:
    """Return what an entry begins with, so that damage is seen. It is no signature: the folder is trusted."""
    return crc32(content).to_bytes(4, "big")


def _write(path: Path, content: bytes) -> None:
    """Write a file at once: others see the old one or the new one."""
    import tempfile  # lazy: it brings much along that reading does not need

    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def _prune(folder: Path) -> None:
    """Forget the oldest entries when there are too many."""
    entries = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in entries[MOST_ENTRIES:]:
        path.unlink(missing_ok=True)
