"""What was loaded before, kept in the user's cache folder: the only module that reads and writes there.

An entry is trusted as Python trusts its own `__pycache__`: because only the user can write to the folder. So the
folder belongs to the user and is closed to others, or it is not used. Whatever goes wrong here goes wrong in silence.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import re
import stat
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from attrs import frozen

from aodrules.play.asked import Asked
from aodrules.play.saved import Save
from aodrules.source.files import shown_path, yaml_files
from aodrules.source.shipped import shipped

VARIABLE = "AODRULES_CACHE"
"""The environment variable that names another folder; empty for no cache at all."""
MOST_ENTRIES = 300
_PACKAGE = Path(__file__).parent.parent
_HEAD = re.compile(rb"^(edition|variant|module):", re.MULTILINE)
# What the values of our stages are made of beside their own classes.
_OTHERS = frozenset({("collections", "Counter"), ("builtins", "frozenset"), ("builtins", "set")})


@frozen(eq=False)
class Store:
    """The entries of one ruleset: several names under one key."""

    folder: Path
    key: str

    def read(self, name: str) -> Any:
        """Return what was kept under a name; nothing if there is nothing or it is damaged."""
        try:
            content = (self.folder / f"{self.key}.{name}").read_bytes()
            if hashlib.sha256(content[32:]).digest() != content[:32]:
                return None
            return _Unpickler(io.BytesIO(content[32:])).load()
        except Exception:  # noqa: BLE001 - a damaged entry is made anew, whatever is wrong with it
            return None

    def write(self, name: str, value: Any) -> None:
        """Keep something under a name."""
        try:
            content = pickle.dumps(value, protocol=5)
            _write(self.folder / f"{self.key}.{name}", hashlib.sha256(content).digest() + content)
            _prune(self.folder)
        except (OSError, pickle.PicklingError, AttributeError, RecursionError, TypeError):
            return


class _Unpickler(pickle.Unpickler):
    """Makes nothing but values of our own stages."""

    def find_class(self, module: str, name: str) -> Any:
        if module.startswith("aodrules.") or (module, name) in _OTHERS:
            found = super().find_class(module, name)
            if isinstance(found, type) and found.__module__ == module:
                return found
        raise pickle.UnpicklingError(f"{module}.{name}")


def store_for(asked: Asked) -> Store | None:
    """Return where the entries of some rules are kept; nothing if there is no cache or no such rules."""
    folder = _folder()
    if folder is None:
        return None
    try:
        return Store(folder, _key(asked))
    except (OSError, ValueError):
        return None


def store_for_save(save: Save) -> Store | None:
    """Return where the entries of the rules of a saved game are kept: their text stands in the save."""
    folder = _folder()
    if folder is None:
        return None
    told = (save.game, save.edition, sorted(save.variants), sorted(save.documents.items()), _program())
    digest = hashlib.sha256(repr(told).encode())
    if all(_HEAD.search(text.encode()) for text in save.documents.values()):
        try:
            for path in _shipped_documents():
                digest.update(path.read_bytes())
        except OSError:
            return None
    return Store(folder, digest.hexdigest()[:40])


def _folder() -> Path | None:
    """Return the cache folder if it is ours alone."""
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


def _key(asked: Asked) -> str:
    """Return a hash of what was asked for, of all documents that could have a part in it, and of the program."""
    digest = hashlib.sha256(repr((asked.base, sorted(asked.variants), _program())).encode())
    for path in _documents(asked):
        content = path.read_bytes()
        digest.update(f"\n{shown_path(path)}\n{len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()[:40]


@cache
def _program() -> str:
    """Return what stands for the versions of Python and of the package: the state of its files."""
    found: list[object] = [sys.implementation.cache_tag, sys.hexversion]
    for top, suffix in ((_PACKAGE, ".py"), (shipped("schemas"), ".json")):
        for folder, _, files in os.walk(top):
            states = [(name, os.stat(f"{folder}/{name}")) for name in files if name.endswith(suffix)]  # noqa: PTH116
            found += [(name, state.st_size, state.st_mtime_ns) for name, state in states]
    return hashlib.sha256(repr(sorted(map(str, found))).encode()).hexdigest()


def _documents(asked: Asked) -> Iterator[Path]:
    base = Path(asked.base)
    if base.is_dir():
        yield from yaml_files(base)
    elif base.is_file():
        yield base
    if not base.exists() or "/" not in asked.base or (base.is_file() and _HEAD.search(base.read_bytes())):
        yield from _shipped_documents()
    yield from (path for path in map(Path, sorted(asked.variants)) if path.is_file())


def _shipped_documents() -> Iterator[Path]:
    for folder in ("content", "variants"):
        yield from yaml_files(shipped(folder))


def _write(path: Path, content: bytes) -> None:
    """Write a file at once: others see the old one or the new one."""
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
