"""Bots at the table: they play seats of any game, give hints, and know nothing that their seats do not know."""

from __future__ import annotations

import random
from functools import partial
from itertools import product
from pathlib import Path

import pytest

import aodrules
from aodrules import bots
from aodrules.game import Game
from tests.bots.test_secrets import WIDE
from tests.play import secret_games as small
from tests.play.worlds import another_world, middle, with_other_secrets
from tests.playing import random_game

EVERY = [
    *("nim", "harbour", "caravan", "isles", "empires"),
    *(pytest.param(base, marks=pytest.mark.slow) for base in ("aoe3-ru", "ages", "tempus")),
]
WITH_SECRETS = ("caravan", "isles", "sorts", "openly", "empires+secret-objectives")


@pytest.mark.parametrize("base", EVERY, ids=lambda base: Path(base).name)
def test_bots_of_every_level_answer_in_every_game(base: str | Path) -> None:
    rules = aodrules.load(base)
    game, chance = rules.new_game(seed=1), random.Random(1)
    for level in (*bots.LEVELS, *bots.LEVELS):
        for _ in range(7):
            if not game.over:
                game.push(chance.choice(game.codes))
        if game.decision is not None:
            before, seat = game.state.plain(), game.decision.player
            hint = bots.hint(game, seat, level, playouts=5)
            assert hint.seat == seat
            assert sorted(action.code for action in hint.actions) == sorted(game.codes)
            assert bots.choose(game, level, playouts=5) in game.actions
            assert game.state.plain() == before


def test_bots_play_their_seats_until_somebody_else_is_asked() -> None:
    game, told = aodrules.load("harbour").new_game(players=3, seed=5), list[aodrules.Action]()
    while not game.over:
        if asked(game) == "red":
            game.push(game.actions[0])
        told += bots.play(game, {"blue": "casual", "green": "beginner"})
        assert game.decision is None or asked(game) == "red"
    assert {action.text for action in told} <= {played.text for played in game.view("blue").played}
    assert bots.play(game, {"blue": "casual"}) == ()


def test_bots_alone_play_to_the_end() -> None:
    game = aodrules.load("isles").new_game(players=2, seed=5)
    answers = bots.play(game, dict.fromkeys(game.players, "casual"))
    assert game.over
    assert game.answered == len(answers)


@pytest.mark.parametrize("level", bots.LEVELS)
def test_the_same_game_bot_playouts_and_seed_give_the_same_answer(level: str) -> None:
    game = random_game("isles", 1, 7)
    assert game.decision is not None
    seat = game.decision.player
    assert bots.choose(game, level, playouts=30, seed=4) == bots.choose(game.copy(), level, playouts=30, seed=4)
    assert bots.hint(game, seat, level, playouts=30) == bots.hint(game.copy(), seat, level, playouts=30)


def test_a_bot_at_random_does_not_take_the_same_place_in_every_list() -> None:
    game, places = aodrules.load("isles").new_game(players=2, seed=3), set()
    for _ in range(8):
        action = bots.choose(game, "beginner")
        places.add(round(game.actions.index(action) / len(game.actions), 1))
        game.push(action)
    assert len(places) > 3


def asked(game: Game) -> str:
    assert game.decision is not None
    return game.decision.player


def in_a_world(game: Game, seat: int, seed: int) -> Game:
    """Return a game with the same past that is in another position, which the seat cannot tell from the true one."""
    other = game.copy()
    other._machine = another_world(game, seat, seed)
    other.codes = other._machine.codes
    return other


@pytest.mark.parametrize("word", WITH_SECRETS)
def test_worlds_that_differ_only_in_secrets_get_the_same_answers(word: str) -> None:
    pairs = 0
    for seed, decisions in product(range(2), (2, 5, 9)):
        game = middle(word, seed, decisions)
        if game.decision is None or len(game.codes) == 1:
            continue
        player = game.decision.player
        seat = game.players.index(player)
        answers = random.Random(1000 + seed)
        worlds = [in_a_world(game, seat, 1), in_a_world(game, seat, 2), with_other_secrets(game, seat, answers)[0]]
        for level in bots.LEVELS:
            answer = partial(bots.choose, bot=level, playouts=8, seed=seed)
            advice = partial(bots.hint, seat=player, bot=level, playouts=8, seed=seed)
            for other in (each for each in worlds if each is not None):
                pairs += other.state.plain() != game.state.plain()
                assert answer(other) == answer(game)
                assert advice(other) == advice(game)
    assert pairs > 0


def hints_for_numbers() -> list[str]:
    """Return what somebody is told who must guess a number, for each number that it may be."""
    games = [small.rules_of(small.GUESS).new_game(players=2, seed=1) for _ in range(4)]
    for number, game in enumerate(games):
        game.push(f"hide {number}")
    return [bots.hint(game, "bob", "casual").action.text for game in games]


def test_a_hint_does_not_know_what_would_win() -> None:
    assert len(set(hints_for_numbers())) == 1


def test_a_hint_that_looked_at_the_true_game_would_know_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above would notice."""
    monkeypatch.setattr("aodrules.play.beliefs.Dealer.deal", lambda dealer, _seed: dealer._machine.copy())
    assert len(set(hints_for_numbers())) == 4


class MemoryBot:
    """Plays the first action, and remembers how often it was asked."""

    asked = 0

    def choose(self, turn: bots.Turn) -> int:
        self.asked += 1
        assert turn.actions[0].code == turn.codes[0]
        return turn.codes[0]


def test_a_bot_of_ones_own_plays_and_may_remember() -> None:
    game, mine = aodrules.load("nim").new_game(seed=1), MemoryBot()
    first = game.actions[0]
    assert bots.choose(game, mine) == first
    bots.play(game, {"first": mine, "second": "casual"})
    assert mine.asked > 2


class CheatingBot:
    def choose(self, turn: bots.Turn) -> int:
        return -1


def test_what_is_no_bot_no_seat_and_no_budget_is_told() -> None:
    game = aodrules.load("nim").new_game(seed=1)
    for call, said in (
        (lambda: bots.choose(game, "clever"), "there is no bot `clever`; there are `beginner`"),
        (lambda: bots.choose(game, "os.abort"), "`os.abort` is a class of your own: make a bot of it"),
        (lambda: bots.hint(game, "first", "os.abort"), "there is no bot `os.abort`"),
        (lambda: bots.choose(game, 3), "there is no bot `int`: it has no method `choose`"),  # type: ignore[arg-type]
        (lambda: bots.choose(game, CheatingBot), "it has no method `choose`"),  # type: ignore[arg-type]
        (lambda: bots.choose(game, ms=0), "the time in ms is a whole number from 1 to"),
        (lambda: bots.choose(game, playouts=0), "the number of playouts is a whole number from 1 to"),
        (lambda: bots.play(game, {"third": "casual"}), "there is no seat `third`; seated are first, second"),
        (lambda: bots.hint(game, "second"), "for the seat that is asked, which is `first`, not `second`"),
    ):
        with pytest.raises(aodrules.ArgumentError, match=said):
            call()
    with pytest.raises(bots.BotError, match="the bot `CheatingBot` chose -1, which is none of the legal codes"):
        bots.choose(game, CheatingBot())
    with pytest.raises(TypeError, match="the game is a `Game`, not `nim`"):
        bots.choose("nim")  # type: ignore[arg-type]
    bots.play(game, dict.fromkeys(game.players, "beginner"))
    with pytest.raises(aodrules.ArgumentError, match="the game is over: nobody is asked"):
        bots.choose(game)


def test_a_hint_is_told_only_where_it_can_be_fair() -> None:
    game = small.rules_of(WIDE).new_game(players=2, seed=1)
    game.push("hide 2")
    with pytest.raises(aodrules.SampleError):
        bots.hint(game, "bob")
    assert bots.choose(game, "strong") in game.actions


def test_a_hint_is_sent_as_json() -> None:
    game = aodrules.load("nim").new_game(seed=1)
    hint = bots.hint(game, "first", playouts=5)
    assert aodrules.from_json(aodrules.to_json(hint), bots.Hint) == hint


def test_bots_are_reached_from_the_package() -> None:
    assert aodrules.bots is bots
    assert {"bots", "svg"} <= set(dir(aodrules))
