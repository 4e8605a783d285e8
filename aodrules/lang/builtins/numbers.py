"""Numbers, and one thing or another."""

from __future__ import annotations

from itertools import pairwise

from attrs import evolve

from aodrules.lang.builtins.entry import (
    Builtin,
    FormulaBuilder,
    GameFacts,
    K,
    Of,
    SizeFacts,
    Supplied,
    T,
    Term,
    TypeVariable,
    lower_to_call,
    member_kind,
    on_intervals,
    on_values,
)
from aodrules.lang.expressions import BuiltinCall
from aodrules.lang.interval import Interval, between, hull, magnitude, overlap, up_to
from aodrules.lang.types import NUMBER, Maybe


def _range_interval(sizes: SizeFacts, call: BuiltinCall, start: Interval, stop: Interval) -> Interval:
    size = between(max(0, stop.floor - start.ceiling), max(0, stop.ceiling - start.floor))
    item = between(start.floor, stop.ceiling - 1, quiet=start.quiet or stop.quiet)
    longest = sizes.longest_range(call)
    return evolve(overlap(size, up_to(longest)) if longest is not None else size, item=item)


def _next(facts: GameFacts, call: BuiltinCall, member: int) -> int | None:
    places = facts.places(member_kind(call.arguments[0].type))
    return next((place for place in places if place > member), None)


def _lower_either(build: FormulaBuilder, call: BuiltinCall, first: Term, second: Term) -> Term:
    if not isinstance(call.arguments[0].type, Maybe) and not build.is_known(first):
        return first
    return build.once(first, lambda one: build.select(build.is_none(one), second, one))


def _lower_next(build: FormulaBuilder, call: BuiltinCall, member: Term) -> Term:
    kind = member_kind(call.arguments[0].type)
    following = dict(pairwise(build.places(kind)))
    return build.table([following.get(one) for one in range(build.family_size(kind))], member)


BUILTINS = (
    Builtin(
        "either",
        takes=((Of("maybe", T), TypeVariable("T", widens=True)),),
        gives=T,
        doc="The first if there is one, else the second.",
        example="either(token, blue)",
        result="blue",
        evaluate=on_values(lambda first, second: second if first is None else first),
        interval=on_intervals(hull),
        lower=_lower_either,
    ),
    Builtin(
        "abs",
        takes=((NUMBER,),),
        gives=NUMBER,
        doc="The number without its sign.",
        example="abs(2 - 5)",
        result=3,
        evaluate=on_values(abs),
        interval=on_intervals(magnitude),
        lower=lower_to_call("abs"),
    ),
    Builtin(
        "range",
        takes=((Supplied(0), NUMBER), (NUMBER, NUMBER)),
        gives=Of("list", NUMBER),
        doc="The whole numbers from the first (or 0) up to but not including the last.",
        example="sum(n for n in range(1, 4))",
        result=6,
        evaluate=on_values(lambda start, stop: tuple(range(start, stop))),
        interval=_range_interval,
        lower=lower_to_call("numbers"),
        lower_for_loop=lower_to_call("range"),
        needs_bounds=True,
    ),
    Builtin(
        "next",
        takes=((TypeVariable("K", is_ordered=True),),),
        gives=Of("maybe", K),
        doc="The following member of an ordered kind.",
        example="next(colours.red)",
        result="green",
        evaluate=_next,
        lower=_lower_next,
    ),
)
