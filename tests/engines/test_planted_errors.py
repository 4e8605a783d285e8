"""Comparing the engines notices a mistake in whatever one of them finds out for itself.

Each test plants one mistake, makes rules and both engines anew, and plays. What both engines share cannot be noticed
in this way; it is small, and tested by itself: chance in `tests/facts/test_chance.py`, codes of actions in
`tests/facts/test_action_codes.py`, rankings in `tests/play/test_scores.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import aodrules
from aodrules.check import checked
from aodrules.compiler.layout import BagShape, FieldCells, PlaceLayout
from aodrules.compiler.lower import decisions as lower_decisions
from aodrules.compiler.lower import holders as lower_holders
from aodrules.compiler.lower import start_cells
from aodrules.compiler.lower.planner import Planner
from aodrules.compiler.lower.scope import LoweredPlace
from aodrules.compiler.runtime import memo, steps
from aodrules.compiler.runtime.compiled import Compiled
from aodrules.compiler.runtime.memo import Memory
from aodrules.compiler.runtime.sets_worth import SetsWorth
from aodrules.errors import InternalError
from aodrules.facts import action_codes
from aodrules.facts.state_shape import FieldShape, StateShape
from aodrules.interpreter import executor, holders, moves, places, setup, state_changes
from aodrules.interpreter.best_sets import BestSets
from aodrules.interpreter.evaluation import Evaluator
from aodrules.interpreter.moves import Transfer
from aodrules.interpreter.state_changes import StateChanges
from aodrules.interpreter.tables import Tables
from aodrules.lang.builtins import graphs
from aodrules.lang.builtins.entry import Builtin, OverItems
from aodrules.lang.builtins.table import MEANINGS
from aodrules.lang.operators import OPERATIONS, Operator
from aodrules.play.comparison import compare

pytestmark = pytest.mark.slow

GAME = Path(__file__).with_name("every_fact.yaml")
FACTS = {"table.purse": (15,)}
Wrong = Callable[[Callable[..., Any]], Callable[..., Any]]


def play(rules: aodrules.Rules | None = None) -> None:
    """Make the rules, if they are not given, and both engines anew, and compare them in a few games."""
    rules = rules or aodrules.load(GAME, cache=False)
    for seed in range(4):
        compare(rules.book, 2 + seed % 2, seed, FACTS)


def test_without_a_mistake_there_is_no_difference() -> None:
    play()


# Ways to be wrong: each makes of a function one that is a little off.


def always(result: Any) -> Wrong:
    return lambda _: lambda *_arguments, **_options: result


def off_by(more: int) -> Wrong:
    return lambda right: lambda *arguments, **options: right(*arguments, **options) + more


def changed(change: Callable[[Any], Any]) -> Wrong:
    return lambda right: lambda *arguments, **options: change(right(*arguments, **options))


def one_less_of_many(counts: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(count - 1 if count > 4 else count for count in counts)


def fewer_pieces(right: Callable[..., Any]) -> Callable[..., Any]:
    def tables_for(*arguments: Any) -> Any:
        tables = right(*arguments)
        tables.pieces = {kind: one_less_of_many(counts) for kind, counts in tables.pieces.items()}
        return tables

    return tables_for


def without_facts(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda first, second, *_facts: right(first, second)


def turned(items: Any) -> Any:
    return items[::-1]


def more_where_number(value: Any) -> Any:
    return value + 1 if type(value) is int else value


def all_but_last(items: Any) -> Any:
    return items[:-1]


def without_last_owner(right: Any) -> Any:
    return property(lambda place: right.fget(place)[:-1])


def without_lowest(mask: int) -> int:
    return mask & (mask - 1)


def renamed(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, entry: right(self, (f"{entry[0]}s", *entry[1:]))


def column_by_column(right: Callable[..., Any]) -> Callable[..., Any]:
    def of(sizes: Any) -> Any:
        return FieldShape(tuple(sizes), turned(right(turned(sizes)).strides), right(sizes).cells)

    return of


def last_two_swapped(numbers: tuple[int, ...]) -> tuple[int, ...]:
    return (*numbers[:-2], numbers[-1], numbers[-2])


def first_two_swapped(numbers: tuple[int, ...]) -> tuple[int, ...]:
    return (numbers[1], numbers[0], *numbers[2:])


IN_THE_INTERPRETER: list[tuple[Any, str, Wrong]] = [
    # What is there at the start.
    (setup, "tables_for", fewer_pieces),
    (setup, "tables_for", without_facts),
    (setup, "_start_of", changed(more_where_number)),
    (setup, "_lowest", changed(more_where_number)),
    (setup, "empty", changed(more_where_number)),
    (setup, "_lacking", always(frozenset())),
    (setup, "_counts_by_owner", changed(lambda found: all_but_last(tuple(found)))),
    (setup, "first_place", changed(lambda at: at and (0,) * len(at))),
    (setup, "first_knowledge", changed(lambda known: known and (0,) * len(known))),
    (setup._SetupEvaluator, "_compute", changed(more_where_number)),
    # The shape of states, and how pieces lie in them.
    (FieldShape, "of", column_by_column),
    (StateShape, "visible_to", always(0)),
    (setup, "item_of_piece", changed(lambda item: item // 2)),
    (moves, "item_of_piece", changed(lambda item: item // 2)),
    (places, "item_type", always(None)),
    (places, "owners_of_place", changed(all_but_last)),
    (Tables, "is_owned", always(False)),
    (Transfer, "_room", off_by(1)),
    # Actions, values, scores.
    (action_codes, "parameter_size", off_by(1)),
    (BestSets, "__call__", always(0)),
    (Evaluator, "items", changed(turned)),
    (Evaluator, "points", changed(first_two_swapped)),
    (Evaluator, "total", off_by(1)),
    (Evaluator, "standing", changed(last_two_swapped)),
    (holders, "copies_held", off_by(1)),
    # What is done.
    (state_changes, "roll", changed(lambda rolled: (rolled[0], 0))),
    (state_changes, "shuffled", changed(lambda done: (done[0], turned(done[1])))),
    (state_changes, "_cut", changed(more_where_number)),
    (StateChanges, "reset", always(None)),
    (StateChanges, "note", renamed),
    (StateChanges, "leave", always(None)),
    (executor.Executor, "_finish", always(())),
]
IN_GENERATED_CODE: list[tuple[Any, str, Wrong]] = [
    (Planner, "pieces_of_owner", changed(one_less_of_many)),
    (Planner, "owners_of", changed(all_but_last)),
    (LoweredPlace, "owners", without_last_owner),
    (Planner, "_start", changed(more_where_number)),
    (Planner, "_lowest", changed(more_where_number)),
    (Planner, "_has", always(True)),
    (Planner, "is_owned", always(False)),
    (Planner, "_tabulate", changed(lambda table: tuple(map(more_where_number, table)))),
    (start_cells, "_home_of", changed(lambda at: at and (0,) * len(at))),
    (start_cells, "_knowledge", changed(lambda known: known and (0,) * len(known))),
    (start_cells, "empty", changed(more_where_number)),
    (PlaceLayout, "visible_to", always(0)),
    (BagShape, "unpack", changed(turned)),
    (FieldCells, "offset", always(0)),
    (graphs, "_neighbour_sets", changed(lambda sets: tuple(map(without_lowest, sets)))),
    (Memory, "connected", changed(without_lowest)),
    (Memory, "reach", changed(without_lowest)),
    (Memory, "regions", changed(lambda found: found[1:])),
    (memo, "list_members", changed(turned)),
    (
        lower_decisions,
        "make_code_shape",
        lambda right: lambda planner, option, offset: right(planner, option, offset + 1),
    ),
    (SetsWorth, "__call__", always(0)),
    (lower_holders, "count_copies", off_by(1)),
    (Compiled, "points", changed(first_two_swapped)),
    (Compiled, "total", off_by(1)),
    (Compiled, "standing", changed(last_two_swapped)),
    (steps, "roll", changed(lambda rolled: (rolled[0], 0))),
    (steps, "shuffled", changed(lambda done: (done[0], turned(done[1])))),
    (Compiled, "_end", always(())),
]


def name_of(planted: tuple[Any, str, Wrong]) -> str:
    return f"{planted[0].__name__.removeprefix('aodrules.')}.{planted[1]}"


@pytest.mark.parametrize("planted", [*IN_THE_INTERPRETER, *IN_GENERATED_CODE], ids=name_of)
def test_a_mistake_of_one_engine_is_noticed(planted: tuple[Any, str, Wrong], monkeypatch: pytest.MonkeyPatch) -> None:
    target, name, wrong = planted
    monkeypatch.setattr(target, name, wrong(getattr(target, name)))
    with pytest.raises(InternalError, match="the two engines disagree about the"):
        play()


def test_a_mistake_in_the_order_of_modifiers_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def backwards(tables: Tables) -> dict[str, tuple[checked.Modifier, ...]]:
        return {value: tuple(reversed(group)) for value, group in tables.rules.modifiers.items()}

    monkeypatch.setattr(Tables, "modifiers", property(backwards))
    with pytest.raises(InternalError, match="disagree about the"):
        play()


def wrong_value(value: Any) -> Any:
    """Return another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, tuple):
        return value[::-1] if value != value[::-1] else value[1:]
    return value ^ 1 if isinstance(value, int) else value


FOLDED = {"seats", "members"}
"""They depend on nothing that play can change, so that generated code takes them from their meaning. Their examples
test them."""
ENTRIES: dict[str, tuple[Builtin | OverItems | Operator | None, ...]] = {
    **{name: (entry, entry.over) for name, entry in MEANINGS.items() if name not in FOLDED},
    **{name: (entry,) for name, entry in OPERATIONS.items()},
}
MEANT = [name for name, parts in ENTRIES.items() if any(part is not None and part.evaluate for part in parts)]


@pytest.mark.parametrize("name", MEANT)
def test_a_mistake_in_the_meaning_of_a_word_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Generated code does not use these functions while it plays."""
    rules = aodrules.load(GAME, cache=False)  # before it is planted, because the checker may notice it too
    for part in ENTRIES[name]:
        if part is not None and part.evaluate is not None:
            wrong = changed(wrong_value)(part.evaluate)
            monkeypatch.setattr(type(part), "__setattr__", object.__setattr__)  # an entry is frozen
            monkeypatch.setattr(part, "evaluate", wrong)
    with pytest.raises(InternalError, match="disagree about the"):
        play(rules)
