"""The bounds of work hold in play: games ask no more often, and do no more, than is said of their rules."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from aodrules.check.analyse.calls import call_graph
from aodrules.check.analyse.costs import Cost
from aodrules.check.analyse.interval_analysis import ranges
from aodrules.check.analyse.work import WorkAnalysis
from aodrules.check.checked import CheckedRules
from aodrules.check.steps import AnyStep, For, If, Repeat, Stop, While
from aodrules.check.visit import all_bodies, walk_steps
from aodrules.interpreter.interpreter import Interpreter
from aodrules.source.diagnostics import Report
from tests.engines.playing import rules_of


def cost_of_game(rules: CheckedRules) -> Cost:
    graph = call_graph(rules, Report())
    analysis = WorkAnalysis(rules, graph, ranges(rules, graph, Report()))
    assert analysis.added_up() == []
    return analysis.whole_game


class OperationCounter:
    """Counts what is done: rounds of loops, each of which does the first step of its body, and steps."""

    def __init__(self, rules: CheckedRules) -> None:
        steps = (step for body in all_bodies(rules) for step in walk_steps(body))
        self.first = {step.body[0] for step in steps if isinstance(step, For | Repeat | While) and step.body}
        self.done = self.most = self.total = 0

    def on_step(self, step: AnyStep, _: Any) -> None:
        found = (step in self.first) + (not isinstance(step, If | Stop))
        self.done += found
        self.total += found
        self.most = max(self.most, self.done)

    def _ignore(self, *_: Any) -> None:
        """Nothing else is counted."""

    on_skip = on_option = after_option = on_event = _ignore


def play(rules: CheckedRules, seed: int) -> tuple[int, int, int]:
    """Return how many decisions a random game has, and the most operations between two of them and in all."""
    counter, random, decisions = OperationCounter(rules), Random(seed), 0
    game = Interpreter(rules, 2, seed, observer=counter)
    while game.codes:
        decisions += 1
        counter.done = 0
        game.apply(random.choice(game.codes))
    return decisions, counter.most, counter.total


FRAME = """
kinds:
  thing: {{plural: things, hooks: {{act: {{given: {{n: number 0..3}}}}, own: {{effects: true}}}}, pieces: {{count: 2}}}}
  coin:  {{plural: coins, is_a: thing}}
  gem:   {{plural: gems, is_a: thing}}
coin:
  penny: {{act: [{{repeat: n, do: [ask]}}]}}
  pound: {{}}
gem:
  ruby:
    act: [ask]
    own: {{seen: {{upon: shown, if: thing == self, do: [{{repeat: 2, do: [ask]}}]}}}}
  opal:
    own:
      seen: {{upon: shown, if: thing == self, do: [ask]}}
      gone: {{leaving: table.box, do: [ask]}}
state:
  table: {{box: {{is: bag of thing, start: all}}, shelf: list of thing up to 2}}
event:
  shown: {{given: {{thing: thing}}}}
decision:
  nod:
    options:
      once: {{do: []}}
      more: {{again: 1, do: []}}
      turned: {{again: 5, limit: {{round: 1}}, do: []}}
verb:
  ask: {{do: [{{choose: nod, by: first(seats)}}]}}
  main:
    do:
      - step: round
        do:
          - {{roll: things, as: chance}}
          - {{let: rolled, be: chance}}
          - if: rolled != none
            then: [{{v0: 3, x: rolled}}, {{v0: 1, x: rolled}}, {{v1: 2, x: ruby}}, {{run: rolled.act, n: 1}}]
  v0:
    main: {{n: number 0..3}}
    given: {{x: thing}}
    do: {v0}
  v1:
    main: {{n: number 0..3}}
    given: {{x: thing}}
    do: {v1}
  v2:
    main: {{n: number 0..3}}
    given: {{x: thing}}
    do: {v2}
"""
ASK = "ask"
PLAIN = [ASK, ASK, "{move: all, from: box, to: shelf, up_to: true}", "{move: x, from: box, to: shelf, up_to: true}"]
PLAIN += ["{move: all, from: shelf, to: box}", "{happen: shown, thing: x}", "stop", "end_game", "{run: x.act, n: n}"]
TESTS = ["x is coin", "x is gem", "x == penny", "x != opal", "x in [ruby, pound]", "n > 1", "len(shelf) > 0"]
TESTS += ["not x is coin and n > 0", "x == opal or x == ruby"]


def steps(calls: str) -> st.SearchStrategy[str]:
    """Return bodies that may call the next verb."""
    given_number = st.sampled_from(["0", "1", "2", "n", "min(n, 2)", "max(0, n - 1)"])
    given_member = st.sampled_from(["x", "penny", "ruby"])
    call = st.tuples(given_number, given_member).map(lambda both: f"{{{calls}: '{both[0]}', x: {both[1]}}}")
    leaf = st.sampled_from(PLAIN) if not calls else st.one_of(st.sampled_from(PLAIN), call)

    def larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        body = st.lists(inner, min_size=1, max_size=3).map(", ".join)
        test = st.sampled_from(TESTS)
        return st.one_of(
            st.tuples(test, body).map(lambda both: f"{{if: '{both[0]}', then: [{both[1]}]}}"),
            st.tuples(test, body, body).map(lambda all_: f"{{if: '{all_[0]}', then: [{all_[1]}], else: [{all_[2]}]}}"),
            st.tuples(st.sampled_from(["n", "2"]), body).map(lambda both: f"{{repeat: {both[0]}, do: [{both[1]}]}}"),
        )

    return st.lists(st.recursive(leaf, larger, max_leaves=4), min_size=1, max_size=4).map(
        lambda all_: f"[{', '.join(all_)}]"
    )


@settings(deadline=None, max_examples=60)
@given(steps("v1"), steps("v2"), steps(""))
def test_random_games_of_random_rules_keep_to_what_is_said_of_them(v0: str, v1: str, v2: str) -> None:
    try:
        rules = rules_of(FRAME.format(v0=v0, v1=v1, v2=v2))
    except AssertionError:
        reject()  # where `x` is a coin, there is no gem to compare it with
    cost = cost_of_game(rules)
    for seed in range(4):
        decisions, most, total = play(rules, seed)
        assert decisions <= cost.decisions.number
        assert most <= cost.most.number
        assert total <= cost.total.number


def bound(v0: str, v1: str = "[]") -> int:
    return cost_of_game(rules_of(FRAME.format(v0=v0, v1=v1, v2="[]"))).decisions.number


ALWAYS = bound("[]")
"""What the frame asks; each `nod` may be asked four times."""


@pytest.mark.parametrize(
    "v0, v1, nods",
    [
        (f"[{ASK}]", "[]", 2),
        # Tests that exclude each other: `v0` is called twice.
        (f"[{{if: x is coin, then: [{ASK}]}}, {{if: x is gem, then: [{ASK}]}}]", "[]", 2),
        (f"[{{if: x == penny, then: [{ASK}]}}, {{if: x == opal, then: [{ASK}, {ASK}]}}]", "[]", 4),
        (f"[{{let: y, be: x}}, {{if: y is coin, then: [{ASK}]}}, {{if: not y is coin, then: [{ASK}]}}]", "[]", 2),
        # Each call has its own argument: 3 and 1; what it hands on is its own too. `v1` is called once more.
        (f"[{{repeat: n, do: [{ASK}]}}]", "[]", 4),
        ("[{v1: n, x: x}]", f"[{{repeat: n, do: [{ASK}]}}]", 3 + 1 + 2),
        ("[{v1: n, x: penny}]", f"[{{if: x is gem, then: [{ASK}]}}]", 1),
        # What comes before an end is done once, and nothing after the end of the game.
        (f"[{{repeat: 3, do: [{{if: len(shelf) > 0, then: [{ASK}, stop]}}]}}]", "[]", 2),
        (f"[{{repeat: 3, do: [{{if: len(shelf) > 0, then: [{ASK}, end_game]}}]}}]", "[]", 0),
        # An event comes to what one member is told, a piece to what it carries, and no more than fit are moved.
        ("[{happen: shown, thing: x}]", "[]", 4),
        ("[]", "[{happen: shown, thing: x}]", 2),
        ("[]", "[{move: all, from: box, to: shelf, up_to: true}]", 2),
        ("[]", "[{move: x, from: box, to: shelf, up_to: true}]", 0),
    ],
)
def test_what_excludes_each_other_is_not_added_up(v0: str, v1: str, nods: int) -> None:
    assert bound(v0, v1) - ALWAYS == nods * 4


MORE_OFTEN = {
    # A limit that begins anew in what it limits, where two steps bear the name of its period.
    "period": """
        state: {table: {n: number 0..99}}
        verb:
          main: {do: [{step: turn, do: [{choose: act, by: first(players)}]}]}
          fresh: {do: [{step: turn, do: []}]}
        decision:
          act:
            options:
              dig: {again: 9, limit: {fresh.turn: 2}, do: [{add: 1, to: n, up_to: true}, fresh]}
              end: {do: []}
        """,
    # A piece that goes to the next player while each in turn does what it makes them do.
    "hot potato": """
        kinds: {tile: {plural: tiles, pieces: {count: 1}, hooks: {own: {effects: true, in: player.tiles}}}}
        tile: {bell: {own: {ring: {upon: rung, do: [{choose: nod, by: owner}, {pass_on: owner}]}}}}
        state:
          table: {pile: {is: bag of tile, start: all}}
          player: {tiles: bag of tile}
        event: {rung: {}}
        value: {next_of: {given: {p: player}, is: "either(first(list(q for q in players if q.seat > p.seat)), p)"}}
        verb:
          main: {do: [{move: bell, from: pile, to: first(players).tiles}, {happen: rung}]}
          pass_on: {main: {giver: player}, do: [{move: bell, from: giver.tiles, to: next_of(giver).tiles}]}
        decision: {nod: {options: {nod: {do: []}}}}
        """,
    # All pieces of a place that is a parameter, whoever owns them.
    "place": """
        kinds:
          worker:
            plural: workers
            pieces: {count: 3, owned: true}
            effects: {came: {entering: row, do: [{choose: nod, by: first(players)}]}}
        worker: {smith: {}}
        state:
          table: {row: list of worker}
          player: {home: {is: bag of worker, start: all}}
        verb:
          main: {do: [{clear: home}]}
          clear: {main: {where: place of worker}, do: [{move: all, from: where, to: row}]}
        decision: {nod: {options: {nod: {do: []}}}}
        """,
}


@pytest.mark.parametrize("name", MORE_OFTEN)
def test_nobody_is_asked_more_often_than_is_said(name: str) -> None:
    rules = rules_of(MORE_OFTEN[name])
    game, asked = Interpreter(rules, 4, 1), 0
    while game.codes:
        game.apply(game.codes[0])
        asked += 1
    assert asked == cost_of_game(rules).most_decisions.number


def test_a_kept_value_is_worked_out_a_first_time_though_nothing_changes_it() -> None:
    rules = rules_of("""
        state: {table: {n: number 0..9}}
        value: {long: {given: {a: number 0..99}, kept: true, is: sum(a * b for b in range(1000))}}
        verb: {main: {do: [{set: n, to: sum(long(a) for a in range(100)) % 7}]}}
        """)
    assert cost_of_game(rules).most.number > 100 * 1000
