from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import aodrules
from benchmarks.larger_rules import write_copies
from tests.playing import GAMES


def calls_of_load(variants: list[Path]) -> int:
    """Return how many Python functions are called while rules are loaded: a measure that no busy machine changes."""
    calls = 0

    def watch(_frame: FrameType, event: str, _: Any) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(watch)
    try:
        aodrules.load(GAMES / "harbour", variants, cache=False)
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.slow
def test_the_work_of_loading_grows_with_the_content_and_no_faster(tmp_path: Path) -> None:
    rules = aodrules.load(GAMES / "harbour", cache=False)
    paths = write_copies(rules, 17, tmp_path)
    aodrules.load(GAMES / "harbour", paths, cache=False)  # documents are read once in a process
    few, some, many = (calls_of_load(paths[:number]) for number in (4, 8, 16))
    assert few < some < many
    assert many - some < 2.2 * (some - few)
