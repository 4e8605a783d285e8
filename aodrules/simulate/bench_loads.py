"""How long rules take to load, each time in a process of its own: cold, from the cache, and with more content."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from statistics import median

from attrs import frozen

from aodrules.rulebook import Rules, load
from aodrules.simulate.growth import grown

_TIMED = "import time; start = time.process_time(); {}; print(time.process_time() - start)"
_LOAD = "import aodrules; aodrules.load({base!r}, {variants!r})"
_CHESS = "import chess; chess.Board()"


@frozen
class Loads:
    """Seconds of processor time: medians of some rounds."""

    cold: float
    cached: float
    chess: float | None
    growth: dict[int, float]
    """By how many times as many values, verbs and decisions there are."""

    @property
    def growing(self) -> float:
        """What a part of the content costs in the largest rules, as a multiple of what it costs in the middle ones."""
        return (self.growth[16] / 16) / (self.growth[4] / 4)


def loads(base: str, variants: Sequence[str], rounds: int) -> Loads:
    """Measure loading in fresh processes, everything in turn in every round."""
    load_text = _LOAD.format(base=base, variants=list(variants))
    found: dict[str, list[float]] = {"cold": [], "cached": [], "chess": []}
    with tempfile.TemporaryDirectory() as cache:
        _seconds(load_text, cache)
        for _ in range(rounds):
            found["cold"].append(_seconds(load_text, ""))
            found["cached"].append(_seconds(load_text, cache))
            if find_spec("chess"):
                found["chess"].append(_seconds(_CHESS, cache))
    middle = {name: median(values) for name, values in found.items() if values}
    return Loads(middle["cold"], middle["cached"], middle.get("chess"), _growth(load(base, variants), rounds))


def _growth(rules: Rules, rounds: int) -> dict[int, float]:
    asked, found = rules.book.asked, {}
    with tempfile.TemporaryDirectory() as folder:
        for times in (1, 4, 16):
            paths = [str(path) for path in grown(rules, times, Path(folder))]
            text = _LOAD.format(base=asked.base, variants=[*asked.variants, *paths])
            found[times] = median(_seconds(text, "") for _ in range(min(3, rounds)))
    return found


def _seconds(code: str, cache: str) -> float:
    """Return the processor time that some code takes in a new process."""
    done = subprocess.run(  # noqa: S603 - our own interpreter and our own text
        [sys.executable, "-c", _TIMED.format(code)],
        env={**os.environ, "AODRULES_CACHE": cache},
        check=True,
        capture_output=True,
        text=True,
    )
    return float(done.stdout)
