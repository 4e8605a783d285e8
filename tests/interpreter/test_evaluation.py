"""What expressions are worth, on a state in the middle of a game."""

from __future__ import annotations

import pytest

from aodrules.facts.action_codes import ActionSpace
from aodrules.facts.state import PlaceRef
from aodrules.interpreter.evaluation import Evaluator
from aodrules.interpreter.interpreter import Interpreter
from aodrules.interpreter.setup import starting_state, tables_for
from aodrules.lang.expressions import Const, PlaceRead
from aodrules.lang.types import FLAG, NUMBER, PLAYER, Bag, ListOf, Maybe, Number, Piece, kind_of
from tests.engines.parts import AT, builtin, compare
from tests.engines.playing import answer, answers, game_of, rules_of

TEXT = """
    kinds:
      age:   {plural: ages, ordered: true, sorted_by: place, attributes: {place: number}}
      good:  {plural: goods, attributes: {copies: number, price: number per age}, pieces: {count: copies}}
      spice: {plural: spices, is_a: good, attributes: {smell: number}}
      pawn:  {plural: pawns, attributes: {each_player: number}, pieces: {count: each_player, owned: true}}
    age:   {old: {place: 1}, new: {place: 2}}
    good:  {salt: {copies: 2, price: {old: 1, new: 4}}, wool: {copies: 1, price: {old: 2, new: 2}}}
    spice: {clove: {copies: 1, price: {old: 3, new: 9}, smell: 7}}
    pawn:  {foot: {each_player: 1}, horse: {each_player: 1}}
    state:
      table:
        ship:    {is: bag of good, start: all}
        line:    list of pawn
        friends: set of player
        choice:  maybe good
      player:
        home: {is: bag of pawn, start: all}
    verb:
      main:
        do:
          - {move: horse, of: first(players), from: home, to: line}
          - {move: foot, of: last(players), from: home, to: line}
          - {add: last(players), to: friends}
          - {look: home}
          - {choose: wait, by: first(players)}
      look: {main: {spot: place of pawn}, do: []}
    decision: {wait: {options: {go: {limit: {game: 3}, do: []}}}}
    value:
"""
EXAMPLES = [
    ("sum(g.price[new] for g in ship)", 19),
    ("sum(g.price[a] for g in goods for a in ages if g is spice)", 12),
    ("count(g for g in ship)", 4),
    ("count(g is spice for g in ship)", 1),
    ("size(ship) - ship[salt] * 2 // 3 % 2", 3),
    ("-abs(0 - 3)", -3),
    ("clove in ship and not wool not in ship", True),
    ("pawns.horse in line or false", True),
    ("first(players) in friends", False),
    ("size(friends | set(p for p in players) & friends - friends)", 1),
    ("line[0].owner == first(players)", True),
    ("line[1].pawn == foot", True),
    ("line[7] == none", True),
    ("first(line).pawn == horse", True),
    ("choice is spice", False),
    ("choice in ship", False),
    ("next(ages.old) == new", True),
    ("next(ages.new) == none", True),
    ("len(seats_from(last(players)))", 2),
    ("first(seats_from(last(players))) == last(players)", True),
    ("last(ranked(g.price[old] for g in goods)) == salt", True),
    ("max(g.price[old] for g in goods if g.price[old] > 5) == none", True),
    ("all(g.copies > 0 for g in goods) and any(g.copies > 1 for g in goods)", True),
    ("index(goods, wool) + index(players, last(players))", 3),
    ("3 if ages.new > old else 4", 3),
    ("used(go, first(players))", 0),
]


@pytest.fixture(scope="module")
def game() -> Interpreter:
    return game_of(TEXT + "".join(f"      v{place}: {{is: '{text}'}}\n" for place, (text, _) in enumerate(EXAMPLES)))


@pytest.mark.parametrize(
    "place, result",
    [(place, result) for place, (_, result) in enumerate(EXAMPLES)],
    ids=[text for text, _ in EXAMPLES],
)
def test_an_expression_is_worth(game: Interpreter, place: int, result: object) -> None:
    assert Evaluator(game.tables, game.state).named_value(f"v{place}", ()) == result


def test_an_earlier_state_can_be_asked() -> None:
    game = game_of("""
        state: {table: {n: number 0..9}}
        value: {n_now: {is: n}}
        verb: {main: {do: [{choose: act, by: first(players)}]}}
        decision: {act: {options: {go: {do: [{add: 4, to: n}]}}}}
        """)
    before = game.plain()
    answer(game, "go")
    evaluator = Evaluator(game.tables, game.state, before)
    now = game.tables.rules.values["n_now"].formula
    assert evaluator.value(compare(">", now, builtin("before", NUMBER, now)), {}) is True


@pytest.mark.parametrize(
    "spot, bag, pieces",
    [
        (PlaceRef("player.home", (None,)), (1, 1), (0, 3)),
        (PlaceRef("player.home", (1,)), (0, 1), (3,)),
        (PlaceRef("table.line", ()), (1, 1), (1, 2)),
        (PlaceRef("table.line", (), 1), (1, 0), (2,)),
        (PlaceRef("table.line", (), 5), (0, 0), ()),
    ],
)
def test_a_place_is_read_in_the_form_that_is_asked_for(
    game: Interpreter, spot: PlaceRef, bag: tuple[int, ...], pieces: tuple[int, ...]
) -> None:
    evaluator, locals_ = Evaluator(game.tables, game.state), {"where": spot}
    assert evaluator.value(PlaceRead(Bag("pawn"), AT, "where"), locals_) == bag
    assert evaluator.value(PlaceRead(ListOf(Piece("pawn")), AT, "where"), locals_) == pieces


def test_a_part_of_a_place_may_be_read(game: Interpreter) -> None:
    evaluator = Evaluator(game.tables, game.state)
    read = PlaceRead(Bag("pawn"), AT, "where", Const(PLAYER, AT, 1))
    assert evaluator.value(read, {"where": PlaceRef("player.home", (None,))}) == (0, 1)
    assert evaluator.value(read, {"where": PlaceRef("table.line", ())}) == (1, 0)


def test_facts_depend_on_the_number_of_players() -> None:
    rules = rules_of("""
        kinds:
          coin:
            plural: coins
            attributes: {copies: number, double: number = 2 * self.copies}
            pieces: {count: copies}
        coin: {cent: {copies: 3 * len(players)}}
        state: {table: {bank: {is: bag of coin, start: all}}}
        verb: {main: {do: []}}
        """)
    for players in (2, 4):
        tables = tables_for(rules, players)
        assert tables.pieces["coin"] == (3 * players,)
        assert tables.attributes["coin.double"] == (6 * players,)
        assert starting_state(tables, 0).fields["table.bank"] == [(3 * players,)]


def test_actions_of_a_range_begin_with_its_low_end() -> None:
    game = game_of("""
        verb: {main: {do: [{choose: act, by: first(players)}]}}
        decision: {act: {options: {go: {for: {a: number -2..2, b: 3..4}, where: [a + b == 4], do: []}}}}
        """)
    assert answers(game) == ["go 0 4", "go 1 3"]
    space: ActionSpace = game.spaces["decision.act"]
    assert (space.size, space.passing) == (10, None)
    assert space.encode(0, (-2, 3)) == 0


def test_types_without_a_fixed_number_of_values_have_no_size() -> None:
    game = game_of("verb: {main: {do: []}}")
    assert game.tables.size_of(FLAG) == 2
    assert game.tables.size_of(Number(3, 5)) == 3
    with pytest.raises(ValueError, match="fixed number"):
        game.tables.size_of(Maybe(FLAG))
    assert kind_of(Bag("coin")) == "coin"
    with pytest.raises(ValueError, match="of no kind"):
        kind_of(FLAG)
