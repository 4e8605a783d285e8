"""What pieces are worth together."""

from __future__ import annotations

from aodrules.lang.builtins.entry import (
    Builtin,
    FormulaBuilder,
    GameFacts,
    K,
    NameOf,
    Of,
    SizeFacts,
    Supplied,
    Term,
)
from aodrules.lang.expressions import BuiltinCall
from aodrules.lang.interval import Interval, between
from aodrules.lang.types import NUMBER


def _sets_worth(facts: GameFacts, call: BuiltinCall, counts: tuple[int, ...], wild: int) -> int:
    return facts.sets_worth(call.names[0], counts, wild)


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
        "sets_worth",
        takes=((NameOf("sets"), Of("bag", K), Supplied(0)), (NameOf("sets"), Of("bag", K), NUMBER)),
        gives=NUMBER,
        doc="The most that the pieces, and so many wild ones, are worth in disjoint sets.",
        example="sets_worth(pairs, box, 1)",
        result=6,
        evaluate=_sets_worth,
        interval=_sets_worth_interval,
        lower=_lower_sets_worth,
    ),
)
