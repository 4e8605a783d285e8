"""Games hold only what their types allow: every cell at every question, and every variable on the way there."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest
from attrs import define, evolve, field

from aodrules.compiler.compile import compile_plan
from aodrules.compiler.plan import Plan
from aodrules.compiler.runtime.compiled import Compiled
from aodrules.compiler.types import type_rules
from aodrules.compiler.types.cell_types import DeclaredTypes
from aodrules.compiler.types.infer_types import PlanTypes, infer_types
from aodrules.compiler.types.plan_type import ListType, NumberType, PlanType, has_value
from tests.compiler.types.plans import BENCHMARK, EDITIONS, SMALL, planned, players_of, rules_of, shipped_words
from tests.sampling import sampled

pytestmark = pytest.mark.slow


@define(repr=False)
class Watched:
    """What was seen of a game that does not belong to its types."""

    plan: Plan
    types: PlanTypes
    wrong: dict[str, str] = field(factory=dict)
    seen: set[str] = field(factory=set)
    """The variables that had a value."""

    def look_at_cells(self, cells: list[Any]) -> None:
        """Look at every cell; of frames those that are not needed hold 0, and so do results that are stale."""
        for cell, (of, value) in enumerate(zip(self.types.cells, cells, strict=True)):
            is_empty = cell >= self.plan.layout.kept_cells.start and type(value) is int and value == 0
            if not is_empty and not has_value(of, value):
                self.wrong[f"cell {cell}"] = f"{value} is not {of}"

    def look_at_names(self, names: dict[str, Any], before: dict[str, Any]) -> None:
        """Look at the variables of the plan that have got a value.

        A loop loads at its start what some way through it reads; on other ways the cell may still be empty.
        """
        for name, value in names.items():
            if name in self.types.variables and before.get(name, self) is not value:
                before[name] = value
                self.seen.add(name)
                is_empty = name in self.plan.frames.cells and type(value) is int and value == 0
                if not is_empty and not has_value(self.types.variables[name], value):
                    self.wrong[name] = f"{value} is not {self.types.variables[name]}"

    def trace(self, frame: FrameType, event: str, _: Any) -> Any:
        """Follow a call of generated code, line by line."""
        if event != "call" or "S" not in frame.f_code.co_varnames:
            return None
        before: dict[str, Any] = {}

        def look(inner: FrameType, _event: str, _argument: Any) -> Any:
            self.look_at_names(inner.f_locals, before)
            return look

        return look(frame, event, None)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch the variables for as long as it lasts."""
        previous = sys.gettrace()
        sys.settrace(self.trace)
        try:
            yield
        finally:
            sys.settrace(previous)


def watched(word: str, players: int, seed: int, types: PlanTypes, *, log: bool) -> Watched:
    """Return what was seen of a random game."""
    made, _ = planned(word, players)
    found, chance = Watched(made, types), random.Random(seed)
    program = compile_plan(made, log=log)
    with found.watching():
        game = Compiled.new_game(program, seed)
        while game.codes:
            found.look_at_cells(game.cells)
            game.apply(chance.choice(game.codes))
            game.pending  # noqa: B018 - what it shows is computed by generated code too
    found.look_at_cells(game.cells)
    return found


def check(word: str, players: int, seed: int, logs: tuple[bool, ...] = (True, False)) -> None:
    types = planned(word, players)[1]
    for log in logs:
        found = watched(word, players, seed, types, log=log)
        assert found.wrong == {}
        assert len(found.seen) > len(types.variables) / 5


@pytest.mark.parametrize("word", sampled(SMALL, 5))
def test_small_games_hold_what_their_types_allow(word: str) -> None:
    check(word, players_of(word)[-1], seed=1)


@pytest.mark.parametrize("word", [EDITIONS[0], BENCHMARK])
def test_editions_hold_what_their_types_allow(word: str) -> None:
    check(word, players_of(word)[0], seed=1, logs=(False,))


@pytest.mark.soak
@pytest.mark.parametrize("word", [*SMALL, *shipped_words()])
def test_all_that_ships_holds_what_its_types_allow(word: str) -> None:
    for players in players_of(word):
        check(word, players, seed=players)


# Types that are wrong on purpose.


@pytest.fixture(autouse=True)
def right_types() -> None:
    """Keep the right types before any rule is changed."""
    planned("caravan", 3)


def wrong_in_play() -> dict[str, str]:
    """Return what a game has that the types do not allow that are inferred now."""
    types = infer_types(planned("caravan", 3)[0], rules_of("caravan"))
    return watched("caravan", 3, 1, types, log=False).wrong


def test_a_list_with_room_for_one_piece_too_few_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    capacity = DeclaredTypes._capacity
    fewer = lambda self, declared, of_one_owner: capacity(self, declared, of_one_owner=of_one_owner) - 1  # noqa: E731
    monkeypatch.setattr(DeclaredTypes, "_capacity", fewer)
    assert any(name.startswith("cell") for name in wrong_in_play())


def test_an_operator_with_a_wrong_rule_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    divide = type_rules.OPERATORS["//"]

    def less(left: PlanType, right: PlanType) -> PlanType:
        of = divide(left, right)
        assert isinstance(of, NumberType)
        return evolve(of, high=(of.high or 1) - 1) if of.low != of.high else of

    monkeypatch.setitem(type_rules.OPERATORS, "//", less)
    assert any(not name.startswith("cell") for name in wrong_in_play())


def test_a_function_with_a_wrong_rule_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fewer(low: PlanType, high: PlanType) -> PlanType:
        of = type_rules._numbers(low, high)
        assert isinstance(of, ListType)
        return evolve(of, capacity=of.capacity - 1)

    monkeypatch.setitem(type_rules.FUNCTIONS, "numbers", fewer)
    assert any(not name.startswith("cell") for name in wrong_in_play())
