"""What is gathered over items: `sum(x for y in z if ...)` and its kin."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from attrs import evolve

from aodrules.lang.bit_sets import mask_of
from aodrules.lang.builtins.entry import (
    Builtin,
    FormulaBuilder,
    GameFacts,
    K,
    Of,
    OverItems,
    Phrase,
    Repeated,
    SizeFacts,
    T,
    Term,
)
from aodrules.lang.expressions import BuiltinCall, Comprehension
from aodrules.lang.interval import ANY, Interval, exactly, greatest, hull, least, overlap, times, up_to
from aodrules.lang.types import (
    FLAG,
    NUMBER,
    Flag,
    HiddenPiece,
    ListOf,
    Maybe,
    Member,
    Number,
    Piece,
    Player,
    SetOf,
    Type,
)

Pair: TypeAlias = tuple[Term, Term]
_SINGLE = (Number, Flag, Member, Player, Piece, HiddenPiece)
_COLLECTIONS = ((Of("list", T),), (Of("set", T),), (Of("bag", K),))


def _present(items: Iterable[Any]) -> Iterable[Any]:
    return (item for item in items if item is not None)


def _number(_: Type) -> Type:
    return NUMBER


def _flag(_: Type) -> Type:
    return FLAG


def _same(item: Type) -> Type:
    return item


# What they give.


def _sum(items: Iterable[int | None]) -> int:
    return sum(_present(items))


def _count(items: Iterable[bool]) -> int:
    return sum(item is not False for item in items)


def _first(items: Iterable[Any]) -> Any:
    return next(iter(items), None)


def _last(items: Iterable[Any]) -> Any:
    found = None
    for item in items:
        found = item
    return found


def _set(items: Iterable[int | None]) -> int:
    return mask_of(_present(items))


def _ranked(pairs: Iterable[tuple[int, Any]]) -> tuple[Any, ...]:
    return tuple(item for _, item in sorted(pairs, key=lambda pair: -pair[0]))


def _least(items: Iterable[int | None]) -> int | None:
    return min(_present(items), default=None)


def _greatest(items: Iterable[int | None]) -> int | None:
    return max(_present(items), default=None)


# Where that lies.


def _sum_interval(_: SizeFacts, comprehension: Comprehension, rounds: Interval, item: Interval) -> Interval:
    maybe_none = isinstance(comprehension.item.type, Maybe)
    return times(hull(item, exactly(0)) if maybe_none else item, rounds)


def _count_interval(sizes: SizeFacts, comprehension: Comprehension, rounds: Interval, _: Interval) -> Interval:
    return sizes.known_number(comprehension) or up_to(rounds.high)


def _flag_interval(_: SizeFacts, __: Comprehension, ___: Interval, ____: Interval) -> Interval:
    return ANY


def _item_interval(_: SizeFacts, __: Comprehension, ___: Interval, item: Interval) -> Interval:
    return item


def _list_interval(_: SizeFacts, __: Comprehension, rounds: Interval, item: Interval) -> Interval:
    return evolve(rounds, item=item)


def _set_interval(sizes: SizeFacts, comprehension: Comprehension, rounds: Interval, item: Interval) -> Interval:
    return evolve(overlap(sizes.of_type(comprehension.type), up_to(rounds.high)), item=item)


# How they are written without a loop, over pairs of a condition and the item that counts if it holds.


def _unroll_sum(build: FormulaBuilder, comprehension: Comprehension, pairs: list[Pair]) -> Term | None:
    there = [(test, item) for test, item in pairs if not (build.is_known(item) and build.value(item) is None)]
    if isinstance(comprehension.item.type, Maybe) and not all(build.is_known(item) for _, item in there):
        return None
    return build.add_up(*(build.select(test, item, 0) for test, item in there))


def _unroll_count(build: FormulaBuilder, _: Comprehension, pairs: list[Pair]) -> Term:
    return build.add_up(*(build.select(build.all_of(test, item), 1, 0) for test, item in pairs))


def _unroll_any(build: FormulaBuilder, _: Comprehension, pairs: list[Pair]) -> Term:
    return build.any_of(*(build.all_of(test, item) for test, item in pairs))


def _unroll_all(build: FormulaBuilder, _: Comprehension, pairs: list[Pair]) -> Term:
    return build.all_of(*(build.select(test, item, build.constant(value=True)) for test, item in pairs))


def _unroll_first(build: FormulaBuilder, comprehension: Comprehension, pairs: list[Pair]) -> Term:
    return _unroll_last(build, comprehension, pairs[::-1])


def _unroll_last(build: FormulaBuilder, _: Comprehension, pairs: list[Pair]) -> Term:
    result = build.constant(None)
    for test, item in pairs:
        result = build.select(test, item, result)
    return result


def _unroll_set(build: FormulaBuilder, _: Comprehension, pairs: list[Pair]) -> Term:
    result = build.constant(0)
    for test, item in pairs:
        result = result | build.select(test, 1 << item, 0)
    return result


def _certain(build: FormulaBuilder, pairs: list[Pair]) -> list[Term] | None:
    """Return the items if all of them count for certain."""
    return [item for _, item in pairs] if all(build.is_known(test) for test, _ in pairs) else None


def _unroll_list(build: FormulaBuilder, _: Comprehension, pairs: list[Pair]) -> Term | None:
    items = _certain(build, pairs)
    return None if items is None else build.tuple_of(items)


def _unroll_extreme(build: FormulaBuilder, comprehension: Comprehension, pairs: list[Pair]) -> Term | None:
    items = _certain(build, pairs)
    if items is None or any(build.is_known(item) and build.value(item) is None for item in items):
        return None
    if not items:
        return build.constant(None)
    return build.call(comprehension.gives, *items) if len(items) > 1 else items[0]


# `min` and `max` of numbers that are written one by one.


def _extreme_of(choose: Callable[..., int]) -> Callable[..., int]:
    def evaluate(_: GameFacts, __: BuiltinCall, *numbers: int) -> int:
        return choose(numbers)

    return evaluate


def _extreme_interval(choose: Callable[[Iterable[Interval]], Interval]) -> Callable[..., Interval]:
    def interval(_: SizeFacts, __: BuiltinCall, *numbers: Interval) -> Interval:
        return choose(numbers)

    return interval


def _lower_extreme(build: FormulaBuilder, call: BuiltinCall, *numbers: Term) -> Term:
    return build.call(call.builtin, *numbers)


def _extreme(evaluate: Callable[[Iterable[Any]], Any]) -> OverItems:
    return OverItems(
        (Number,),
        NUMBER,
        _same,
        evaluate,
        _item_interval,
        _unroll_extreme,
        takes_ordered=True,
        none_if_empty=True,
    )


BUILTINS = (
    Builtin(
        "sum",
        takes=((Of("list", NUMBER),),),
        gives=NUMBER,
        doc="The total; none counts nothing.",
        example="sum(c.weight for c in colours)",
        result=6,
        over=OverItems((Number, Flag), NUMBER, _number, _sum, _sum_interval, _unroll_sum, skips_none=True),
    ),
    Builtin(
        "count",
        takes=((Phrase("flags"),),),
        gives=NUMBER,
        doc="How many are true.",
        example="count(c.weight > 1 for c in colours)",
        result=2,
        over=OverItems((Flag,), FLAG, _number, _count, _count_interval, _unroll_count, counts_things=True),
    ),
    Builtin(
        "any",
        takes=((Phrase("flags"),),),
        gives=FLAG,
        doc="Whether one is true.",
        example="any(c.weight > 2 for c in colours)",
        result=True,
        over=OverItems((Flag,), FLAG, _flag, any, _flag_interval, _unroll_any),
    ),
    Builtin(
        "all",
        takes=((Phrase("flags"),),),
        gives=FLAG,
        doc="Whether every one is true.",
        example="all(c.weight > 2 for c in colours)",
        result=False,
        over=OverItems((Flag,), FLAG, _flag, all, _flag_interval, _unroll_all),
    ),
    Builtin(
        "min",
        takes=((Repeated(NUMBER),), (Of("list", NUMBER),)),
        gives=NUMBER,
        doc="The least; of a collection that may be empty it is a maybe.",
        example="min(c.weight for c in colours)",
        result=1,
        evaluate=_extreme_of(min),
        interval=_extreme_interval(least),
        lower=_lower_extreme,
        over=_extreme(_least),
    ),
    Builtin(
        "max",
        takes=((Repeated(NUMBER),), (Of("list", NUMBER),)),
        gives=NUMBER,
        doc="The greatest; of a collection that may be empty it is a maybe.",
        example="max(2, 5, 3)",
        result=5,
        evaluate=_extreme_of(max),
        interval=_extreme_interval(greatest),
        lower=_lower_extreme,
        over=_extreme(_greatest),
    ),
    Builtin(
        "first",
        takes=_COLLECTIONS,
        gives=Of("maybe", T),
        doc="The first item, in the order of the collection.",
        example="first(c for c in colours if c.weight > 1)",
        result="green",
        over=OverItems((object,), "a single thing", _same, _first, _item_interval, _unroll_first, none_if_empty=True),
    ),
    Builtin(
        "last",
        takes=_COLLECTIONS,
        gives=Of("maybe", T),
        doc="The last item, in the order of the collection.",
        example="last(c for c in colours if c.weight < 3)",
        result="green",
        over=OverItems((object,), "a single thing", _same, _last, _item_interval, _unroll_last, none_if_empty=True),
    ),
    Builtin(
        "list",
        takes=_COLLECTIONS,
        gives=Of("list", T),
        doc="The items in order.",
        example="len(list(box))",
        result=6,
        over=OverItems(_SINGLE, "a single thing", ListOf, tuple, _list_interval, _unroll_list),
    ),
    Builtin(
        "set",
        takes=((Of("list", T),), (Of("bag", K),)),
        gives=Of("set", T),
        doc="The items, each once.",
        example="size(set(c for c in box))",
        result=3,
        over=OverItems((Member, Player), "a member or player", SetOf, _set, _set_interval, _unroll_set),
    ),
    Builtin(
        "ranked",
        takes=((Phrase("numbers over items"),),),
        gives=Of("list", T),
        doc="The items from the most to the least; equal ones keep their order.",
        example="first(ranked(c.weight for c in colours))",
        result="blue",
        over=OverItems((Number,), NUMBER, ListOf, _ranked, _list_interval, ranks=True),
    ),
)
