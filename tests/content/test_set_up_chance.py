"""What chance does before the first turn is fair: who begins, what lies where, and who plays which nation.

That both engines ask chance as the rules say is tested apart, in `tests/engines`; here one of them plays.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import cache
from itertools import combinations, permutations
from typing import Any

import pytest

import aodrules
from tests.engines.fairness import FLUKE, fit

GAMES = 1200
PLAYERS = 4
TOKENS = range(16, 32)
CARDS = range(16)
FIRST_AGE = (3, 4, 8, 16, 17, 19, 20, 26, 26, 30, 31, 32)
GOODS = (8,) * 5 + (0,) * 32
"""Where the goods of the regions are gone, five of the 37 that are left are of this sort."""


@cache
def set_up(*variants: str) -> list[dict[str, Any]]:
    rules = aodrules.load("empires", variants, cache=False)
    games = (rules.new_game(players=PLAYERS, seed=seed, undo=False, log=False) for seed in range(GAMES))
    return [game._machine.plain().fields for game in games]


ADVANTAGES = ("national-advantages",)
RANDOM_NATIONS = ("national-advantages", "random-nations")
AUCTION = ("national-advantages", "auction")
SOURCES: dict[str, tuple[tuple[str, ...], Callable[[dict[str, Any]], Hashable], Iterable[Hashable]]] = {
    "turn order": ((), lambda fields: fields["table.turn_order"][0], [*permutations(range(PLAYERS))]),
    "token of a region": ((), lambda fields: fields["region.token"][0], TOKENS),
    "token of another region": ((), lambda fields: fields["region.token"][8], TOKENS),
    "top of the deck": ((), lambda fields: fields["table.deck"][0][0], CARDS),
    "bottom of the deck": ((), lambda fields: fields["table.deck"][0][-1], CARDS),
    "next tile": ((), lambda fields: fields["table.stack"][0][0], FIRST_AGE),
    "whether a tile is on offer": ((), lambda fields: fields["table.offer"][0][3], (1,) * 5 + (0,) * 7),
    "how often a good is on offer": (
        (),
        lambda fields: min(2, fields["table.goods_offer"][0][8]),
        [min(2, four.count(8)) for four in combinations(GOODS, 4)],
    ),
    "nation where nobody says how": (ADVANTAGES, lambda fields: fields["player.board"][1], range(6)),
    "nation of the first seat": (RANDOM_NATIONS, lambda fields: fields["player.board"][0], range(6)),
    "nation of the last seat": (RANDOM_NATIONS, lambda fields: fields["player.board"][3], range(6)),
    "who opens the auction": (AUCTION, lambda fields: fields["table.opener"][0], range(PLAYERS)),
}


@pytest.mark.parametrize("source", SOURCES)
def test_the_set_up_is_fair(source: str) -> None:
    variants, outcome, likely = SOURCES[source]
    assert fit(map(outcome, set_up(*variants)), likely) > FLUKE
