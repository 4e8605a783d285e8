"""In two worlds that differ only in what a seat may not know, the seat is told the same, whatever it asks for."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

import aodrules
from aodrules.compiler.runtime.compiled import Compiled
from aodrules.game import Game
from tests.every_ruleset import EVERY, has_secrets, marked, rules_of
from tests.play.all_told import all_told, machine_of
from tests.play.worlds import another_world, public_answers, shows_something
from tests.playing import staying

LARGE = {"tempus": ((3, 60, 2),), "ages": ((3, 60, 2),)}
"""Looked at in a few positions of one game; their variants are in as many as all others."""
SAMPLE = ("caravan", "sorts", "auction", "openly", "told", "under way", "valued", "empires+secret-objectives", *LARGE)
"""What `make test` looks at; of the rest `make soak` does."""
words = marked(SAMPLE)
pytestmark = pytest.mark.slow


def twins(game: Game, seat: int, seed: int) -> tuple[Game, Game]:
    """Return two games that begin here, in the true position and in another that the seat could believe in."""
    truth = machine_of(game)
    # What happened before is left out of both: a position dealt anew has no past.
    worlds = (Compiled(truth.program, truth.cells[:]), another_world(game, seat, seed))
    one, other = (Game(game.book, game._seating, each) for each in worlds)
    return one, other


def pushed_alike(one: Game, other: Game, seat: int, chance: random.Random) -> bool:
    """Answer alike in both, as far as the seat hears; return whether that was possible."""
    mine, theirs = (dict[str, list[int]](), dict[str, list[int]]())
    for game, found in ((one, mine), (other, theirs)):
        for text, code in public_answers(game, machine_of(game), seat):
            found.setdefault(text, []).append(code)
    both = sorted(mine.keys() & theirs.keys())
    if not both:
        return False
    leaving = {str(action) for action in one.leaving(one.decision.player)} if one.decision else set[str]()
    text = chance.choice([each for each in both if each not in leaving] or both)
    one.push(chance.choice(mine[text]))
    other.push(chance.choice(theirs[text]))
    return True


def games_alike(word: str, seed: int, decisions: int, steps: int) -> Iterator[tuple[Game, Game, str]]:
    """Iterate over pairs of games that a seat cannot tell apart by what it sees, each with that seat."""
    rules = rules_of(word)
    low, high = rules.players
    start = rules.new_game(players=min(high, low + seed % 2), seed=seed)
    chance = random.Random(seed)
    for _ in range(decisions):
        if not start.over:
            start.push(chance.choice(staying(start)))
    for number, seat in enumerate(start.players) if not start.over else ():
        one, other = twins(start, number, seed)
        yield one, other, seat
        for _ in range(steps):
            if one.over or not pushed_alike(one, other, number, chance):
                break
            is_told = any(shows_something(start, machine_of(game), number) for game in (one, other))
            if is_told and _seen(one, seat) != _seen(other, seat):
                break  # now they are told apart, as they may
            yield one, other, seat


def _seen(game: Game, seat: str) -> tuple[Any, ...]:
    view = game.view(seat)
    return view.plain(), view.events, view.actions, view.decision


def difference(one: list[Any], other: list[Any]) -> Any:
    """Return the first thing that is told otherwise."""
    return next(((mine, theirs) for mine, theirs in zip(one, other, strict=False) if mine != theirs), None)


@pytest.mark.parametrize("word", words)
def test_whatever_a_seat_asks_it_is_told_the_same(word: str) -> None:
    if not has_secrets(word):
        pytest.skip("nothing in it is hidden")
    compared = apart = 0
    for seed, decisions, steps in LARGE.get(word, ((1, 0, 9), (2, 7, 3), (3, 23, 3))):
        for number, (one, other, seat) in enumerate(games_alike(word, seed, decisions, steps)):
            if number % 3:
                continue
            _compare(one, other, seat)
            apart += machine_of(one).cells != machine_of(other).cells
            compared += 1
    assert compared > 2
    assert apart > 0


@pytest.mark.parametrize("word", marked(("caravan", "sorts", "openly")))
def test_so_it_is_after_going_back(word: str) -> None:
    if not has_secrets(word):
        pytest.skip("nothing in it is hidden")
    compared = 0
    for one, other, seat in games_alike(word, 4, 24 if word.split("+", maxsplit=1)[0] in LARGE else 0, 8):
        if len(one._answers) % 4 == 3:
            pair = one.copy(), other.copy()
            for game in pair:
                game.undo(game.players[game._played_actions(game._last)[-1][0]], game.players)
            _compare(*pair, seat)
            for game in pair:
                game.redo()
            _compare(*pair, seat)
            compared += 1
    assert compared


def _compare(one: Game, other: Game, seat: str) -> None:
    """A seat is told the same, and so are spectators, who know no more than any seat."""
    for who in (seat, None):
        told, same = all_told(one, who), all_told(other, who)
        wrong = {name: difference(told[name], same[name]) for name in told if told[name] != same[name]}
        assert wrong == {}, (who, one._answers)


def test_all_rules_are_looked_at() -> None:
    shipped = aodrules.catalogue()
    assert {edition.id for game in shipped.values() for edition in game.editions} <= {*EVERY, "grand", "pocket"}
    assert {id_ for id_, game in shipped.items() if not game.editions} <= set(EVERY)
    assert {"harbour", "harbour+grand", "harbour+pocket", "tempus+metropolis", "ages+secret-scoring"} <= set(EVERY)
    assert [word for word in ("nim", "caravan", "isles") if has_secrets(word)] == ["caravan", "isles"]
