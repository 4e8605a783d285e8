"""Every number has an interval."""

from __future__ import annotations

from textwrap import indent

import pytest
from attrs import evolve

from aodrules.check.analyse.calls import Caller, call_graph
from aodrules.check.analyse.interval_analysis import ranges
from aodrules.check.checked import CheckedRules, Value
from aodrules.check.steps import SetTo
from aodrules.lang.expressions import Expression, FieldRead
from aodrules.lang.types import NUMBER, PLAYER, Number
from aodrules.source.diagnostics import Report
from tests.check.over_small_game import checked, codes, over
from tests.engines.handmade import nim
from tests.engines.parts import AT, call, compute, given, local, number

PROBE = """
tower:
  probe: {{price: 1, own: {{look: {{modify: tower_points, add: "{expression}"}}}}}}
value:
  twice: {{given: {{n: number}}, is: 2 * n}}
  gated: {{given: {{n: number}}, is: n if n > 2 else 10}}
"""


def interval(expression: str) -> tuple[int | None, int | None]:
    found = over(PROBE.format(expression=expression))
    assert found.codes == []
    (modifier,) = found.rules.modifiers["tower_points"]
    interval = found.ranges.of(modifier.amount)
    return interval.low, interval.high


@pytest.mark.parametrize(
    "expression, expected",
    [
        ("3", (3, 3)),
        ("-player.coins", (-50, 0)),
        ("player.coins + rounds", (0, 59)),
        ("player.coins * 2 - 1", (-1, 99)),
        ("player.coins // 7", (0, 7)),
        ("player.coins % 7", (0, 6)),
        ("(0 - player.coins) % 7", (0, 6)),
        ("len(players)", (1, 4)),
        ("len(seats)", (2, 4)),
        ("len(towers)", (3, 3)),
        ("len(offer)", (0, 2)),
        ("size(player.stock)", (0, 12)),
        ("player.stock[amber]", (0, 5)),
        ("sum(player.stock[c] for c in cubes)", (0, 14)),
        ("size(player.reserve)", (0, 6)),
        ("count(size(l.crew[player]) > 0 for l in lands)", (0, 2)),
        ("self.price", (1, 1)),
        ("max(t.price for t in towers)", (1, 5)),
        ("either(max(t.price for t in player.skyline), 0)", (0, 5)),
        # Each member is there no more often than it has pieces.
        ("sum(t.price for t in towers)", (3, 9)),
        ("sum(t.price for t in player.skyline)", (0, 9)),
        ("sum(-t.price for t in player.skyline if t.price > 2)", (-8, 0)),
        ("sum(t.price for t in player.skyline if player.coins > 3)", (0, 9)),
        ("sum(t.price * player.coins for t in player.skyline)", (0, 750)),
        ("count(t.price > 1 for t in player.skyline)", (0, 2)),
        ("len(list(t for t in player.skyline if t.price > 4))", (0, 1)),
        ("sum(3 for c in player.stock if c == amber)", (0, 15)),
        ("min(player.coins, 9)", (0, 9)),
        ("max(player.coins, 9)", (9, 50)),
        ("abs(player.coins - 30)", (0, 30)),
        ("index(turn_order, player)", (0, 4)),
        ("twice(player.coins)", (0, 100)),
        ("twice(3)", (6, 6)),
        ("twice(twice(3))", (12, 12)),
        ("gated(1) + gated(5)", (6, 20)),
        ("12 // player.coins if player.coins > 0 else 0", (0, 12)),
        ("sum(12 // n for n in range(5) if n != 0)", (0, 60)),
        ("12 // rounds if rounds >= 3 and rounds < 5 else 0", (0, 4)),
        ("size(neighbours(roads, hills))", (0, 1)),
        ("either(distance(roads, hills, shores), 9)", (0, 9)),
        ("size(reach(roads, hills, 1, set(l for l in lands)))", (0, 1)),
    ],
)
def test_an_expression_lies_in_its_interval(expression: str, expected: tuple[int, int]) -> None:
    assert interval(expression) == expected


ADDS = "a: {price: 1, own: {x: {modify: tower_points, add: 9}}}\n"


def modified(effects: str) -> tuple[int | None, int | None]:
    text = "tower:\n" + indent(effects.strip(), "  ")
    found = over(text + "\nvalue:\n  worth_of: {given: {player: player}, is: tower_points(player)}\n")
    assert found.codes == []
    interval = found.ranges.of(found.rules.values["points.towers"].formula)
    return interval.low, interval.high


@pytest.mark.parametrize(
    "effects, expected",
    [
        ("a: {price: 1, own: {x: {modify: tower_points, add: 3}}}", (0, 3)),
        ("a: {price: 1, own: {x: {modify: tower_points, add: -3}}}", (-3, 0)),
        ("a: {price: 1, own: {x: {modify: tower_points, set: 5}}}", (0, 5)),
        ("a: {price: 1, own: {x: {modify: tower_points, at_least: 5}}}", (0, 5)),
        (
            ADDS + "b: {price: 1, own: {x: {modify: tower_points, times: 3}}}",
            (0, 27),
        ),
        (
            ADDS + "b: {price: 1, own: {x: {modify: tower_points, at_most: 4}}}",
            (0, 9),
        ),
    ],
)
def test_modifiers_widen_a_value(effects: str, expected: tuple[int, int]) -> None:
    assert modified(effects) == expected


def test_a_modifier_that_always_holds_is_sure() -> None:
    variant = "variant: high\nhouse: true\neffects:\n  floor: {modify: tower_points, at_least: 3}\n"
    found = over(variant)
    assert found.codes == []
    interval = found.ranges.of(found.rules.values["points.towers"].formula)
    assert (interval.low, interval.high) == (3, 3)


def test_parameters_come_from_all_calls() -> None:
    found = over("tower: {mint: {price: 1, own: {pay: {upon: sent, do: [{earn: 7}, {earn: player.coins}]}}}}")
    interval = found.ranges.parameters[Caller("verb", "earn"), "amount"]
    assert (interval.low, interval.high) == (0, 50)


BODY = """
verb:
  dig:
    given: {{player: player}}
    do:
      - {{let: found, be: 0}}
{steps}
      - repeat: found
        do: [{{earn: 1}}]
"""


@pytest.mark.parametrize(
    "steps",
    [
        "- {for: c, in: cubes, do: [{add: 2, to: found}]}",
        "- {for: c, in: cubes, do: [{set: found, to: 'max(found, c.copies)'}]}",
        "- {repeat: 50, do: [{set: found, to: 'min(found * 3 + 1, 100)'}]}",
        "- {repeat: 5, do: [{take: 1, from: found}, {add: 3, to: found}]}",
        "- {while: found < 9, at_most: 9, do: [{add: 1, to: found}]}",
        "- {take: 3, from: player.coins, as: paid, up_to: true}\n- {add: paid, to: found}",
        "- {draw: 2, from: pit, to: player.stock, as: drawn}\n- {add: drawn, to: found}",
        "- {roll: 'range(1, 7)', as: eye}\n- {add: eye, to: found}",
        "- {for: c, in: cubes, index: i, do: [{add: i, to: found}]}",
        "- {move: all, from: pit, to: player.stock, as: got}\n- {add: got, to: found}",
        # What is moved is never less than nothing, so that what is owed does not grow.
        "- {move: amber, count: found, from: pit, to: player.stock, as: got}\n- {take: got, from: found}",
        "- {repeat: 3, do: [{draw: found, from: pit, to: player.stock, as: got}, {take: got, from: found}]}",
    ],
)
def test_a_name_that_steps_change_is_bounded(steps: str) -> None:
    assert codes(BODY.format(steps=indent(steps, " " * 6))) == []


@pytest.mark.parametrize(
    "steps",
    [
        "- {repeat: 50, do: [{set: found, to: found * 3 + 1}]}",
        "- {repeat: 50, do: [{add: found + 1, to: found}]}",
    ],
)
def test_a_name_that_grows_by_itself_is_refused_once(steps: str) -> None:
    assert codes(BODY.format(steps=indent(steps, " " * 6))) == ["unbounded-number"]


def test_options_of_an_inline_choice_count_for_the_name_they_change() -> None:
    steps = """
- choose: how_much
  by: player
  options:
    more:   {again: 3, do: [{add: 2, to: found}]}
    enough: {do: []}
"""
    assert codes(BODY.format(steps=indent(steps.strip(), " " * 6))) == []


def chain(length: int, last: Expression) -> CheckedRules:
    """Nim, whose points are the first of a long chain of values."""
    rules = nim()
    player = (given("player", PLAYER),)
    values = {f"v{length}": Value(f"v{length}", player, NUMBER, last, AT)}
    for number_ in reversed(range(length)):
        name, inner = f"v{number_}", values[f"v{number_ + 1}"]
        values[name] = Value(name, player, NUMBER, compute("+", call(inner, local("player", PLAYER)), number(1)), AT)
    first = evolve(values["v0"], name="points.last")
    return rules.with_parts(values={**values, "points.last": first})


def problems(rules: CheckedRules) -> list[str]:
    report = Report()
    ranges(rules, call_graph(rules, report), report)
    return [each.code for each in report]


def test_a_chain_of_many_values_is_read() -> None:
    assert problems(chain(1000, number(1))) == []


def test_a_mistake_at_the_end_of_a_long_chain_is_found() -> None:
    heap = FieldRead(Number(0, 11), AT, "table.heap", ())
    assert problems(chain(1000, compute("//", number(12), heap))) == ["division-by-zero"]


def test_values_that_double_are_read_once_each() -> None:
    values = "".join(f"  v{n}: {{given: {{k: number}}, is: v{n + 1}(k) + v{n + 1}(k + 1)}}\n" for n in range(30))
    tower = "tower: {probe: {price: 1, own: {look: {modify: tower_points, add: v0(3)}}}}\n"
    assert "unbounded-number" not in codes(f"{tower}value:\n{values}  v30: {{given: {{k: number}}, is: k}}\n")


def test_attributes_that_square_each_other_are_refused() -> None:
    attributes = ", ".join(f"a{n}: number" for n in range(60))
    member = ", ".join(f"a{n}: self.a{n - 1} * self.a{n - 1}" for n in range(1, 60))
    found = codes(
        f"kinds: {{star: {{plural: stars, attributes: {{{attributes}}}}}}}\nstar: {{sol: {{a0: 10, {member}}}}}\n"
    )
    assert set(found) == {"unbounded-number"}


LEFT = """
game: {{players: 3, seats: [ann, bob, cid], play: main}}
state: {{table: {{left: number 0..9}}}}
verb: {{main: {{do: [{{choose: act, by: first(players)}}, {{set: left, to: "{amount}"}}]}}}}
decision: {{act: {{options: {{go: {{for: {{other: player}}, do: {body}}}}}}}}}
"""


@pytest.mark.parametrize(
    "amount",
    [
        "len(players)",
        "count(p for p in players)",
        "size(set(p for p in players))",
        "len(seats_from(first(seats)))",
        "count(p for p in seats_from(last(seats)))",
    ],
)
def test_those_who_may_leave_are_not_counted_on(amount: str) -> None:
    def lowest(body: str) -> int | None:
        found = checked(LEFT.format(amount=amount, body=body))
        assert found.codes == []
        step = found.rules.verbs["main"].body[-1]
        assert isinstance(step, SetTo)
        return found.ranges.of(step.value).low

    assert lowest("[{leave_game: other}]") in (0, 1)


def test_what_is_taken_may_be_less_than_nothing() -> None:
    found = checked("""
        game: {players: 2, seats: [ann, bob], play: main}
        state: {table: {owed: number -3..2, purse: number 0..9, fell: number -9..9}}
        verb: {main: {do: [{take: owed, from: purse, as: paid, up_to: true}, {set: fell, to: paid}]}}
        """)
    step = found.rules.verbs["main"].body[-1]
    assert isinstance(step, SetTo)
    paid = found.ranges.of(step.value)
    assert (found.codes, paid.low, paid.high) == ([], -3, 2)
