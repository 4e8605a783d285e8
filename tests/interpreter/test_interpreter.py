"""Whole games of the interpreter: nothing is lost, and the same answers give the same game."""

from __future__ import annotations

from collections import Counter
from random import Random
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aodrules.check.checked import CheckedRules
from aodrules.facts.state import Machine, PlaceRef
from aodrules.interpreter.interpreter import Interpreter
from aodrules.interpreter.places import PieceId, pieces_at
from aodrules.interpreter.tables import Tables
from tests.engines.handmade import bazaar, nim

NIM, BAZAAR = nim(), bazaar()
rules_of_games = st.sampled_from([NIM, BAZAAR])
seeds = st.integers(0, 2**64 - 1)


def played(rules: CheckedRules, players: int, seed: int, most: int = 10_000) -> Interpreter:
    """Return a game after random answers."""
    random = Random(seed)
    game = Interpreter(rules, players, seed)
    while game.codes and most:
        game.apply(random.choice(game.codes))
        most -= 1
    return game


def pieces(game: Interpreter) -> Counter[tuple[str, PieceId]]:
    """Return all pieces of the game, wherever they lie."""
    found: Counter[tuple[str, PieceId]] = Counter()
    for field in game.tables.rules.fields.values():
        if field.holds is not None:
            for at in game.tables.shapes[field.name].indices():
                spot = PlaceRef(field.name, at)
                found.update((field.holds, piece) for piece in pieces_at(game.tables, game.state, spot))
    return found


def all_pieces(tables: Tables) -> Counter[tuple[str, PieceId]]:
    found: Counter[tuple[str, PieceId]] = Counter()
    for kind, counts in tables.pieces.items():
        for owner in range(tables.players) if tables.is_owned(kind) else [None]:
            found.update({(kind, PieceId(member, owner)): count for member, count in enumerate(counts) if count})
    if any(field.holds == "player" for field in tables.rules.fields.values()):
        found.update({("player", PieceId(seat)): 1 for seat in range(tables.players)})
    return found


@given(rules_of_games, st.integers(2, 4), seeds, st.integers(0, 60))
def test_nothing_appears_from_nowhere(rules: CheckedRules, players: int, seed: int, most: int) -> None:
    game = played(rules, players, seed, most)
    assert pieces(game) == all_pieces(game.tables)


@given(rules_of_games, st.integers(2, 4), seeds)
def test_games_end(rules: CheckedRules, players: int, seed: int) -> None:
    game = played(rules, players, seed)
    assert (game.pending, game.codes, game.state.over, game.state.step) == (None, (), True, None)
    assert game.happenings[-1] == ("over",)


@given(rules_of_games, st.integers(2, 4), seeds, st.integers(0, 30))
def test_a_copy_goes_on_by_itself(rules: CheckedRules, players: int, seed: int, most: int) -> None:
    game = played(rules, players, seed, most)
    copy = game.copy()
    assert (copy.plain(), copy.pending, copy.codes, copy.happenings) == (
        *(game.plain(), game.pending, game.codes, game.happenings),
    )
    before = game.plain()
    if copy.codes:
        copy.apply(copy.codes[-1])
    assert game.plain() == before


@given(rules_of_games, st.integers(2, 4), seeds, st.integers(0, 60))
def test_codes_are_sorted_and_can_be_read(rules: CheckedRules, players: int, seed: int, most: int) -> None:
    game = played(rules, players, seed, most)
    if game.pending is None:
        return
    space = game.spaces[game.pending.decision]
    assert list(game.codes) == sorted(set(game.codes))
    assert all(space.encode(*space.decode(code)) == code for code in game.codes)


@given(rules_of_games, st.integers(2, 4), seeds, st.integers(0, 60))
def test_reasons_are_given_for_exactly_what_is_not_legal(
    rules: CheckedRules, players: int, seed: int, most: int
) -> None:
    game = played(rules, players, seed, most)
    if game.pending is None:
        return
    space = game.spaces[game.pending.decision]
    for code in range(space.size):
        choice, arguments = space.decode(code)
        if choice.option is not None:
            assert (game.failures(choice.address, arguments) == []) == (code in game.codes)


@given(st.integers(2, 4), seeds, st.integers(0, 60))
def test_knowledge_lies_beside_every_position_of_a_secret_field(players: int, seed: int, most: int) -> None:
    game = played(BAZAAR, players, seed, most)
    for name, cells in game.state.knowledge.items():
        for known, held in zip(cells, game.state.fields[name], strict=True):
            numbers: Any = known if isinstance(known, tuple) else (known,)
            if isinstance(held, tuple):
                assert len(numbers) == len(held)
            assert all((number & ((1 << players) - 1)) & ~(number >> players) == 0 for number in numbers)


def test_it_is_a_machine() -> None:
    machine: Machine = Interpreter(NIM, 2, 1)
    assert machine.pending is not None


def test_every_decision_of_the_bazaar_comes_up() -> None:
    seen = set()
    for seed in range(40):
        random, game = Random(seed), Interpreter(BAZAAR, 3, seed)
        while game.pending is not None:
            seen.add(game.pending.decision)
            game.apply(random.choice(game.codes))
    assert seen == set(game.spaces)


@pytest.mark.parametrize("rules", [NIM, BAZAAR], ids=["nim", "bazaar"])
def test_it_is_fast_enough_to_compare_with(rules: CheckedRules) -> None:
    start, answers = process_time(), 0
    for seed in range(10):
        answers += len(played(rules, 2, seed)._answers)
    assert answers / (process_time() - start) > 100
