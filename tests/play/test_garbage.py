"""How often Python looks for garbage is as it was, however many asked for it to be seldom."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from aodrules.play.garbage import SELDOM, collecting_seldom


@pytest.fixture(autouse=True)
def thresholds() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield
    gc.set_threshold(*before)


def test_it_is_seldom_inside_and_as_before_after_the_last_one() -> None:
    first, second = collecting_seldom(), collecting_seldom()
    with first:
        assert gc.get_threshold() == (SELDOM, 10, 10)
        second.__enter__()
    assert gc.get_threshold() == (SELDOM, 10, 10)  # The second still works, as in another thread.
    second.__exit__(None, None, None)
    assert gc.get_threshold() == (700, 10, 10)


@pytest.mark.parametrize("said", [0, 2 * SELDOM])
def test_who_said_never_or_more_seldom_is_heeded(said: int) -> None:
    gc.set_threshold(said)
    with collecting_seldom():
        assert gc.get_threshold()[0] == said
    assert gc.get_threshold()[0] == said


def test_it_is_as_before_after_a_failure() -> None:
    with pytest.raises(ValueError, match="broken"), collecting_seldom():
        raise ValueError("broken")
    assert gc.get_threshold() == (700, 10, 10)
