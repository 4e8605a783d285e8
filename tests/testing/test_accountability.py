"""A variant that breaks a clause without saying so is named, with its line and a short game."""

from __future__ import annotations

from pathlib import Path

import aodrules
from aodrules.testing import format_results, read_suite, run_suite
from aodrules.testing.accountability import with_blame
from tests.testing.texts import HARBOUR, NIM, written

GREEDY = """
variant: greedy
game: nim
house: true
OVERRIDES
change:
  decision.take.options.take.do:
    - {move: pebble, count: count, from: heap.lying, to: taken}
    - {move: pebble, from: heaps.tall_heap.lying, to: taken}
    - {set: last_taker, to: player}
text:
  effects.greedy.nothing: {en: Nothing}
"""
CHEAP = """
variant: cheap
game: harbour
house: true
change:
  value.wages.is: 1
effects:
  gift: {modify: haul, add: 1}
"""


def test_a_property_that_a_variant_breaks_names_its_line(tmp_path: Path) -> None:
    path = written(tmp_path, "greedy.yaml", GREEDY.replace("OVERRIDES\n", ""))
    suite = read_suite(aodrules.load(NIM, [path], cache=False))
    results = with_blame(run_suite(suite, games=8))
    (wrong,) = [each for each in results.wrong if each.id == "stones-only-go"]
    (blame,) = wrong.blame
    assert (blame.variant, blame.span.line, blame.clauses) == ("greedy", 6, ("one-heap",))
    assert wrong.finding is not None
    assert wrong.finding.actions <= 3
    text = format_results(results)
    assert "variant `greedy` does this and does not say that it overrides `one-heap`" in text


def test_what_a_variant_overrides_is_left_out(tmp_path: Path) -> None:
    path = written(tmp_path, "greedy.yaml", GREEDY.replace("OVERRIDES", "overrides: [one-heap]"))
    suite = read_suite(aodrules.load(NIM, [path], cache=False))
    assert [each.statement.id for each in suite.left_out] == ["stones-only-go"]
    assert suite.left_out[0].why == "`one-heap` is overridden"


def test_scenarios_that_a_variant_breaks_name_the_edit_that_did_it(tmp_path: Path) -> None:
    path = written(tmp_path, "cheap.yaml", CHEAP)
    results = with_blame(run_suite(read_suite(aodrules.load(HARBOUR, [path], cache=False))))
    lines = {each.id: [blame.span.line for blame in each.blame] for each in results.wrong}
    assert lines == {"evening.unpaid-wages-make-unrest": [6], "fishery.a-bosun-has-two-hands": [8]}


def test_without_variants_nobody_is_blamed(tmp_path: Path) -> None:
    path = written(tmp_path, "wrong.yaml", "scenario:\n  wrong: {then: {round: 2}}\n")
    results = with_blame(run_suite(read_suite(aodrules.load(HARBOUR), [path])))
    assert [each.blame for each in results.wrong] == [()]


LONELY = """
variant: lonely
game: nim
house: true
insert:
  - first: decision.take.options.take
    do:
      - if: size(heaps.tall_heap.lying) + size(heaps.middle_heap.lying) == 0 and size(taken) == 0
        then: [{move: pebble, from: quarry, to: taken}]
"""
NOTHING_COMES = """
property:
  stones-come-from-heaps:
    clauses: [last-stone-wins]
    after: take.take
    holds: size(quarry) == before(size(quarry))
"""


def test_a_law_that_breaks_only_in_an_example_names_the_line_of_the_variant(tmp_path: Path) -> None:
    paths = [written(tmp_path, "laws.yaml", NOTHING_COMES)]
    rules = aodrules.load(NIM, [written(tmp_path, "lonely.yaml", LONELY)], cache=False)
    results = with_blame(run_suite(read_suite(rules, paths), games=2))
    (wrong,) = [each for each in results.wrong if each.sort == "property"]
    assert wrong.message == "it does not hold in scenario `last-stone-wins`"
    assert [(blame.variant, blame.span.line) for blame in wrong.blame] == [("lonely", 6)]


WINDOW = """
variant: window
game: harbour
house: true
add:
  decision.before_quay.options:
    wave: {do: [{gain: 1}]}
"""
TWO = "variant: two\ngame: harbour\nhouse: true\nchange: {game.players: 2..3}\n"


def test_a_scenario_passes_at_windows_that_only_a_variant_opens(tmp_path: Path) -> None:
    path = written(tmp_path, "window.yaml", WINDOW)
    results = run_suite(read_suite(aodrules.load(HARBOUR, [path], cache=False)), both_engines=True)
    assert [each.id for each in results.wrong] == []


def test_a_scenario_for_more_players_than_a_variant_allows_is_left_out(tmp_path: Path) -> None:
    path = written(tmp_path, "two.yaml", TWO)
    more = written(tmp_path, "more.yaml", "scenario:\n  four: {players: 4}\n  three: {players: 3}\n")
    suite = read_suite(aodrules.load(HARBOUR, [path], cache=False), [more])
    assert [(each.statement.id, each.why) for each in suite.left_out] == [("four", "these rules are for other players")]
