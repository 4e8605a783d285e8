"""Files that are watched: looked at now and then, and told when one of them was saved anew."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from aodrules.compose.library import parse_rules_word
from aodrules.source.folders import yaml_files
from aodrules.source.plain_files import is_folder, is_there


def files_of(words: Iterable[str]) -> list[Path]:
    """Return the files that words of rules name by their paths, those in folders included."""
    parts = [part for word in words for asked in [parse_rules_word(word)] for part in (asked.base, *asked.variants)]
    paths = [Path(part) for part in dict.fromkeys(parts) if is_there(part)]
    return [file for path in paths for file in (yaml_files(path) if is_folder(path) else [path])]


def changes(files: Callable[[], Iterable[Path]], wait: Callable[[], None]) -> Iterator[list[Path]]:
    """Iterate over the files that changed, came or went; `wait` is called between two looks."""
    before = _times(files())
    while True:
        wait()
        now = _times(files())
        if now != before:
            yield sorted(path for path in {*now, *before} if now.get(path) != before.get(path))
        before = now


def _times(files: Iterable[Path]) -> dict[Path, tuple[int, int]]:
    found = {}
    for path in files:
        try:
            state = path.stat()
        except OSError:
            continue
        found[path] = (state.st_mtime_ns, state.st_size)
    return found
