"""Whoever is refused a hex is told why: by a clause, and not by the name of a condition."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from aodrules.game import Game
from aodrules.play.reason import Reason
from tests.content.tempus.playing import PLAYERS, eagerly, rules_of

ON_THE_MAP = {"lay", "settle", "march", "bear", "fight", "build"}
"""The answers that name hexes; those that cards offer are refused to who has no such card."""
SAMPLE = 12
"""How many refused answers of each sort are looked at in a position."""


def refused(game: Game, chance: random.Random) -> Iterator[tuple[str, str, tuple[Reason, ...]]]:
    """Iterate over some refused answers to what is asked: of which sort, which, and why."""
    assert game.decision is not None
    legal, space = set(game.codes), game._action_table.spaces[game.decision.address]
    for choice in space.choices:
        if choice.id in ON_THE_MAP:
            codes = [code for code in range(choice.offset, choice.offset + choice.codes) if code not in legal]
            for code in chance.sample(codes, min(SAMPLE, len(codes))):
                action = game._action_table.action(game.decision.address, code)
                yield choice.id, str(action), game.why_not(action)


def positions(players: int, seed: int, every: int) -> Iterator[Game]:
    game, chance = rules_of().new_game(players=players, seed=seed, undo=False), random.Random(seed)
    answers = 0
    while not game.over:
        if answers % every == 0 or game.decision is None or game.decision.id in ("lay_tile", "settle"):
            yield game
        game.push(eagerly(game, chance))
        answers += 1


def unexplained(players: int, seed: int, every: int) -> tuple[Counter[str], list[tuple[str, object]]]:
    found: list[tuple[str, object]] = []
    seen, chance = Counter[str](), random.Random(seed)
    for game in positions(players, seed, every):
        for sort, action, reasons in refused(game, chance):
            seen[sort] += 1
            if not reasons or not any(reason.clauses or reason.rule for reason in reasons):
                found.append((action, reasons))
    return seen, found


def test_every_refused_hex_has_a_reason() -> None:
    seen, found = unexplained(3, 1, 9)
    assert set(seen) == ON_THE_MAP
    assert found == []


@pytest.mark.soak
@pytest.mark.parametrize("players", PLAYERS)
def test_every_refused_hex_has_a_reason_in_many_games(players: int) -> None:
    for seed in range(4):
        assert unexplained(players, seed, 1)[1] == []
