"""Lists that are written out hold anything that can be worked out, and are made into sets."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.check.over_small_game import checked
from tests.engines.playing import answers, cells, game_of

BEADS = """
    kinds: {{bead: {{plural: beads, attributes: {{n: number}}}}}}
    bead: {{amber: {{n: 1}}, beryl: {{n: 2}}, coral: {{n: 3}}, drop: {{n: 4}}}}
    state:
      table: {{n: number -99..99 = 0, k: number 0..9 = 4, named: bead = coral, some: set of bead, at: maybe player}}
      player: {{cash: number 0..9 = 3}}
    verb:
      main:
        do:
          - {{for: player, in: players, index: i, do: [{{add: i, to: player.cash}}]}}
          - {step}
          - {{choose: nod, by: first(players)}}
    decision: {{nod: {{options: {{nod: {{do: []}}}}}}}}
"""


def number(formula: str) -> int:
    game = game_of(BEADS.format(step=f'{{set: n, to: "{formula}"}}'))
    found: int = cells(game, "table.n")[0]
    return found


@pytest.mark.parametrize(
    "formula, worth",
    [
        ("sum([k, k + 1, 2])", 11),
        ("max([k, 2])", 4),
        ("either([k, 9, k][1], 0)", 9),
        ("either([k, 9, k][k], -1)", -1),
        ("len([k, k])", 2),
        ("size(set([named, named, amber]))", 2),
        ("sum(b.n for b in [drop, named])", 7),
        ("sum(b.n for b in set([named, beads.beryl]))", 5),
        ("sum(b.n for b in [amber, named] for c in [named, beads.drop] if b != c)", 1 + 1 + 3),
        ("1 if named in [amber, first(beads)] else 2", 2),
        ("1 if named in [amber, last(beads), named] else 2", 1),
        ("sum(p.cash for p in [last(players), first(players)])", 7),
        ("first([last(players), first(players)]).cash", 4),
        ("count(f for f in [k > 3, k > 4])", 1),
        ("index([amber, named], coral)", 1),
        ("either(first(ranked(b.n for b in [amber, named])).n, 0)", 3),
    ],
)
def test_what_is_worked_out_stands_in_a_list(formula: str, worth: int) -> None:
    assert number(formula) == worth


def test_an_empty_set_is_of_what_it_goes_into() -> None:
    steps = """{{set: some, to: "set([named, amber])"}}
          - {{set: n, to: "size(some) * 10"}}
          - {{set: some, to: "{what}"}}
          - {{add: size(some), to: n}}"""
    assert cells(game_of(BEADS.format(step=steps.format(what="set([])"))), "table.n") == [20]
    assert cells(game_of(BEADS.format(step=steps.format(what="some | set([])"))), "table.n") == [22]
    assert cells(game_of(BEADS.format(step=steps.format(what="set([]) if k > 3 else some"))), "table.n") == [20]


def test_a_name_begins_empty_with_a_loop_that_takes_none() -> None:
    steps = """{let: seen, be: set(b for b in beads if false)}
          - {set: n, to: size(seen)}
          - {set: seen, to: "seen | set([named, amber])"}
          - {set: n, to: n * 10 + size(seen)}"""
    assert cells(game_of(BEADS.format(step=steps)), "table.n") == [2]


EVERYWHERE = """
    kinds: {bead: {plural: beads, attributes: {n: number}}}
    bead: {amber: {n: 1}, beryl: {n: 2}, coral: {n: 3}, drop: {n: 4}}
    state:
      table:
        n:     number -99..99 = 0
        named: bead = coral
        some:  {is: set of bead, start: "set([amber, drop])"}
        few:   {is: set of bead, start: "set([])"}
        who:   {is: set of bead, start: set(beads)}
    value:
      much:   {given: {those: set of bead}, is: sum(b.n for b in those)}
      amount: {given: {those: "set of bead = set([amber])", rest: "set of bead = set([])"}, is: much(those | rest)}
    verb:
      weigh: {main: {those: set of bead}, given: {by: set of player}, do: [{add: much(those) + size(by), to: n}]}
      main:
        do:
          - {set: n, to: "much(set([amber, named])) + much(set([])) + amount() + size(few)"}
          - {weigh: "set([])", by: "set([])"}
          - {weigh: "set([named])", by: "set([first(players)])"}
          - {set: some, to: "some & set([drop, named])"}
          - {set: few, to: "set([]) | some"}
          - {set: who, to: "set([])"}
          - {let: those, be: "set([]) if n > 90 else some"}
          - {add: size(those) * 20, to: n}
          - {choose: nod, by: first(players)}
    decision:
      nod:
        options:
          one:    {for: {b: {bead: "set([amber, named])"}}, do: []}
          none_:  {for: {b: {bead: "set([])"}}, do: []}
          listed: {for: {b: {bead: "[drop, named]"}}, do: []}
          empty:  {for: {b: {bead: "[]"}}, do: []}
          self_:  {for: {p: {player: "set([player])"}}, do: []}
          test:   {where: ["set([]) != some", "few == set([drop])", "set([]) & some == who"], do: []}
    """


def test_sets_are_written_out_wherever_a_set_may_stand() -> None:
    game = game_of(EVERYWHERE)
    assert answers(game) == ["listed 2", "listed 3", "one 0", "one 2", "self_ 0", "test"]
    assert cells(game, "table.n") == [4 + 0 + 1 + 0 + (3 + 1) + 20]


def test_steps_run_over_a_list_in_its_order() -> None:
    step = '{for: b, in: "[named, amber, beads.drop]", do: [{set: n, to: n * 5 + b.n}]}'
    assert cells(game_of(BEADS.format(step=step)), "table.n") == [(3 * 5 + 1) * 5 + 4]


def test_numbers_of_a_list_have_the_ends_of_its_items() -> None:
    text = "game: {{players: 2, seats: [ann, bob], play: main}}" + dedent(BEADS)
    assert checked(text.format(step='{set: n, to: "9 // min([k + 1, 2])"}')).codes == []
    assert checked(text.format(step='{set: n, to: "9 // min([k, 2])"}')).codes == ["division-by-zero"]
