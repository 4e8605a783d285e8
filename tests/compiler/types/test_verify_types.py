"""Every plan has types that fit each other, and wrong ones are noticed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import pytest
from attrs import evolve

from aodrules.compiler.formulas import Formula, Variable
from aodrules.compiler.types.infer_types import PlanTypes
from aodrules.compiler.types.plan_type import BagType, ListType, NumberType, PlanType
from aodrules.compiler.types.verify_types import verify_inferred, verify_types
from aodrules.errors import InternalError
from tests.compiler.types.plans import BENCHMARK, EDITIONS, SMALL, planned, players_of, rules_of, shipped_words
from tests.sampling import sampled

pytestmark = pytest.mark.slow

Key = TypeVar("Key")


@pytest.mark.parametrize("word", sampled(SMALL, 5))
def test_the_plans_of_small_games_have_types_that_fit(word: str) -> None:
    for players in players_of(word):
        made, types = planned(word, players)
        verify_types(made, rules_of(word), types)


@pytest.mark.parametrize("word", [*EDITIONS, BENCHMARK])
def test_the_plans_of_editions_have_types_that_fit(word: str) -> None:
    made, types = planned(word, players_of(word)[-1])
    verify_types(made, rules_of(word), types)


@pytest.mark.soak
@pytest.mark.parametrize("word", shipped_words())
def test_the_plans_of_all_that_ships_have_types_that_fit(word: str) -> None:
    for players in players_of(word):
        made, types = planned(word, players)
        verify_types(made, rules_of(word), types)


@pytest.mark.parametrize("word", SMALL[:3])
def test_types_are_the_same_each_time(word: str) -> None:
    made, types = planned(word, players_of(word)[0])
    verify_inferred(made, rules_of(word), types)


# Wrong types.

WORD = "harbour"


def refused(types: PlanTypes) -> str:
    """Return what is said of wrong types of a plan."""
    made, _ = planned(WORD, 3)
    with pytest.raises(InternalError) as error:
        verify_types(made, rules_of(WORD), types)
    return str(error.value)


def first(types: dict[Key, PlanType], holds: Callable[[Key, PlanType], bool]) -> Key:
    return next(key for key, of in types.items() if holds(key, of))


def test_a_variable_that_is_one_too_narrow_is_noticed() -> None:
    _, types = planned(WORD, 3)
    variables = dict(types.variables)
    name = first(variables, lambda _, of: isinstance(of, NumberType) and of.low != of.high)
    of = variables[name]
    assert isinstance(of, NumberType)
    assert of.high is not None
    variables[name] = evolve(of, high=of.high - 1)
    assert "does not fit" in refused(evolve(types, variables=variables))


def test_a_list_with_room_for_one_too_few_is_noticed() -> None:
    made, types = planned(WORD, 3)
    cells = [*types.cells]
    cell = made.layout.fields["table.turn_order"].base
    of = cells[cell]
    assert isinstance(of, ListType)
    cells[cell] = evolve(of, capacity=of.capacity - 1)
    assert f"cell {cell} starts as" in refused(evolve(types, cells=tuple(cells)))


def test_a_list_that_starts_empty_with_room_for_one_too_few_is_noticed_by_inference() -> None:
    made, types = planned(WORD, 3)
    cells = [*types.cells]
    cell = made.layout.fields["table.pier"].base
    of = cells[cell]
    assert isinstance(of, ListType)
    cells[cell] = evolve(of, capacity=of.capacity - 1)
    with pytest.raises(InternalError, match=f"cell {cell}"):
        verify_inferred(made, rules_of(WORD), evolve(types, cells=tuple(cells)))


def test_a_bag_of_another_width_is_noticed() -> None:
    made, types = planned(WORD, 3)
    cell = next(cells.base for cells in made.layout.fields.values() if cells.bag is not None)
    cells = [*types.cells]
    of = cells[cell]
    assert isinstance(of, BagType)
    cells[cell] = evolve(of, width=of.width + 1)
    assert "packed otherwise" in refused(evolve(types, cells=tuple(cells)))


def test_a_count_that_straddles_two_words_is_noticed() -> None:
    _, types = planned(WORD, 3)
    results = {**types.results, "more": BagType("good", (1,) * 30, 3)}
    assert "straddles" in refused(evolve(types, results=results))


def test_a_number_without_bound_is_noticed() -> None:
    _, types = planned(WORD, 3)
    results = {**types.results, "more": NumberType(0, None)}
    assert "nothing bounds" in refused(evolve(types, results=results))


def test_a_formula_without_a_type_is_noticed() -> None:
    _, types = planned(WORD, 3)
    formulas = dict(types.formulas)
    variable = first(formulas, lambda formula, of: isinstance(formula, Variable) and isinstance(of, BagType))
    del formulas[variable]
    assert "has no type" in refused(evolve(types, formulas=formulas))


def test_a_formula_of_a_wrong_type_is_noticed() -> None:
    _, types = planned(WORD, 3)
    formulas: dict[Formula, PlanType] = dict(types.formulas)
    variable = first(formulas, lambda formula, of: isinstance(formula, Variable) and isinstance(of, BagType))
    formulas[variable] = NumberType(0, 9)
    assert refused(evolve(types, formulas=formulas))


def test_a_formula_that_is_one_too_narrow_is_noticed_by_inference() -> None:
    made, types = planned(WORD, 3)
    formulas = dict(types.formulas)
    for formula, of in types.formulas.items():
        if isinstance(of, NumberType) and of.high is not None and of.low != of.high:
            formulas[formula] = evolve(of, high=of.high - 1)
            break
    with pytest.raises(InternalError, match="does not fit"):
        verify_inferred(made, rules_of(WORD), evolve(types, formulas=formulas))
