"""Several pieces chosen as one act: every choice in one way, nothing on the way, and never a dead end."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement, permutations
from random import Random

import pytest

import aodrules
from tests.engines.playing import answer, answers, asked, cells, entries, game_of, games_of, rules_of

GOODS = """
kinds: {good: {plural: goods, attributes: {worth: number}, pieces: {count: 2}}}
good: {cod: {worth: 1}, salt: {worth: 2}, wine: {worth: 3}}
state:
  table: {dock: {is: bag of good, start: all}, sold: bag of good, seen: number 0..99}
verb:
  main:
    do:
      - for: player
        in: first_one()
        do: [{choose_pieces: load, by: player, from: dock, to: sold, %s}]
value: {first_one: {is: "list(p for p in players if p == first(players))"}}
"""
HANDS = """
kinds: {card: {plural: cards, attributes: {strong: flag = false}, pieces: {count: 2}}}
card: {axe: {strong: true}, bow: {}, cat: {}}
state:
  table: {deck: {is: list of card, start: all, secret: content}}
  player: {hand: {is: list of card, secret: owner}, laid: {is: list of card up to 3, secret: owner}}
verb:
  main:
    do:
      - {draw: 6, from: deck, to: first(players).hand}
      - for: player
        in: first_one()
        do: [{choose_pieces: pick, by: player, from: player.hand, %s}]
value: {first_one: {is: "list(p for p in players if p == first(players))"}}
"""


def ways(rules: str) -> Counter[tuple[str, ...]]:
    """Return how often each series of answers is possible."""
    found: Counter[tuple[str, ...]] = Counter()
    open_: list[tuple[str, ...]] = [()]
    begin = games_of(rules)
    while open_:
        said = open_.pop()
        game = begin(1)
        for each in said:
            answer(game, each)
        if game.state.over:
            assert entries(game, "stuck", "bound", "cut") == []
            found[said] += 1
            continue
        open_ += [(*said, each) for each in answers(game)]
    return found


def chosen(found: Counter[tuple[str, ...]]) -> Counter[tuple[str, ...]]:
    return Counter(tuple(sorted(one.split()[1] for one in said if one != "done")) for said in found)


def sets_of(least: int, most: int) -> Counter[tuple[str, ...]]:
    found = (
        one
        for size in range(least, most + 1)
        for one in combinations_with_replacement(("0", "1", "2"), size)
        if max(Counter(one).values(), default=0) <= 2
    )
    return Counter(found)


@pytest.mark.parametrize(
    "said, least, most",
    [
        ("up_to: 0", 0, 6),
        ("at_least: 2", 2, 6),
        ("at_most: 2", 0, 2),
        ("at_least: 2, at_most: 4", 2, 4),
        ("at_least: 3, at_most: 3", 3, 3),
        ("at_least: 6", 6, 6),
    ],
)
def test_every_choice_is_made_in_one_way(said: str, least: int, most: int) -> None:
    rules = GOODS % said.replace("up_to: 0", "at_least: 0")
    assert chosen(ways(rules)) == sets_of(least, most)


def test_with_order_every_order_is_a_way() -> None:
    rules = GOODS % "at_least: 2, at_most: 2, in_order: true"
    pairs = set(permutations(("0", "0", "1", "1", "2", "2"), 2))
    assert {tuple(one.split()[1] for one in said if one != "done") for said in ways(rules)} == pairs


def test_only_pieces_that_fit_are_chosen_and_counted() -> None:
    rules = GOODS % "at_least: 2, where: [good.worth > 1]"
    expected = Counter(one for one in sets_of(2, 4).elements() if "0" not in one)
    assert chosen(ways(rules)) == expected


def test_nobody_is_asked_whether_they_are_done_when_nothing_more_can_be_taken() -> None:
    assert max(map(len, ways(GOODS % "at_least: 0"))) == 6
    assert set(map(len, ways(GOODS % "at_least: 2, at_most: 2"))) == {2}


def test_what_is_chosen_so_far_can_be_read_wherever_it_is_asked() -> None:
    # By the values and verbs that are read before the body of the choice.
    rules = """
game: {players: 2..4, seats: [ann, bob, cid, dan], play: main, points: {loaded: loaded(player)}}
""" + (GOODS % "at_most: 2")
    rules = rules.replace("value: {", 'value: {loaded: {given: {p: player}, is: "len(p.load)"}, ')
    rules = rules.replace("verb:\n", 'verb:\n  early: {do: [{add: "len(first(players).load)", to: seen}]}\n')
    game = game_of(rules)
    answer(game, "load 0")
    assert [game.points(seat) for seat in range(2)] == [(1,), (0,)]
    answer(game, "load 1")
    assert game.state.over
    assert [game.points(seat) for seat in range(2)] == [(0,), (0,)]


def test_the_kind_of_what_is_chosen_is_told_by_where_it_goes_too() -> None:
    # Two fields are called `shelf`, and one of them holds goods.
    rules = (GOODS % "at_most: 1").replace("from: dock", "from: 'player.shelf[cod]'")
    rules = rules.replace("kinds: {", "kinds: {book: {plural: books, pieces: {count: 1}}, ")
    rules = rules.replace("good: {cod", "book: {log: {}}\ngood: {cod", 1)
    rules = rules.replace("state:\n", "state:\n  player: {shelf: bag of good per good}\n  book: {shelf: bag of book}\n")
    rules = rules.replace("table: {", "table: {pile: {is: bag of book, start: all}, ")
    rules = rules.replace("value: {", 'value: {loaded: {given: {p: player}, is: "list(x.worth for x in p.load)"}, ')
    rules_of(rules)


def test_no_set_that_fits_is_stuck_or_otherwise() -> None:
    game = game_of(GOODS % "at_least: 7")
    assert game.state.over
    assert [each[0] for each in entries(game, "stuck", "bound")] == ["stuck"]
    game = game_of(GOODS % "at_least: 7, otherwise: [{add: 5, to: seen}]")
    assert game.state.over
    assert entries(game, "stuck", "bound") == []
    assert cells(game, "table.seen") == [5]
    game = game_of(GOODS % "at_least: 3, at_most: 2")
    assert game.state.over
    assert [each[0] for each in entries(game, "stuck", "bound")] == ["stuck"]


def test_nothing_happens_before_the_choice_is_complete() -> None:
    out = "out: {leaving: dock, do: [{set: seen, to: 10 * seen + size(dock) - 3}]}"
    into = "in: {entering: sold, do: [{set: seen, to: 10 * seen + size(sold)}]}"
    rules = (GOODS % "at_most: 3").replace("pieces: {count", f"effects: {{{out}, {into}}}, pieces: {{count")
    rules = rules.replace("99", "9999")
    game = game_of(rules)
    for said in ("load 0", "load 2"):
        answer(game, said)
        assert cells(game, "table.seen") == [0]
    answer(game, "done")
    # First all that left, then all that entered: with all of them gone.
    assert [each[4] for each in entries(game, "set") if each[1] == "table.seen"] == [1, 11, 112, 1122]


def test_pieces_with_owners_are_chosen_out_of_a_bag_and_a_list() -> None:
    rules = """
kinds: {worker: {plural: workers, pieces: {count: 2, owned: true}}}
worker: {sailor: {}, smith: {}}
state:
  table: {row: list of worker, camp: bag of worker per player}
  player: {home: {is: bag of worker, start: all}}
verb:
  main:
    do:
      - for: player
        in: players
        do:
          - {choose_pieces: crew, by: player, from: home, to: camp, at_least: 1, at_most: 2}
          - {move: all, of: player, from: home, to: row}
      - for: p
        in: players
        do: [{choose_pieces: guests, by: p, from: row, to: row, at_least: 1, at_most: 1, position: first}]
"""
    game = game_of(rules, players=2)
    for said in ("crew 0", "crew 1", "crew 0", "done"):
        answer(game, said)
    assert [len(one) for one in cells(game, "table.row")] == [5]
    assert len(answers(game)) == 4
    while not game.state.over:
        answer(game, answers(game)[0])
    assert entries(game, "stuck", "bound", "cut") == []


@pytest.mark.parametrize("where", ["to: player.laid", "to: deck, position: first, in_order: true"])
def test_others_learn_how_many_of_a_secret_hand_and_nothing_else(where: str) -> None:
    game = game_of(HANDS % f"{where}, hidden: true, at_most: 3, where: [card.strong]", players=2)
    assert asked(game) == ("verb.main.pick", 0)
    answer(game, "pick 0")
    answer(game, "pick 0")
    assert answers(game) == ["done"]  # that no third one fits is the player's secret
    answer(game, "done")
    assert game.state.over
    moves = [each for each in entries(game, "move") if each[5] in ("player.hand", "player.pick")]
    assert {each[9] for each in moves} == {1}


def test_a_full_place_takes_no_more_than_fits() -> None:
    game = game_of(HANDS % "to: player.laid, open: true", players=2)
    for _ in range(3):
        answer(game, answers(game)[-1])
    assert game.state.over
    assert entries(game, "cut", "stuck", "bound") == []


def test_a_bot_may_look_ahead_in_the_middle_of_a_secret_choice() -> None:
    chance = Random(1)
    game = aodrules.load("caravan+cards-put-back").new_game(players=2, seed=3)
    while sum(str(one).startswith("put_back") for one in game.actions) < 2:
        game.push(str(chance.choice(game.actions)))
    game.push(next(str(one) for one in game.actions if str(one).startswith("put_back")))
    for seat in ("amber", "jade"):
        assert "done" in map(str, game.sample(seat, 5).actions)
