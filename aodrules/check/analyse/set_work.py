"""How long it may take to find the best scoring sets."""

from __future__ import annotations

from math import comb

from aodrules.check.analyse.sizes import Sizes
from aodrules.check.checked import CheckedRules
from aodrules.lang.expressions import BuiltinCall
from aodrules.lang.types import Bag

MOST_DIFFERENT = 400  # Each set of different pieces is found inside another search, and Python nests a thousand.
_WITHOUT_END = 10**12


def work_of_sets(rules: CheckedRules, measures: Sizes, call: BuiltinCall, wild: int) -> int:
    """Return the most steps of a search for sets in a bag, with at most so many wild pieces."""
    sets, bag = rules.sets.get(call.names[0]), call.arguments[0].type
    if sets is None or not isinstance(bag, Bag):
        return 0
    copies, members = measures.copies(bag.kind), len(measures.members(bag.kind))
    pieces, most = sum(copies), max(copies, default=0)
    ways = sum(min(sets.wild_per_set, each.size) + 1 for each in sets.shapes)
    # What is left is told by its number alone, unless some sets are of different pieces.
    left = pieces + 1
    before = members * left  # What can be left before each kind in turn is looked at.
    if any(each.different and not each.alike for each in sets.shapes):
        if pieces + wild > MOST_DIFFERENT:
            return _WITHOUT_END
        left, before = comb(members + most, most), comb(members + most, most + 1)
    return (before * min(most + 1, ways) + left * ways) * (wild + 1)
