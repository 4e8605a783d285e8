"""How many there are in a collection, and where."""

from __future__ import annotations

from typing import Any

from aodrules.lang.builtins.entry import (
    Builtin,
    FormulaBuilder,
    GameFacts,
    K,
    Of,
    SizeFacts,
    T,
    Term,
)
from aodrules.lang.expressions import BuiltinCall
from aodrules.lang.interval import Interval, up_to
from aodrules.lang.types import NUMBER, SetOf, items_in


def _size(_: GameFacts, call: BuiltinCall, held: Any) -> int:
    return int(held).bit_count() if isinstance(call.arguments[0].type, SetOf) else sum(held)


def _size_interval(_: SizeFacts, __: BuiltinCall, items: Interval) -> Interval:
    return Interval(max(0, items.low or 0), items.high, quiet=items.quiet)


def _len(_: GameFacts, call: BuiltinCall, held: Any) -> int:
    return len(items_in(call.arguments[0].type, held))


def _index(_: GameFacts, call: BuiltinCall, held: Any, item: int) -> int:
    items = items_in(call.arguments[0].type, held)
    return items.index(item) if item in items else len(items)


def _index_interval(_: SizeFacts, __: BuiltinCall, items: Interval, ___: Interval) -> Interval:
    return up_to(items.high)


def _lower_size(build: FormulaBuilder, call: BuiltinCall, held: Term) -> Term:
    of = call.arguments[0].type
    return build.call("set_size", held) if isinstance(of, SetOf) else build.bag_size(held, of)


def _lower_len(build: FormulaBuilder, call: BuiltinCall, held: Term) -> Term:
    return build.call("len", build.items(held, call.arguments[0].type))


def _lower_index(build: FormulaBuilder, call: BuiltinCall, held: Term, item: Term) -> Term:
    return build.call("index_of", build.items(held, call.arguments[0].type), item)


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
        evaluate=_len,
        interval=_size_interval,
        lower=_lower_len,
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
        interval=_index_interval,
        lower=_lower_index,
    ),
)
