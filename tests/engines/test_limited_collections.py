"""A set or bag with `up to` takes so many: what does not fit is cut, on both engines."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from aodrules.compiler.codegen.module import generate
from aodrules.compiler.lower.from_checked import plan
from aodrules.compiler.plan import Plan
from aodrules.compiler.types.cell_types import declared_types
from aodrules.compiler.types.plan_type import BagType
from aodrules.interpreter.interpreter import Interpreter
from tests.engines.playing import Both, answer, answers, cells, entries, game_of, rules_of

GAME = """
kinds:
  card: {{plural: cards, attributes: {{copies: number}}, pieces: {{count: copies}}}}
  hex:  {{plural: hexes}}
card:
  ace:   {{copies: 5}}
  jack:  {{copies: 1}}
  king:  {{copies: 2}}
hex: {{a: {{}}, b: {{}}, c: {{}}, d: {{}}, e: {{}}}}
state:
  table:
    deck:  {{is: list of card, start: all}}
    heap:  bag of card
    hand:  bag of card up to 3
    other: bag of card up to 2
    seen:  set of hex up to 2
    asked: set of player up to 1
    wide:  set of hex
    many:  number 0..99
verb:
  main:
    do:
      - {{move: all, from: deck, to: heap}}
      - {steps}
"""


def play(*steps: str) -> Interpreter:
    return game_of(GAME.format(steps="\n      - ".join(steps)))


def cuts(game: Interpreter) -> list[Any]:
    return [entry[1:] for entry in entries(game, "cut")]


def counts(game: Interpreter, field: str) -> list[int]:
    [held] = cells(game, field)
    return [*held]


@pytest.mark.parametrize(
    "steps, hand, cut",
    [
        (["{move: ace, from: heap, to: hand, count: 2}"], [2, 0, 0], []),
        (["{move: ace, from: heap, to: hand, count: 5}"], [3, 0, 0], [("table.hand", (), 5, 3)]),
        (["{move: ace, from: heap, to: hand, count: 5, up_to: true}"], [3, 0, 0], []),
        (["{move: all, from: heap, to: hand}"], [3, 0, 0], [("table.hand", (), 8, 3)]),
        (["{move: all, from: heap, to: hand, up_to: true}"], [3, 0, 0], []),
        (["{repeat: 4, do: [{move: ace, from: heap, to: hand}]}"], [3, 0, 0], [("table.hand", (), 1, 0)]),
        (
            ["{move: all, from: heap, to: deck}", "{move: all, from: deck, to: hand}"],
            [3, 0, 0],
            [("table.hand", (), 8, 3)],
        ),
        (
            ["{move: all, from: heap, to: deck}", "{repeat: 4, do: [{move: king, from: deck, to: hand}]}"],
            [0, 0, 2],
            [],
        ),
        (
            ["{move: all, from: heap, to: hand, up_to: true}", "{move: all, from: hand, to: other}"],
            [1, 0, 0],
            [("table.other", (), 3, 2)],
        ),
        (
            ["{move: all, from: heap, to: hand, up_to: true}", "{move: ace, from: hand, to: hand, count: 2}"],
            [3, 0, 0],
            [],
        ),
    ],
)
def test_a_full_bag_takes_no_more_and_the_rest_stays(steps: list[str], hand: list[int], cut: list[Any]) -> None:
    game = play(*steps)
    assert counts(game, "table.hand") == hand
    assert cuts(game) == cut
    held = [*counts(game, "table.heap"), *counts(game, "table.hand"), *counts(game, "table.other")]
    assert sum(held) + len(cells(game, "table.deck")[0]) == 8


def test_a_full_bag_has_room_for_its_own_pieces() -> None:
    full = "{move: all, from: heap, to: hand, up_to: true}"
    game = play(full, "{move: ace, from: hand, to: hand, count: 2, as: n}", "{set: many, to: n}")
    assert cells(game, "table.many") == [2]


def test_a_draw_into_a_full_bag_ends() -> None:
    game = play("{draw: 5, from: heap, to: hand, as: n}", "{set: many, to: n}")
    assert (sum(counts(game, "table.hand")), cells(game, "table.many")) == (3, [3])
    assert cuts(game) == [("table.hand", (), 5, 3)]


def test_a_draw_from_the_top_ends_at_a_full_bag() -> None:
    game = play("{move: all, from: heap, to: deck}", "{draw: 5, from: deck, to: hand}")
    assert counts(game, "table.hand") == [3, 0, 0]


def hexes(game: Interpreter, field: str = "table.seen") -> str:
    [held] = cells(game, field)
    return "".join(name for place, name in enumerate("abcde") if held >> place & 1)


@pytest.mark.parametrize(
    "steps, seen, cut",
    [
        (["{add: d, to: seen}", "{add: e, to: seen}"], "de", []),
        (["{add: d, to: seen}", "{add: e, to: seen}", "{add: a, to: seen}"], "de", [("table.seen", (), 3, 2)]),
        (["{add: d, to: seen}", "{add: e, to: seen}", "{add: e, to: seen}"], "de", []),
        (["{add: d, to: seen}", "{add: e, to: seen}", "{add: a, to: seen, up_to: true}"], "de", []),
        (["{add: d, to: seen}", "{add: e, to: seen}", "{take: d, from: seen}", "{add: a, to: seen}"], "ae", []),
        (["{set: wide, to: set(h for h in hexes)}", "{set: seen, to: wide}"], "ab", [("table.seen", (), 5, 2)]),
        (["{set: wide, to: set(h for h in hexes)}", "{set: seen, to: wide, up_to: true}"], "ab", []),
        (["{add: d, to: seen}", "{set: seen, to: set(h for h in hexes if h != b)}"], "ac", [("table.seen", (), 4, 2)]),
        (["{set: wide, to: set(h for h in hexes)}", "{set: seen, to: wide - seen}"], "ab", [("table.seen", (), 5, 2)]),
    ],
)
def test_a_full_set_keeps_what_it_has_and_takes_the_first_that_fit(steps: list[str], seen: str, cut: list[Any]) -> None:
    game = play(*steps)
    assert hexes(game) == seen
    assert cuts(game) == cut


def test_a_set_of_players_has_a_limit_too() -> None:
    game = play("{set: asked, to: set(p for p in players)}")
    assert cells(game, "table.asked") == [1]


def test_a_union_of_limited_sets_is_larger_than_each() -> None:
    steps = ["{add: d, to: seen}", "{add: e, to: seen}", "{set: wide, to: 'seen | set(h for h in hexes if h == a)'}"]
    assert hexes(play(*steps), "table.wide") == "ade"


GIVEN = """
kinds:
  card: {plural: cards, pieces: {count: 9}}
  hex:  {plural: hexes}
card: {ace: {}, king: {}}
hex:  {a: {}, b: {}, c: {}, d: {}, e: {}}
state:
  table:
    deck: {is: bag of card, start: all}
    hand: bag of card up to 2
    seen: set of hex up to 2
    wide: set of hex
    many: number 0..99
value:
  few:   {given: {found: set of hex up to 2}, is: size(found)}
  cards: {given: {held: bag of card up to 2}, is: size(held)}
  small: {given: {number_of_aces: number 0..2}, is: number_of_aces}
verb: {main: {do: [{set: many, to: "FORMULA"}]}}
"""


@pytest.mark.parametrize(
    "formula",
    ["few(seen)", "few(wide & seen)", "few(set(h for h in seen if h != a))", "cards(hand)", "small(hand[ace])"],
)
def test_what_is_known_to_be_small_may_be_given(formula: str) -> None:
    assert cells(game_of(GIVEN.replace("FORMULA", formula)), "table.many") == [0]


@pytest.mark.parametrize(
    "formula", ["few(wide)", "few(seen | wide)", "few(seen if many > 0 else wide)", "cards(deck)", "small(deck[ace])"]
)
def test_what_may_be_larger_is_refused(formula: str) -> None:
    with pytest.raises(AssertionError, match=r"up to 2, and|0\.\.2, and"):
        rules_of(GIVEN.replace("FORMULA", formula))


def test_a_limited_bag_counts_no_more_of_each_member() -> None:
    rules = rules_of(GIVEN.replace("FORMULA", "0"))
    planned, declared = plan(rules, 2), declared_types(rules, 2)
    assert declared.field(planned.layout.fields["table.hand"]) == BagType("card", (2, 2), planned_width(planned))


def planned_width(planned: Plan) -> int:
    """Return how many bits count each card: as many in every bag of cards."""
    [width] = {one.bag.width for one in planned.layout.fields.values() if one.bag is not None}
    return width


def test_a_bag_that_starts_full_is_as_full_on_both_engines() -> None:
    rules = rules_of("""
        kinds: {coin: {plural: coins, pieces: {count: 3}}}
        coin:  {cent: {}, dime: {}}
        state:
          table:
            purse: {is: bag of coin up to 6, start: all}
        verb: {main: {do: []}}
    """)
    assert cells(Both(rules, 2, 1), "table.purse") == [(3, 3)]


MARCH = """
kinds: {hex: {plural: hexes}}
hex: {HEXES}
state:
  player:
    held: set of hex LIMIT
value:
  movers:  {given: {player: player}, is: "set(h for h in player.held if h != h150)"}
  targets: {given: {player: player, source: hex}, is: "set(h for h in hexes if h not in player.held and h != source)"}
verb:
  main:
    do:
      - {for: player, in: players, do: [{add: h1, to: player.held}, {add: h150, to: player.held}]}
      - {repeat: 2, do: [{choose: march, by: first(players)}]}
decision:
  march:
    options:
      move:
        for: {source: {hex: movers(player)}, target: {hex: "targets(player, source)"}}
        do: [{take: source, from: player.held}, {add: target, to: player.held}]
"""


HEXES = 340


def march(limit: str) -> str:
    hexes = ", ".join(f"h{number}: {{}}" for number in range(HEXES))
    return MARCH.replace("HEXES", hexes).replace("LIMIT", limit)


def test_a_move_from_few_of_many_places_is_one_answer() -> None:
    game = game_of(march("up to 16"))
    names = game.tables.rules.kinds["hex"].members
    places = [names.index(f"h{number}") for number in range(HEXES)]
    assert len(answers(game)) == HEXES - 2
    answer(game, f"move {places[1]} {places[-1]}")
    assert {said.split()[1] for said in answers(game)} == {str(places[-1])}
    with pytest.raises(AssertionError, match="115,260"):
        rules_of(march(""))


TABLEAU = """
kinds:
  card:   {plural: cards, pieces: {count: 1}, attributes: {worth: number = 0}}
  leader: {plural: leaders, is_a: card, hooks: {own: {effects: true, in: player.tableau, scope: owner}}}
card: {CARDS}
leader: {judge: {own: {just: {modify: income, add: 3}}}}
state:
  table:
    deck: {is: bag of card, start: all}
  player:
    tableau: bag of card up to 24
    got:     number 0..99
value:
  income: {given: {player: player}, is: "1 if judge in player.tableau else 0"}
verb:
  main:
    do:
      - {move: judge, from: deck, to: first(players).tableau}
      - {draw: 30, from: deck, to: first(players).tableau, up_to: true}
      - {for: player, in: players, do: [{set: player.got, to: income(player)}]}
"""


def test_whether_a_card_is_in_play_is_one_look_at_a_limited_bag() -> None:
    rules = rules_of(TABLEAU.replace("CARDS", ", ".join(f"c{number}: {{}}" for number in range(120))))
    game = Both(rules, 2, 1)
    assert cells(game, "player.got") == [4, 0]
    assert [sum(held) for held in cells(game, "player.tableau")] == [24, 0]
    generated = generate(plan(rules, 2), log=False)
    (income,) = (ast.unparse(tree) for name, _, tree in generated.functions if name == "value_income")
    assert ">>" in income or "&" in income
    assert not any(word in income for word in (" in ", "for ", "bag_items"))
