"""Undo, redo and going to any answer: where one comes to, who must agree, and that it tells no secrets."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import aodrules
from aodrules.game import Game
from tests.play import secret_games as small
from tests.play.worlds import TEXTS
from tests.playing import fewer, random_game, rules_of

positions = st.tuples(
    st.sampled_from(["nim.yaml", "harbour", "caravan", "isles"]), st.integers(0, 30), st.integers(1, 80)
)


def snapshot(game: Game) -> tuple[Any, ...]:
    """Return all that a game shows."""
    return game.record(), game.machine.plain(), game.codes, game.events, game.decision, game.machine.under_way


@given(positions, st.data())
def test_going_to_an_answer_is_playing_so_many(position: tuple[str, int, int], data: st.DataObject) -> None:
    game = random_game(*position)
    given = game._answers
    for _ in range(4):
        number = data.draw(st.integers(0, len(given)))
        game.goto(number)
        fresh = rules_of(position[0]).new_game(players=game.players, seed=game.seed)
        for code in given[:number]:
            fresh.push(code)
        assert snapshot(game) == snapshot(fresh)


@fewer
@given(st.sampled_from(["harbour", "caravan"]), st.integers(0, 20), st.integers(1, 12), st.data())
def test_it_is_so_on_the_interpreter(word: str, seed: int, actions: int, data: st.DataObject) -> None:
    game = random_game(word, seed, actions, "interpreter")
    before = snapshot(game)
    number = data.draw(st.integers(0, len(game._answers)))
    game.goto(number)
    assert len(game._answers) == number
    if number < actions:
        game.redo()
    assert snapshot(game) == before


@given(positions)
def test_redo_after_undo_gives_the_same_game(position: tuple[str, int, int]) -> None:
    game = random_game(*position)
    before, undone = snapshot(game), 0
    places = [len(game._answers)]
    while undone < 3 and (seat := last_player(game)) is not None:
        needs = game.undo_needs(seat)
        assert needs is not None
        taken = game.undo(seat, game.players)
        assert len(taken) == needs.answers == places[-1] - needs.to
        assert len(game._answers) == needs.to
        places.append(needs.to)
        undone += 1
    for place in reversed(places[:-1]):
        game.redo()
        assert len(game._answers) == place
    assert snapshot(game) == before
    with pytest.raises(aodrules.UndoError, match="nothing to give again"):
        game.redo()


def last_player(game: Game) -> str | None:
    played = game._played_actions(game._last)
    return game.players[played[-1][0]] if played else None


@given(positions)
def test_a_turn_begins_where_another_seat_answered_before(position: tuple[str, int, int]) -> None:
    game = random_game(*position)
    players = [seat for seat, _ in game._played_actions(game._last)]
    for number, seat in enumerate(game.players):
        needs = game.undo_needs(seat)
        if needs is None:
            assert number not in players
            continue
        assert players[needs.to] == number
        assert needs.to == 0 or players[needs.to - 1] != number
        assert number not in players[needs.to + 1 :] or players[needs.to + 1] == number
        assert needs.answers == len(players) - needs.to


MOVES = """
kinds: {ware: {plural: wares}}
ware: {silk: {}, salt: {}}
state:
  table: {bag: number 0..9}
  player:
    won: number 0..99
    seen: {is: number 0..9, secret: owner}
verb:
  main:
    do:
      - {choose: act, by: first(players)}
      - {choose: act, by: first(players)}
      - {choose: act, by: last(players)}
      - {choose: act, by: first(players)}
decision:
  act:
    options:
      wait: {do: []}
      dice: {do: [{roll: "range(0, 4)", as: face}, {set: bag, to: face}]}
      hide: {hidden: true, for: {n: 0..3}, do: [{set: player.seen, to: n}]}
      show: {do: [{let: shown, be: player.seen}, {reveal: shown, to: all}]}
      boast: {open: true, for: {n: 0..3}, where: [n <= player.seen], do: []}
"""


def moves(*actions: str) -> Game:
    game = small.rules_of(MOVES).new_game(players=2, seed=0)
    for action in actions:
        game.push(action)
    return game


@pytest.mark.parametrize(
    "actions, seat, answers, agree",
    [
        (("wait",), "ann", 1, {}),
        (("hide 2",), "ann", 1, {}),
        (("wait", "wait"), "ann", 2, {"bob": ("asked",)}),
        (("wait", "wait", "wait"), "ann", 3, {"bob": ("answered",)}),
        (("wait", "wait", "wait"), "bob", 1, {"ann": ("asked",)}),
        (("dice",), "ann", 1, {"bob": ("chance",)}),
        (("hide 1", "show"), "ann", 2, {"bob": ("asked", "learned")}),
        (("hide 1", "boast 1"), "ann", 2, {"bob": ("asked", "learned")}),
        (("dice", "show", "wait"), "ann", 3, {"bob": ("answered", "learned", "chance")}),
        (("dice", "show", "wait"), "bob", 1, {"ann": ("asked",)}),
        (("wait", "wait", "wait", "wait"), "ann", 1, {}),
    ],
)
def test_who_must_agree(actions: tuple[str, ...], seat: str, answers: int, agree: dict[str, tuple[str, ...]]) -> None:
    game = moves(*actions)
    needs = game.undo_needs(seat)
    assert needs is not None
    assert (needs.answers, needs.agree, needs.free) == (answers, agree, not agree)
    if agree:
        with pytest.raises(aodrules.UndoError, match="must agree"):
            game.undo(seat)
        assert len(game._answers) == len(actions)
    game.undo(seat, agree)
    assert len(game._answers) == len(actions) - answers


def test_a_draw_out_of_an_open_bag_is_chance() -> None:
    drawn = (
        small.CARDS
        + """
state: {table: {bag: {is: bag of card, start: all}, row: list of card}, player: {won: number 0..9}}
verb: {main: {do: [{choose: pull, by: first(players)}, {choose: pull, by: first(players)}]}}
decision: {pull: {options: {pull: {do: [{draw: 1, from: bag, to: row}]}}}}
"""
    )
    game = small.rules_of(drawn).new_game(players=2, seed=0)
    game.push("pull")
    needs = game.undo_needs("ann")
    assert needs is not None
    assert needs.agree == {"bob": ("chance",)}


def test_what_it_needs_is_told_in_words() -> None:
    game = moves("dice", "show", "wait")
    needs = game.undo_needs("ann")
    assert needs is not None
    assert str(needs) == (
        "bob must agree; bob answered since; something came to light that nobody can unlearn; "
        "chance decided, and would decide alike again"
    )
    assert needs.text("pl").startswith("bob: potrzebna zgoda; bob: już odpowiedziano")
    assert [event.kind for event in needs.told] == ["roll"]
    assert str(moves("wait").undo_needs("ann")) == "nobody has to agree"


def test_who_must_agree_is_told_by_the_names_of_seats() -> None:
    game = aodrules.load("empires").new_game(players=["red", "blue", "yellow"], seed=2)
    assert game.decision is not None
    first = game.decision.player
    game.push(game.actions[0])
    needs = game.undo_needs(first)
    assert needs is not None
    second = game.rules.text(f"player.{game.decision.player}", "pl")
    assert needs.text("pl") == f"{second}: potrzebna zgoda; {second}: trwa decyzja"
    read = aodrules.from_json(aodrules.to_json(needs), aodrules.UndoNeeds)
    assert read.text("pl") == needs.text("pl").replace(second, game.decision.player)


def test_who_has_not_answered_has_nothing_to_take_back() -> None:
    game = moves("wait")
    assert game.undo_needs("bob") is None
    with pytest.raises(aodrules.UndoError, match="`bob` has not answered"):
        game.undo("bob", ["ann"])
    with pytest.raises(aodrules.ArgumentError, match="has no seat here"):
        game.undo("ann", "dora")


def test_another_answer_forgets_what_was_taken_back() -> None:
    game = moves("wait", "wait", "wait")
    game.goto(1)
    game.push("dice")
    with pytest.raises(aodrules.UndoError):
        game.redo()
    with pytest.raises(aodrules.ArgumentError, match="a whole number from 0 to 2"):
        game.goto(3)
    game.goto(0)
    game.redo()
    assert [str(action) for _, action in game._played_actions(game._last)] == ["wait", "dice"]


def test_taking_back_by_hand_forgets_it_too() -> None:
    game = moves("wait", "wait", "wait")
    game.goto(2)
    game.pop()
    with pytest.raises(aodrules.UndoError):
        game.redo()


def test_a_copy_goes_its_own_way() -> None:
    game = moves("wait", "wait", "wait")
    game.goto(1)
    other = game.copy()
    other.redo()
    assert (len(game._answers), len(other._answers)) == (1, 3)
    game.goto(2)
    assert len(other._answers) == 3


def test_without_undo_nothing_goes_back() -> None:
    game = rules_of("harbour").new_game(players=2, seed=1, undo=False)
    game.push(game.codes[0])
    for go in (lambda: game.goto(0), lambda: game.undo(game.players[0]), lambda: game.undo_needs(game.players[0])):
        with pytest.raises(aodrules.UndoError, match="undo=False"):
            go()


def _seen(game: Game, seat: str) -> tuple[Any, ...]:
    view = game.view(seat)
    return view.plain(), view.decision, view.actions, view.events, view.played


@pytest.mark.parametrize("word", [*TEXTS, "moves"])
def test_what_it_needs_is_equal_in_worlds_that_a_seat_cannot_tell_apart(word: str) -> None:
    rules, compared, apart = small.rules_of(TEXTS.get(word, MOVES)), 0, 0
    for seed in range(60):
        chance = random.Random(seed)
        one, other = (rules.new_game(players=2, seed=seed) for _ in range(2))
        seat = one.players[seed % 2]
        while not one.over:
            action = chance.choice(one.actions)
            alike = [
                each
                for each in other.actions
                if each == action or (action.hidden and each.address == action.address and not is_own(one, seat))
            ]
            if not alike:
                break
            one.push(action)
            other.push(chance.choice(alike))
            if _seen(one, seat) != _seen(other, seat):
                break
            needs, same = one.undo_needs(seat), other.undo_needs(seat)
            assert needs == same
            compared += needs is not None
            apart += one._answers != other._answers
    assert compared > 10
    assert apart > 10


def is_own(game: Game, seat: str) -> bool:
    assert game.decision is not None
    return game.decision.player == seat
