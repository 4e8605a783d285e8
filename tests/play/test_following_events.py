"""A seat's events, upon its first view, give its later views; so does its log, after going back and forth too."""

from __future__ import annotations

import random
from typing import Any

import pytest
from attrs import define, field
from hypothesis import given
from hypothesis import strategies as st

import aodrules
from aodrules.game import Game
from tests.every_ruleset import marked, rules_of
from tests.play.following_events import Follower
from tests.playing import fewer, staying

SAMPLE = ("nim", "caravan", "harbour", "isles+first-peoples", "sorts", "told", "openly")
"""What `make test` looks at; of the rest `make soak` does."""
LARGE = ("tempus", "ages")
"""Looked at too, in fewer answers; their variants in as many as all others."""


@define(eq=False)
class Screen:
    """What somebody was sent: a view at first, and the events of each answer since; those taken back are forgotten."""

    seat: str | None
    first: dict[str, Any]
    sent: list[Any] = field(factory=list)

    def differences(self, game: Game) -> list[Any]:
        """Return where the state that follows is not what the seat is shown."""
        return _followed(game, self.first, (event for events in self.sent for event in events), self.seat)


def _followed(game: Game, first: dict[str, Any], events: Any, seat: str | None) -> list[Any]:
    follower = Follower(game.rules, first)
    for event in events:
        follower.follow(event)
    return follower.differences(game.view(seat).plain())


def new_game(word: str, seed: int) -> tuple[Game, list[Screen]]:
    """Begin a game that every seat and somebody without one follow."""
    low, high = rules_of(word).players
    game = rules_of(word).new_game(players=low + seed % (high - low + 1), seed=seed)
    return game, [Screen(seat, game.view(seat).plain()) for seat in (*game.players, None)]


def push(game: Game, screens: list[Screen], code: int) -> None:
    """Answer, and send everybody the events."""
    game.push(code)
    for screen in screens:
        screen.sent.append(aodrules.to_plain(game.view(screen.seat).events))


def go(game: Game, screens: list[Screen], number: int) -> None:
    """Go back, or on through what was taken back; who follows forgets, or is sent what is in the log."""
    before = game.answered
    game.goto(number)
    for screen in screens:
        del screen.sent[number:]
        if number < before:
            continue
        turns = [turn for group in game.log(screen.seat, before, noise=True) for turn in group.turns]
        for answer in range(before, number):
            found = [event for turn in turns if turn.number == answer + 1 for event in turn.events]
            screen.sent.append(aodrules.to_plain(found))


def walk(game: Game, screens: list[Screen], chance: random.Random) -> None:
    """Do something at random: answer, go back, or go on again."""
    what = chance.randrange(12)
    if what == 0 and game.answered:
        go(game, screens, chance.randrange(max(0, game.answered - 20), game.answered))
    elif what == 1 and game._ahead is not None and game._ahead.last is game._last and game._ahead.codes:
        go(game, screens, game.answered + 1)
    elif not game.over:
        push(game, screens, chance.choice(staying(game)))


def check(game: Game, screens: list[Screen]) -> None:
    for screen in screens:
        assert screen.differences(game) == [], (screen.seat, game.record())
        groups = game.log(screen.seat, 0, noise=True)
        logged = [aodrules.to_plain(event) for group in groups for turn in group.turns for event in turn.events]
        assert _followed(game, screen.first, logged, screen.seat) == [], (screen.seat, game.record())


@pytest.mark.parametrize("word", marked((*SAMPLE, *LARGE)))
def test_events_and_the_log_lead_from_the_first_view_to_later_ones(word: str) -> None:
    game, screens = new_game(word, 1)
    chance = random.Random(word)
    for number in range(400 if word not in LARGE else 150):
        walk(game, screens, chance)
        if number % 7 == 0 or game.over:
            check(game, screens)
        if game.over:
            break
    assert game.answered > 1


@fewer
@given(st.sampled_from(SAMPLE), st.integers(0, 100), st.integers(1, 60))
def test_so_they_do_in_random_games(word: str, seed: int, steps: int) -> None:
    game, screens = new_game(word, seed)
    chance = random.Random(seed)
    for _ in range(steps):
        walk(game, screens, chance)
    check(game, screens)


def test_an_event_that_is_not_sent_is_missed() -> None:
    """The comparison can fail: without the last move the state is another, and so it is without the last change."""
    for word in SAMPLE:
        game, screens = new_game(word, 2)
        for _ in range(12):
            if not game.over:
                push(game, screens, game.codes[-1])
        missed = 0
        for screen in screens:
            events = [event for answer in screen.sent for event in answer]
            for kind in ("move", "set"):
                last = max((place for place, event in enumerate(events) if event["kind"] == kind), default=None)
                if last is not None and not _is_taken_back(events[last]):
                    rest = events[:last] + events[last + 1 :]
                    assert _followed(game, screen.first, rest, screen.seat) != [], (screen.seat, events[last])
                    missed += 1
        assert missed, word


def _is_taken_back(event: dict[str, Any]) -> bool:
    """Whether something moved to where it was, or became what it was."""
    return bool(event["source"] == event["target"] if event["kind"] == "move" else event["old"] == event["new"])
