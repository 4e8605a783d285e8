"""Collections: how many there are and where, what is gathered over their items, what sets of pieces are worth."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from attrs import evolve

from aodrules.lang.builtins.entry import (
    Builtin,
    FormulaBuilder,
    GameFacts,
    K,
    NameOf,
    Of,
    OverItems,
    Phrase,
    Repeated,
    SizeFacts,
    Supplied,
    T,
    Term,
    lower_to_call,
    on_intervals,
    on_values,
)
from aodrules.lang.expressions import BuiltinCall, Comprehension
from aodrules.lang.interval import ANY, Interval, between, exactly, greatest, hull, least, overlap, times, up_to
from aodrules.lang.types import (
    FLAG,
    NUMBER,
    Flag,
    HiddenPiece,
    ListOf,
    Maybe,
    Member,
    Number,
    Owner,
    Piece,
    Player,
    SetOf,
    items_in,
    mask_of,
)

Pair: TypeAlias = tuple[Term, Term]
_SINGLE = (Number, Flag, Member, Player, Owner, Piece, HiddenPiece)
_COLLECTIONS = ((Of("list", T),), (Of("set", T),), (Of("bag", K),))


def _size(_: GameFacts, call: BuiltinCall, held: Any) -> int:
    return int(held).bit_count() if isinstance(call.arguments[0].type, SetOf) else sum(held)


def _size_interval(_: SizeFacts, __: BuiltinCall, items: Interval) -> Interval:
    return Interval(max(0, items.low or 0), items.high, quiet=items.quiet)


def _index(_: GameFacts, call: BuiltinCall, held: Any, item: int) -> int:
    items = items_in(call.arguments[0].type, held)
    return items.index(item) if item in items else len(items)


def _lower_size(build: FormulaBuilder, call: BuiltinCall, held: Term) -> Term:
    of = call.arguments[0].type
    return build.call("set_size", held) if isinstance(of, SetOf) else build.bag_size(held, of)


# What is gathered over items: `sum(x for y in z if ...)` and its kin.


def _present(items: Iterable[Any]) -> Iterable[Any]:
    return (item for item in items if item is not None)


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


def _places(pairs: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    groups: dict[int, int] = {}
    for worth, item in pairs:
        groups[worth] = groups.get(worth, 0) | 1 << item
    return tuple(groups[worth] for worth in sorted(groups, reverse=True))


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


def _item_interval(_: SizeFacts, __: Comprehension, ___: Interval, item: Interval) -> Interval:
    return item


def _list_interval(_: SizeFacts, __: Comprehension, rounds: Interval, item: Interval) -> Interval:
    return evolve(rounds, item=item)


def _set_interval(sizes: SizeFacts, comprehension: Comprehension, rounds: Interval, item: Interval) -> Interval:
    return evolve(overlap(sizes.of_type(comprehension.type), up_to(rounds.high)), item=item)


def _places_interval(_: SizeFacts, __: Comprehension, rounds: Interval, ___: Interval) -> Interval:
    return Interval(min(1, rounds.low or 0), rounds.high, item=Interval(1, rounds.high))


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


def _extreme(evaluate: Callable[[Iterable[Any]], Any]) -> OverItems:
    return OverItems(
        (Number,),
        NUMBER,
        lambda item: item,
        evaluate,
        _item_interval,
        _unroll_extreme,
        takes_ordered=True,
        none_if_empty=True,
    )


# What pieces are worth together.


def _sets_worth_interval(sizes: SizeFacts, call: BuiltinCall, bag: Interval, wild: Interval) -> Interval:
    worths = sizes.worths(call.names[0])
    pieces = bag.most + wild.most
    return between(pieces * min(0, *worths, 0), pieces * max(0, *worths, 0))


def _lower_sets_worth(build: FormulaBuilder, call: BuiltinCall, bag: Term, wild: Term) -> Term:
    sets = build.sets(call.names[0])
    shapes = tuple((one.size, one.worth, one.alike, one.different) for one in sets.shapes)
    fixed = (*build.bag_packing(call.arguments[0].type), sets.wild_per_set, shapes)
    return build.call("packed_sets_worth", bag, wild, fixed)


BUILTINS = (
    Builtin(
        "size",
        takes=((Of("bag", K),), (Of("set", T),)),
        gives=NUMBER,
        doc="How many pieces or members.",
        example="size(box)",
        result=6,
        evaluate=_size,
        interval=_size_interval,
        lower=_lower_size,
        never_negative=True,
    ),
    Builtin(
        "len",
        takes=((Of("list", T),),),
        gives=NUMBER,
        doc="How many items of a list or collection.",
        example="len(colours)",
        result=3,
        evaluate=lambda _, call, held: len(items_in(call.arguments[0].type, held)),
        interval=_size_interval,
        lower=lambda build, call, held: build.call("len", build.items(held, call.arguments[0].type)),
        never_negative=True,
    ),
    Builtin(
        "index",
        takes=((Of("collection", T), T),),
        gives=NUMBER,
        doc="The place of the first such item, from 0; the length if there is none.",
        example="index(colours, green)",
        result=1,
        evaluate=_index,
        interval=lambda _, __, items, ___: up_to(items.high),
        lower=lambda build, call, held, item: build.call("index_of", build.items(held, call.arguments[0].type), item),
    ),
    Builtin(
        "sum",
        takes=((Of("list", NUMBER),),),
        gives=NUMBER,
        doc="The total; none counts nothing.",
        example="sum(c.weight for c in colours)",
        result=6,
        over=OverItems((Number, Flag), NUMBER, lambda _: NUMBER, _sum, _sum_interval, _unroll_sum, skips_none=True),
    ),
    Builtin(
        "count",
        takes=((Phrase("flags"),),),
        gives=NUMBER,
        doc="How many are true.",
        example="count(c.weight > 1 for c in colours)",
        result=2,
        over=OverItems((Flag,), FLAG, lambda _: NUMBER, _count, _count_interval, _unroll_count, counts_things=True),
    ),
    Builtin(
        "any",
        takes=((Phrase("flags"),),),
        gives=FLAG,
        doc="Whether one is true.",
        example="any(c.weight > 2 for c in colours)",
        result=True,
        over=OverItems((Flag,), FLAG, lambda _: FLAG, any, lambda *_: ANY, _unroll_any),
    ),
    Builtin(
        "all",
        takes=((Phrase("flags"),),),
        gives=FLAG,
        doc="Whether every one is true.",
        example="all(c.weight > 2 for c in colours)",
        result=False,
        over=OverItems((Flag,), FLAG, lambda _: FLAG, all, lambda *_: ANY, _unroll_all),
    ),
    Builtin(
        "min",
        takes=((Repeated(NUMBER),), (Of("list", NUMBER),)),
        gives=NUMBER,
        doc="The least; of a collection that may be empty it is a maybe.",
        example="min(c.weight for c in colours)",
        result=1,
        evaluate=on_values(min),
        interval=on_intervals(lambda *each: least(each)),
        lower=lower_to_call("min"),
        over=_extreme(_least),
    ),
    Builtin(
        "max",
        takes=((Repeated(NUMBER),), (Of("list", NUMBER),)),
        gives=NUMBER,
        doc="The greatest; of a collection that may be empty it is a maybe.",
        example="max(2, 5, 3)",
        result=5,
        evaluate=on_values(max),
        interval=on_intervals(lambda *each: greatest(each)),
        lower=lower_to_call("max"),
        over=_extreme(_greatest),
    ),
    Builtin(
        "first",
        takes=_COLLECTIONS,
        gives=Of("maybe", T),
        doc="The first item, in the order of the collection.",
        example="first(c for c in colours if c.weight > 1)",
        result="green",
        over=OverItems(
            (object,), "a single thing", lambda item: item, _first, _item_interval, _unroll_first, none_if_empty=True
        ),
    ),
    Builtin(
        "last",
        takes=_COLLECTIONS,
        gives=Of("maybe", T),
        doc="The last item, in the order of the collection.",
        example="last(c for c in colours if c.weight < 3)",
        result="green",
        over=OverItems(
            (object,), "a single thing", lambda item: item, _last, _item_interval, _unroll_last, none_if_empty=True
        ),
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
        over=OverItems((Member, Player, Owner), "a member or player", SetOf, _set, _set_interval, _unroll_set),
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
    Builtin(
        "places",
        takes=((Phrase("numbers over items"),),),
        gives=Of("list", Of("set", T)),
        doc="The items from the most to the least, equal ones together: a set for each place.",
        example="sum(size(g) for g in places(c.weight // 2 for c in colours) if size(g) > 1)",
        result=2,
        over=OverItems(
            (Number,),
            NUMBER,
            lambda item: ListOf(SetOf(item)),
            _places,
            _places_interval,
            ranks=True,
            ranked=(Member, Player, Owner),
        ),
    ),
    Builtin(
        "sets_worth",
        takes=((NameOf("sets"), Of("bag", K), Supplied(0)), (NameOf("sets"), Of("bag", K), NUMBER)),
        gives=NUMBER,
        doc="The most that the pieces, and so many wild ones, are worth in disjoint sets.",
        example="sets_worth(pairs, box, 1)",
        result=6,
        evaluate=lambda facts, call, counts, wild: facts.sets_worth(call.names[0], counts, wild),
        interval=_sets_worth_interval,
        lower=_lower_sets_worth,
    ),
)
