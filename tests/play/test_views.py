"""Views: what a seat and a spectator see, as plain data, and how little work it is."""

from __future__ import annotations

import json
import random
import sys
from typing import Any

import pytest

import aodrules
from aodrules.compiler.runtime.compiled import Compiled
from aodrules.game import Game
from aodrules.play.ids import SPECTATOR, IdTable
from tests.content.compositions import rules_of as shipped_rules
from tests.play import secret_games as small
from tests.play.dealing import played
from tests.play.worlds import ALL, ON_A_MAP, another_world, middle
from tests.playing import random_game

SAMPLE = ("caravan", "harbour", "sorts", "openly", "told", "empires+secret-objectives")
"""Of all rules with secrets, those that `make test` looks at."""
words = [pytest.param(word, marks=() if word in SAMPLE else pytest.mark.slow) for word in [*ALL, ON_A_MAP]]


def is_hidden(part: Any) -> bool:
    return isinstance(part, dict) and isinstance(part.get("hidden"), str)


def shows_no_more(less: Any, more: Any) -> bool:
    """Whether whatever stands in one view stands in the other too, or is hidden in the first."""
    if is_hidden(less) or less == more:
        return True
    if isinstance(less, dict) and isinstance(more, dict):
        return less.keys() <= more.keys() and all(shows_no_more(less[name], more[name]) for name in less)
    is_list = isinstance(less, list) and isinstance(more, list) and len(less) == len(more)
    return is_list and all(map(shows_no_more, less, more))


def test_the_comparison_of_views_can_fail() -> None:
    hidden = {"hidden": "card", "count": 1, "shows": {}}
    assert shows_no_more({"hand": [hidden, "x"]}, {"hand": ["x", "x"]})
    assert not shows_no_more({"hand": ["x"]}, {"hand": [hidden]})
    assert not shows_no_more({"hand": 3}, {"hand": 4})


@pytest.mark.parametrize("word", words)
def test_a_spectator_is_shown_no_more_than_every_seat(word: str) -> None:
    for decisions in (0, 7, 30):
        game = middle(word, decisions, decisions)
        spectator = game.view(None)
        assert spectator.seat is None
        assert spectator.actions == ()
        for seat in game.players:
            view = game.view(seat)
            assert shows_no_more(spectator.plain(), view.plain())
            told = [event for event in spectator.events if "hidden" not in str(event)]
            assert [event for event in told if event not in view.events] == []


@pytest.mark.parametrize("word", words)
def test_what_a_seat_cannot_tell_apart_it_is_sent_alike(word: str) -> None:
    compared = 0
    for decisions in (2, 21):  # the shortest of these games is over after three
        game = middle(word, 1, decisions)
        for seat in () if game.over else range(len(game.players)):
            other = Game(game.book, game._seating, another_world(game, seat, 7))
            name = game.players[seat]
            assert json.dumps(game.view(name).plain()) == json.dumps(other.view(name).plain())
            assert game.view(None).plain() == other.view(None).plain()
            compared += 1
    assert compared


def test_a_spectator_sees_what_everybody_was_told() -> None:
    game = played(small.PLAYED_OPENLY, "fill 4", "fill 2")
    view = game.view(None)
    assert view["players.ann.purse"] == aodrules.Hidden("number 0..5")
    assert [each.text for each in view.played] == ["fill", "fill"]
    assert view["players.ann.won"] == 0
    assert view.inside("players.ann.hand").total() == 0
    game.push("boast 1")
    assert game.view(None).played[-1].text == "boast 1"


def test_who_plays_alone_is_not_everybody() -> None:
    names = small.rules_of(small.STACK).new_game(players=2, seed=1)._names
    assert names.is_among(0b11, SPECTATOR)
    assert not names.is_among(0b01, SPECTATOR)
    assert names.is_among(-1, SPECTATOR)
    alone = IdTable(names.tables, names.seats[:1])
    assert not alone.is_among(0b11, SPECTATOR)


@pytest.mark.parametrize(
    "path, plain",
    [
        ("bid", {"hidden": "number 0..9", "count": 1, "shows": {}}),
        ("ready", {"hidden": "flag", "count": 1, "shows": {}}),
        ("aim", {"hidden": "maybe ware", "count": 1, "shows": {}}),
        ("goods", {"hidden": "set of ware", "count": 1, "shows": {}}),
    ],
)
def test_what_is_hidden_keeps_its_type(path: str, plain: Any) -> None:
    game = small.rules_of(small.SORTS).new_game(players=2, seed=1)
    assert game.view("ann").plain()["players"]["bob"][path] == plain
    assert game.view("bob").plain()["players"]["bob"][path] == game.state.plain()["players"]["bob"][path]
    eyed = game.view("ann").plain()["players"]["bob"]["eyed"]
    assert set(eyed) == {"ann", "bob"}
    assert is_hidden(eyed["ann"])


def test_hidden_pieces_are_a_list_and_a_hidden_bag_is_an_object() -> None:
    crates = random_game("harbour", 0, 0).view("red").plain()["hold"]
    assert {json.dumps(each) for each in crates} == {
        f'{{"hidden": "crate", "count": 1, "shows": {{"ship": "{ship}"}}}}' for ship in ("dhow", "frigate")
    }
    pool = shipped_rules("empires").new_game(players=2, seed=1).view("blue").plain()["goods_pool"]
    assert pool["hidden"].startswith("bag of ")
    assert pool["count"] == sum(each["count"] for each in pool["backs"]) > 0


def test_a_view_stays_as_it_is_when_the_game_goes_on() -> None:
    game, twin = (random_game("caravan", 4, 12) for _ in range(2))
    seat = game.players[0]
    view, plain = game.view(seat), twin.view(seat).plain()
    game.push(game.codes[0])
    game.push(game.codes[0])
    assert view.plain() == plain
    assert view.events == twin.view(seat).events
    assert view.played == twin.view(seat).played
    assert [len(game.view(seat).played), len(view.played), len(game.view(seat).played)] == [14, 12, 14]


def test_played_actions_are_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[object] = []
    original = Game._told_to

    def count(self: Game, *given: Any) -> aodrules.Played:
        told.append(given)
        return original(self, *given)

    monkeypatch.setattr(Game, "_told_to", count)
    game = random_game("harbour", 1, 20)
    seat = game.players[0]
    view = game.view(seat)
    assert told == [], "nobody has read it"
    assert len(view.played) == len(told) == 20
    game.push(game.codes[0])
    assert len(game.view(seat).played) == len(told) == 21
    game.pop()
    game.pop()
    game.push(game.codes[-1])
    assert game.view(seat).played == random_game_like(game).view(seat).played


def random_game_like(game: Game) -> Game:
    """Return a game that came to the same position anew."""
    return aodrules.replay(game.record(), rules=aodrules.Rules(game.book))


def test_a_view_as_plain_data_takes_few_calls() -> None:
    """About six for a cell, seven times fewer than without: what is to be read where was worked out before."""
    game = shipped_rules("empires").new_game(players=4, seed=1)
    chance = random.Random(1)
    for _ in range(150):
        game.push(chance.choice(game.codes))
    seat = game.players[0]
    game.view(seat).plain()
    assert isinstance(game.machine, Compiled)
    cells = sum(shape.cells for shape in game.tables.shapes.values())
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        game.view(seat).plain()
    finally:
        sys.setprofile(None)
    assert cells < calls < 7 * cells, (calls, cells)
