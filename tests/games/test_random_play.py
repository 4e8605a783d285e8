"""Random games of the small games: they end, nothing is cut or stuck, no piece is lost, and every option is taken."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from aodrules.check.checked import CheckedRules, Field
from aodrules.compiler.runtime.compiled import Compiled
from aodrules.facts.action_codes import action_spaces
from aodrules.facts.state import PlainState
from aodrules.interpreter.setup import tables_for
from aodrules.lang.types import Bag
from aodrules.play.engines import program_of
from tests.games.rulesets import RULESETS, checked, name_of_game, player_counts
from tests.sampling import sampled

LONGEST_GAME = 400
ODD = ("cut", "bound", "stuck")
BY_CHANCE = {"decision.encounter"}
"""Decisions that nobody is asked."""


@pytest.mark.parametrize("word", sampled(RULESETS, 2))
def test_random_games_end_without_anything_odd_or_lost(word: str) -> None:
    for players in player_counts(checked(word)):
        program = program_of(checked(word), players)
        for seed in range(8):
            check_game(checked(word), Compiled.new_game(program, seed), random.Random(seed))


def check_game(rules: CheckedRules, game: Compiled, chance: random.Random) -> None:
    before = pieces(rules, game.plain())
    for _ in range(LONGEST_GAME):
        assert [entry for entry in game.happenings if entry[0] in ODD] == []
        assert pieces(rules, game.plain()) == before
        if not game.codes:
            return
        game.apply(chance.choice(game.codes))
    pytest.fail("the game does not end")


def pieces(rules: CheckedRules, state: PlainState) -> Counter[tuple[str, int]]:
    """Return how many pieces of each member there are in all fields together."""
    total: Counter[tuple[str, int]] = Counter()
    for name, declared in rules.fields.items():
        if declared.holds not in (None, "player"):
            for cell in state.fields[name]:
                total.update((str(declared.holds), member) for member in members(rules, declared, cell))
    return total


def members(rules: CheckedRules, declared: Field, cell: Any) -> Iterator[int]:
    """Return the members that lie in one cell; the number of an owned piece holds its owner too."""
    size = len(rules.family(str(declared.holds)).members)
    if isinstance(declared.type, Bag):
        yield from (member for member, count in enumerate(cell) for _ in range(count))
    elif cell is not None:
        yield from (item % size for item in (cell if isinstance(cell, tuple) else (cell,)))


@pytest.mark.parametrize("game", dict.fromkeys(map(name_of_game, RULESETS)))
def test_every_option_is_taken_in_random_games(game: str) -> None:
    words = [word for word in RULESETS if name_of_game(word) == game]
    missing = {
        option.address
        for word in words
        for decision in checked(word).decisions.values()
        for option in decision.options
        if decision.address not in BY_CHANCE
    }
    for word in words:
        missing -= taken(checked(word), checked(word).game.players[1])
    assert missing == set()


def taken(rules: CheckedRules, players: int) -> set[str]:
    """Return the options that are taken in some random games."""
    spaces = action_spaces(tables_for(rules, players))
    program, found = program_of(rules, players, log=False), set()
    for seed in range(60):
        game, chance = Compiled.new_game(program, seed), random.Random(seed)
        while game.pending is not None:
            code = chance.choice(game.codes)
            found.add(spaces[game.pending.decision].decode(code)[0].address)
            game.apply(code)
    return found
