"""While rules are read and compiled nearly everything that is made stays, so that Python looks for garbage in vain."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from attrs import define, field

SELDOM = 200_000
"""Python looks for cycles each time so many objects were made, and not every 700."""


@define(eq=False)
class _Patience:
    """How often Python looks for cycles, put back when the last of those who asked for patience is done."""

    lock: Lock = field(factory=Lock)
    asking: int = 0
    before: tuple[int, int, int] = (0, 0, 0)


_patience = _Patience()


@contextmanager
def collecting_seldom() -> Iterator[None]:
    """Let Python look for cycles seldom, unless somebody else has said how often: several threads may ask for it."""
    with _patience.lock:
        if not _patience.asking:
            _patience.before = gc.get_threshold()
            if 0 < _patience.before[0] < SELDOM:
                gc.set_threshold(SELDOM, *_patience.before[1:])
        _patience.asking += 1
    try:
        yield
    finally:
        with _patience.lock:
            _patience.asking -= 1
            if not _patience.asking:
                gc.set_threshold(*_patience.before)
