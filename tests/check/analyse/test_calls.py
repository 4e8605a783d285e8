"""Who calls whom."""

from __future__ import annotations

from bisect import bisect_left

import pytest

from aodrules.check.analyse.bounds import MOST_DEPTH
from aodrules.check.analyse.calls import GAME, Caller, CallGraph, call_graph
from aodrules.compiler.runtime.compiled import Compiled
from aodrules.interpreter.interpreter import Interpreter
from aodrules.play.engines import program_of
from aodrules.source.diagnostics import Report
from tests.check.over_small_game import Checked, checked, codes, over
from tests.engines.handmade import bazaar, nim


def calls(graph: CallGraph, caller: Caller) -> set[tuple[str, str]]:
    return {(each.kind, each.name) for each in graph.calls[caller]}


def test_the_game_calls_its_verbs_and_points() -> None:
    graph = over().graph
    expected = {("verb", "take_turns"), ("value", "points.coins"), ("value", "points.towers"), ("value", "total")}
    assert calls(graph, GAME) == expected


def test_steps_call_decisions_events_and_verbs() -> None:
    graph = over().graph
    assert calls(graph, Caller("verb", "take_turns")) == {("decision", "decision.act")}
    assert calls(graph, Caller("decision", "decision.act")) == {("event", "sent"), ("verb", "earn")}


def test_what_nothing_calls_is_not_reached() -> None:
    graph = over("verb: {sleep: {given: {player: player}, do: [{earn: 1}]}}").graph
    assert Caller("verb", "sleep") not in graph.reached
    assert Caller("verb", "earn") in graph.reached


def test_callers_stand_before_what_they_call() -> None:
    for rules in (nim(), bazaar()):
        graph = call_graph(rules, Report())
        places = {caller: place for place, caller in enumerate(graph.order)}
        assert all(places[one] < places[other] for one in graph.calls for other in graph.calls[one])
        assert not graph.has_cycle


PLACES = """
verb:
  stash: {main: {cube: cube}, given: {into: place of cube}, do: [{move: cube, from: pit, to: into}]}
  relay: {given: {spot: place of cube}, do: [{stash: amber, into: spot}]}
  begin_all: {given: {player: player}, do: [{relay: , spot: player.stock}, {stash: slate, into: pit}]}
"""


def test_places_are_followed_through_calls() -> None:
    found = over(PLACES)
    assert found.codes == []
    assert found.graph.places[Caller("verb", "stash"), "into"] == {"player.stock", "table.pit"}
    assert found.graph.places[Caller("verb", "relay"), "spot"] == {"player.stock"}


def test_moves_into_a_field_call_what_happens_there() -> None:
    effect = """
        kinds:
          gem:
            plural: gems
            pieces: {count: 1}
            effects:
              shine: {entering: player.box, do: [{stash: amber, into: pit}]}
        gem: {opal: {}}
        state:
          table: {mine: {is: bag of gem, start: all}}
          player: {box: bag of gem}
        verb:
          take_gem: {given: {player: player}, do: [{move: opal, from: mine, to: player.box}]}
    """
    graph = over(PLACES, effect).graph
    assert calls(graph, Caller("verb", "take_gem")) == {("entering", "player.box")}
    assert Caller("enter_leave", "kinds.gem.effects.shine") in graph.calls[Caller("entering", "player.box")]


@pytest.mark.parametrize(
    "text",
    [
        "verb: {a: {do: [a]}}",
        "verb: {a: {do: [b]}, b: {do: [c]}, c: {do: [a]}}",
        "value: {a: {is: b()}, b: {is: a()}}",
        "tower: {t: {price: 1, when_built: [{run: self.when_built}]}}",
        (
            "verb: {a: {given: {tower: tower, player: player}, do: [{run: tower.when_built}]}}\n"
            "tower: {t: {price: 1, when_built: [{a: , tower: keep}]}}"
        ),
        "value: {a: {given: {player: player}, is: 1}}\ntower: {t: {price: 1, own: {e: {modify: a, add: a(player)}}}}",
    ],
)
def test_a_cycle_is_one_problem(text: str) -> None:
    assert codes(text) == ["call-cycle"]


def test_hooks_of_members_that_are_not_met_are_no_cycle() -> None:
    assert codes("tower: {t: {price: 1, when_built: [{run: towers.keep.when_built}]}}") == []


def test_whether_an_option_is_possible_does_not_call_its_steps() -> None:
    text = """
        option:
          rob: {for: {victim: player}, where: [victim.coins > 0], do: [brag]}
        verb:
          brag:
            given: {player: player}
            do:
              - if: possible(rob)
                then: [{earn: 1}]
        decision:
          mischief: {options: {rob: {use: rob}}}
    """
    assert codes(text) == []


# Chains of calls that are accepted can be played, and longer ones are refused.

CHAINED = """
game: {players: 2, play: go}
state: {player: {coins: number 0..9}}
verb:
  go: {do: [{for: player, in: players, do: [{choose: take, by: player}]}]}
decision:
  take:
    options:
      take:
        where: [v0() > 0]
        do: [{add: v0(), to: player.coins}]
value:
"""


def chain(length: int, formula: str) -> Checked:
    lines = [f"  v{i}:\n    is: {formula.format(f'v{i + 1}()')}" for i in range(length)]
    return checked(CHAINED + "\n".join([*lines, f"  v{length}: {{is: 1}}"]))


@pytest.mark.slow
@pytest.mark.parametrize("formula", ["{}", "min({}, 5)", "1 if {} > 0 else 0", "(1 + (1 - (1 * {})))"])
def test_the_longest_chain_that_is_accepted_plays_on_both_engines(formula: str) -> None:
    length = bisect_left(range(MOST_DEPTH), x=True, key=lambda n: chain(n + 1, formula).report.has_errors)
    assert not chain(length, formula).report.has_errors
    rules = chain(length, formula).rules
    for machine in (Interpreter(rules, 2, 1), Compiled.new_game(program_of(rules, 2), 1)):
        while machine.pending is not None:
            machine.apply(machine.codes[0])
        assert machine.plain().fields["player.coins"] == [1, 1]


@pytest.mark.slow
def test_a_very_long_chain_is_refused_without_a_failure() -> None:
    assert chain(1500, "min({}, 5)").codes == ["rules-too-deep"]
