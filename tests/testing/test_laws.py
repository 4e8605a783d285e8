"""Laws that count answers, and laws that are not tested again while nothing they read has changed."""

from __future__ import annotations

import pytest

from aodrules.testing.exploring import explore
from aodrules.testing.law_values import Reads
from aodrules.testing.playing import Line, play
from tests.testing.texts import NIM, law, rules


@pytest.mark.parametrize("limit", ["{round: 1}", "{game: 2}", "{game: 99, round: 2}"])
def test_a_law_notices_that_an_answer_comes_too_often(limit: str) -> None:
    assert "tried" in explore(rules().book, [law(f"after: place.place\nlimit: {limit}")], 2).broken


@pytest.mark.parametrize("limit", ["{round: 4}", "{game: 20}"])
def test_a_law_counts_for_each_player_and_anew_with_each_step(limit: str) -> None:
    assert explore(rules().book, [law(f"after: place.place\nlimit: {limit}")], 4).broken == {}


def test_a_law_that_counts_may_also_say_what_holds() -> None:
    one = law("after: place.place\nlimit: {game: 99}\nholds: round < 2")
    assert "tried" in explore(rules().book, [one], 2).broken


def test_the_fields_that_a_law_reads_are_found() -> None:
    one = law("always: all(size(p.lodging) <= 4 for p in players) and round < 9")
    assert Reads(rules().book.checked).fields([one.law]) == frozenset({"player.lodging", "table.round"})


def test_a_law_is_said_to_be_tested_at_every_question() -> None:
    played = play(rules().book, Line(2, 1), [law("always: round < 9")])
    assert played.tested["tried"] == len(played.answers) + 1


def test_a_law_of_every_state_speaks_of_the_finished_one_too() -> None:
    one = law("always: any(size(h.lying) > 0 for h in heaps)", NIM)
    played = play(rules(NIM).book, Line(2, 1), [one])
    assert played.is_over
    assert [(breach.law.id, breach.actions) for breach in played.breaches] == [("tried", len(played.answers))]


def test_a_law_of_a_change_speaks_of_that_to_the_end_too() -> None:
    one = law("whenever: last_taker != before(last_taker)\nholds: any(size(h.lying) > 0 for h in heaps)", NIM)
    played = play(rules(NIM).book, Line(2, 1), [one])
    assert played.is_over
    assert [breach.law.id for breach in played.breaches] == ["tried"]
