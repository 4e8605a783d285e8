"""Laws are held in scenarios too: those of the clauses that a scenario shows, as far as it goes."""

from __future__ import annotations

from pathlib import Path

import aodrules
from aodrules.testing import Results, read_suite, run_suite
from tests.testing.texts import NIM, written

LAWS = """
property:
  nobody-takes-one: {clauses: [last-stone-wins], after: take.take, holds: count > 1}
  last-taker-stays:
    clauses: [last-stone-wins]
    whenever: last_taker != before(last_taker)
    holds: before(last_taker) != none
  other-clause:     {clauses: [one-heap], after: take.take, holds: count > 1}
  of-a-state:       {clauses: [last-stone-wins], always: size(heaps.tall_heap.lying) == 5}
"""
SELDOM = """
property:
  short:
    clauses: [last-stone-wins]
    after: take.take
    holds: size(heaps.tall_heap.lying) > 0 or before(size(taken)) > 0
"""


def held(folder: Path) -> Results:
    """Hold Nim to some laws where its only scenario leads: no game is played."""
    suite = read_suite(aodrules.load(NIM), [written(folder, "laws.yaml", LAWS)])
    return run_suite(suite, games=1)


def test_a_law_of_an_answer_or_of_a_change_breaks_in_a_scenario_of_its_clause(tmp_path: Path) -> None:
    results = held(tmp_path)
    assert results.search is not None
    assert results.search.broken_examples == {
        "nobody-takes-one": "last-stone-wins",
        "last-taker-stays": "last-stone-wins",
    }


def test_it_is_told_where_a_law_does_not_hold_if_no_game_shows_it(tmp_path: Path) -> None:
    suite = read_suite(aodrules.load(NIM), [written(tmp_path, "laws.yaml", SELDOM)])
    (wrong,) = run_suite(suite, games=1).wrong
    assert (wrong.id, wrong.message) == ("short", "it does not hold in scenario `last-stone-wins`")
