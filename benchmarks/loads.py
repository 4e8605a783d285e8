"""How long rules take to load, each time in a process of its own: cold, from the cache, and with more content."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from aodrules.rulebook import load
from benchmarks.larger_rules import write_copies
from benchmarks.timing import Measure

COLD, CACHED, CHESS = "{}: cold load", "{}: import and cached load", "`import chess` and a board"
FOLD, FOLDS = "cold load of {}-fold content", (1, 4, 16)
_TIMED = "import time; start = time.process_time(); {}; print(time.process_time() - start)"
_LOAD = "import aodrules; aodrules.load({base!r}, {variants!r})"
_CHESS = "import chess; chess.Board()"


def load_measures(words: Sequence[str], folder: Path) -> Iterator[Measure]:
    """Return how loading is measured: of some rules, of the first ones with more content, and of a chess board."""
    for word in words:
        text = _text(*word.split("+"))
        printed_by(_TIMED.format(text), folder / "cache")
        yield Measure(COLD.format(word), "ms", partial(_milliseconds, text, None))
        yield Measure(CACHED.format(word), "ms", partial(_milliseconds, text, folder / "cache"))
    if find_spec("chess"):
        yield Measure(CHESS, "ms", partial(_milliseconds, _CHESS, None))
    base, *variants = words[0].split("+")
    rules = load(base, variants)
    for times in FOLDS:
        copies = write_copies(rules, times, folder)
        text = _text(base, *variants, *map(str, copies))
        yield Measure(FOLD.format(times), "ms", partial(_milliseconds, text, None), most=5)


def _text(base: str, *variants: str) -> str:
    return _LOAD.format(base=base, variants=list(variants))


def _milliseconds(code: str, cache: Path | None) -> float:
    return printed_by(_TIMED.format(code), cache) * 1e3


def printed_by(code: str, cache: Path | None = None) -> float:
    """Return the number that some code prints in a new process, one that keeps compiled modules as usual."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**environment, "AODRULES_CACHE": str(cache or "")},
        check=True,
        capture_output=True,
        text=True,
    )
    return float(done.stdout)
