"""What the builtins of the language give. Each is a function of what evaluates, the call and the local names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from aodrules.facts.state_shape import kind_of
from aodrules.interpreter.graph_search import Space, mask_of
from aodrules.interpreter.options import Evaluation
from aodrules.lang.expressions import BuiltinCall
from aodrules.lang.types import Bag, ListOf, SetOf

Names: TypeAlias = Mapping[str, Any]
Word: TypeAlias = Callable[[Evaluation, BuiltinCall, Names], Any]


def gathered(gives: str, items: Iterable[Any]) -> Any:
    """Return what `sum any all min max first last list set` make of items."""
    return _GATHERED[gives](items)


def builtin(evaluation: Evaluation, call: BuiltinCall, locals_: Names) -> Any:
    """Return what a call of a builtin gives."""
    return _WORDS[call.builtin](evaluation, call, locals_)


def _present(items: Iterable[Any]) -> Iterable[Any]:
    return (item for item in items if item is not None)


def _last(items: Iterable[Any]) -> Any:
    found = None
    for item in items:
        found = item
    return found


_GATHERED: dict[str, Callable[[Iterable[Any]], Any]] = {
    "sum": lambda items: sum(_present(items)),
    "count": lambda items: sum(bool(item) for item in items),
    "any": any,
    "all": all,
    "min": lambda items: min(_present(items), default=None),
    "max": lambda items: max(_present(items), default=None),
    "first": lambda items: next(iter(items), None),
    "last": _last,
    "list": tuple,
    "set": lambda items: mask_of(tuple(_present(items))),
}


def _gather(evaluation: Evaluation, call: BuiltinCall, locals_: Names) -> Any:
    """`sum(list)`, `max(2, 5)` and the like: over one collection or over the arguments."""
    first = call.arguments[0]
    if len(call.arguments) == 1 and isinstance(first.type, Bag | ListOf | SetOf):
        return gathered(call.builtin, evaluation.items(first, locals_))
    return gathered(call.builtin, [evaluation.value(argument, locals_) for argument in call.arguments])


def _on_values(function: Callable[..., Any]) -> Word:
    """A word that is a plain function of its arguments."""

    def word(evaluation: Evaluation, call: BuiltinCall, locals_: Names) -> Any:
        return function(*(evaluation.value(argument, locals_) for argument in call.arguments))

    return word


def _in_space(question: Callable[..., Any]) -> Word:
    """A word that asks the graph or grid it names."""

    def word(evaluation: Evaluation, call: BuiltinCall, locals_: Names) -> Any:
        space = evaluation.tables.spaces[call.names[0]]
        return question(space, *(evaluation.value(argument, locals_) for argument in call.arguments))

    return word


def _size(evaluation: Evaluation, call: BuiltinCall, locals_: Names) -> int:
    held = evaluation.value(call.arguments[0], locals_)
    if isinstance(call.arguments[0].type, SetOf):
        return int(held).bit_count()
    return sum(held)


def _len(evaluation: Evaluation, call: BuiltinCall, locals_: Names) -> int:
    return len(evaluation.items(call.arguments[0], locals_))


def _index(evaluation: Evaluation, call: BuiltinCall, locals_: Names) -> int:
    items = evaluation.items(call.arguments[0], locals_)
    item = evaluation.value(call.arguments[1], locals_)
    return items.index(item) if item in items else len(items)


def _either(evaluation: Evaluation, call: BuiltinCall, locals_: Names) -> Any:
    first = evaluation.value(call.arguments[0], locals_)
    return evaluation.value(call.arguments[1], locals_) if first is None else first


def _next(evaluation: Evaluation, call: BuiltinCall, locals_: Names) -> int | None:
    member = evaluation.value(call.arguments[0], locals_)
    kind = evaluation.tables.rules.kinds[kind_of(call.arguments[0].type)]
    return next((place for place in kind.places if place > member), None)


def _seats_from(evaluation: Evaluation, call: BuiltinCall, locals_: Names) -> tuple[int, ...]:
    seat, players = evaluation.value(call.arguments[0], locals_), evaluation.players()
    return tuple(sorted(players, key=lambda one: (one - seat) % evaluation.tables.players))


def _sets_worth(evaluation: Evaluation, call: BuiltinCall, locals_: Names) -> int:
    numbers = [evaluation.value(argument, locals_) for argument in call.arguments]
    return evaluation.tables.sets_worth[call.names[0]](*numbers)


_WORDS: dict[str, Word] = {
    **dict.fromkeys(_GATHERED, _gather),
    "players": lambda evaluation, _call, _locals: evaluation.players(),
    "seats": lambda evaluation, _call, _locals: tuple(range(evaluation.tables.players)),
    "size": _size,
    "len": _len,
    "index": _index,
    "either": _either,
    "abs": _on_values(abs),
    "range": _on_values(lambda *ends: tuple(range(*ends))),
    "next": _next,
    "seats_from": _seats_from,
    "sets_worth": _sets_worth,
    "neighbours": _in_space(Space.neighbours),
    "around": _in_space(Space.around),
    "edge": _in_space(Space.edge),
    "connected": _in_space(Space.connected),
    "reach": _in_space(Space.reach),
    "distance": _in_space(Space.distance),
}
