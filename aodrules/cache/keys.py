"""Which entries of the cache are those of some rules: the key is a hash of the bytes of all their documents.

Reading all documents for their hash takes longer than the rest of a load from the cache. So the key is noted together
with the state of every file: size, time of the last change, time of the last change of anything about it. While these
are the same, the noted key holds; Python trusts the size and time of a source file in the same way. A file that
changed only just now could change again without another time, so nothing is noted until it has settled.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TypeAlias
from zlib import crc32

from aodrules.arguments import RulesRequest
from aodrules.cache.store import Store, own_folder
from aodrules.source.disk import entries, is_file, is_folder, is_there, read_plain, shown_path, yaml_entries
from aodrules.source.shipped import example, shipped

State: TypeAlias = tuple[str, int, int, int]
"""The path of a file, its size, and the two times of its last change."""
_SEEN = "seen"
_SETTLED = 2 * 10**9
"""Nanoseconds; the coarsest clock of a usual file system."""
_PACKAGE = Path(__file__).parent.parent
_HEADS = (b"edition:", b"variant:", b"module:", b"words:")


def store_for(request: RulesRequest) -> Store | None:
    """Return where the entries of some rules are kept; nothing if there is no cache or no such rules."""
    folder = own_folder()
    if folder is None:
        return None
    try:
        return Store(folder, _key(folder, request))
    except (OSError, ValueError):
        return None


def store_for_save(
    game: str, edition: str | None, variants: Sequence[str], documents: Mapping[str, str]
) -> Store | None:
    """Return where the entries of the rules of a saved game are kept: their text stands in the save."""
    folder = own_folder()
    if folder is None:
        return None
    request_facts = (game, edition, sorted(variants), sorted(documents.items()), _program())
    try:
        is_whole_game = not all(_has_head(text.encode()) for text in documents.values())
        paths = [] if is_whole_game else [state[0] for state in _shipped_documents()]
        return Store(folder, _hash(repr(request_facts), paths))
    except (OSError, ValueError):
        return None


def _key(folder: Path, request: RulesRequest) -> str:
    """Return the key that was noted for these states of the files, or find it anew."""
    request_facts = (request.base, *sorted(request.variants), str(Path.cwd()))
    states = (request_facts, _program(), tuple(_documents(request)))
    notes = Store(folder, f"{crc32(repr(request_facts).encode()):08x}")
    noted = notes.read_plain(_SEEN)
    if isinstance(noted, tuple) and noted[:-1] == states:
        return str(noted[-1])
    now = time.time_ns()
    key = _hash(repr((request.base, sorted(request.variants), _program())), [state[0] for state in states[-1]])
    if all(max(state[2:]) + _SETTLED < now for state in states[-1]):
        notes.write_plain(_SEEN, (*states, key))
    return key


def _hash(request_facts: str, paths: Sequence[str]) -> str:
    """Return a hash of what was asked for, of all documents that could have a part in it, and of the program."""
    from hashlib import sha256  # lazy: a key that was noted needs none

    digest = sha256(request_facts.encode())
    for path in map(Path, paths):
        content = read_plain(path)
        digest.update(f"\n{shown_path(path)}\n{len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()[:40]


@cache
def _program() -> tuple[str | int | None, ...]:
    """Return what stands for the versions of Python and of the package: the state of its files."""
    found = [*entries(_PACKAGE, (".py",)), *entries(shipped("schemas"), (".json",))]
    states = sorted((entry.path, entry.stat()) for entry in found)
    each = [fact for path, state in states for fact in (path, state.st_size, state.st_mtime_ns)]
    return (sys.implementation.cache_tag, sys.hexversion, *each)


def _documents(request: RulesRequest) -> Iterator[State]:
    """Iterate over the states of all documents that could have a part in some rules."""
    base = Path(request.base)
    if not is_there(base):
        base = example(request.base) or base
    if is_folder(base):
        yield from map(_state, yaml_entries(base))
    elif is_file(base):
        yield _state(base)
    if not is_there(base) or "/" not in request.base or (is_file(base) and _has_head(read_plain(base))):
        yield from _shipped_documents()
    yield from (_state(path) for path in map(Path, sorted(request.variants)) if is_file(path))


def _shipped_documents() -> Iterator[State]:
    for folder in ("content", "variants"):
        yield from map(_state, yaml_entries(shipped(folder)))


def _state(file: Path | os.DirEntry[str]) -> State:
    found = file.stat()
    return (os.fspath(file), found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def _has_head(content: bytes) -> bool:
    return any(line.startswith(_HEADS) for line in content.split(b"\n"))
