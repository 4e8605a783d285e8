from __future__ import annotations

import pytest

from aodrules.errors import InternalError
from aodrules.play import comparison
from aodrules.play.comparison import compare
from tests.playing import rules_of


def test_a_random_game_is_played_on_both_engines() -> None:
    course = compare(rules_of("harbour").book, 3, 5)
    assert (course.players, course.seed) == (3, 5)
    assert len(course.answers) > 20
    assert compare(rules_of("harbour").book, 3, 5).answers == course.answers


def test_engines_that_disagree_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    book = rules_of("harbour").book
    other = book.machine("compiled", 2, 99)
    monkeypatch.setattr(type(book), "machine", lambda *_args, **_options: other)
    with pytest.raises(InternalError, match="the two engines disagree about the"):
        compare(book, 2, 5)


def test_a_game_that_does_not_end_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison, "LONGEST", 3)
    with pytest.raises(InternalError, match="does not end after 3 decisions"):
        compare(rules_of("harbour").book, 2, 5)
