"""The one table of operators and builtins: what each is called, takes and gives, with an example that is run.

Examples are expressions over the sample game of `tests/lang/sample.yaml`, with the result they have there.
"""

from __future__ import annotations

from attrs import frozen


@frozen
class Builtin:
    """A word of the language that computes something."""

    name: str
    takes: tuple[str, ...]
    """A signature for each way to call it, in words of the language: `bag of K`, `list of T`, `number` ..."""
    gives: str
    doc: str
    example: str
    result: object
    over_items: bool = False
    """Whether it may be written over a comprehension: `sum(x for y in z)`."""


BUILTINS: dict[str, Builtin] = {
    builtin.name: builtin
    for builtin in (
        Builtin("size", ("bag of K", "set of T"), "number", "How many pieces or members.", "size(box)", 6),
        Builtin("len", ("list of T",), "number", "How many items of a list or collection.", "len(colours)", 3),
        Builtin(
            "index",
            ("list of T, T",),
            "number",
            "The place of the first such item, from 0; the length if there is none.",
            "index(colours, green)",
            1,
        ),
        Builtin(
            "sum",
            ("list of number",),
            "number",
            "The total; none counts nothing.",
            "sum(c.weight for c in colours)",
            6,
            True,
        ),
        Builtin("count", ("flags",), "number", "How many are true.", "count(c.weight > 1 for c in colours)", 2, True),
        Builtin("any", ("flags",), "flag", "Whether one is true.", "any(c.weight > 2 for c in colours)", True, True),
        Builtin(
            "all", ("flags",), "flag", "Whether every one is true.", "all(c.weight > 2 for c in colours)", False, True
        ),
        Builtin(
            "min",
            ("number, number ...", "list of number"),
            "number",
            "The least; of a collection that may be empty it is a maybe.",
            "min(c.weight for c in colours)",
            1,
            True,
        ),
        Builtin(
            "max",
            ("number, number ...", "list of number"),
            "number",
            "The greatest; of a collection that may be empty it is a maybe.",
            "max(2, 5, 3)",
            5,
            True,
        ),
        Builtin(
            "first",
            ("list of T", "set of T", "bag of K"),
            "maybe T",
            "The first item, in the order of the collection.",
            "first(c for c in colours if c.weight > 1)",
            "green",
            True,
        ),
        Builtin(
            "last",
            ("list of T", "set of T", "bag of K"),
            "maybe T",
            "The last item, in the order of the collection.",
            "last(c for c in colours if c.weight < 3)",
            "green",
            True,
        ),
        Builtin(
            "list", ("list of T", "set of T", "bag of K"), "list of T", "The items in order.", "len(list(box))", 6, True
        ),
        Builtin(
            "set", ("list of T", "bag of K"), "set of T", "The items, each once.", "size(set(c for c in box))", 3, True
        ),
        Builtin(
            "ranked",
            ("numbers over items",),
            "list of T",
            "The items from the most to the least; equal ones keep their order.",
            "first(ranked(c.weight for c in colours))",
            "blue",
            True,
        ),
        Builtin(
            "either", ("maybe T, T",), "T", "The first if there is one, else the second.", "either(token, blue)", "blue"
        ),
        Builtin("abs", ("number",), "number", "The number without its sign.", "abs(2 - 5)", 3),
        Builtin(
            "range",
            ("number", "number, number"),
            "list of number",
            "The whole numbers from the first (or 0) up to but not including the last.",
            "sum(n for n in range(1, 4))",
            6,
        ),
        Builtin("next", ("K",), "maybe K", "The following member of an ordered kind.", "next(colours.red)", "green"),
        Builtin(
            "seats_from",
            ("player",),
            "list of player",
            "The players still in the game, clockwise from this seat.",
            "len(seats_from(opener))",
            2,
        ),
        Builtin(
            "knows",
            ("player, hidden K",),
            "flag",
            "Whether the player knows which piece lies there.",
            "knows(opener, token)",
            True,
        ),
        Builtin(
            "used",
            ("limit", "limit, player"),
            "number",
            "How often something limited was used in the first period of its limit.",
            "used(peek, opener)",
            0,
        ),
        Builtin(
            "possible",
            ("option, arguments ...",),
            "flag",
            "Whether a shared option has a legal instance.",
            "possible(peek)",
            True,
        ),
        Builtin(
            "sets_worth",
            ("sets, bag of K", "sets, bag of K, number"),
            "number",
            "The most that the pieces, and so many wild ones, are worth in disjoint sets.",
            "sets_worth(pairs, box, 1)",
            6,
        ),
        Builtin(
            "neighbours",
            ("graph, K", "cell"),
            "set of K",
            "The members next to this one.",
            "size(neighbours(roads, north))",
            1,
        ),
        Builtin(
            "around",
            ("cell, number",),
            "maybe cell",
            "The cell next to this one in a direction, from 0; none where the grid ends.",
            "around(cells.a1, 3) == none",
            True,
        ),
        Builtin("edge", ("cell",), "flag", "Whether the cell lies at the border of the grid.", "edge(cells.b2)", False),
        Builtin(
            "connected",
            ("graph, K, set of K", "cell, set of cell"),
            "set of K",
            "What can be reached from here inside the set; nothing if here is outside it.",
            "size(connected(roads, north, set(p for p in posts)))",
            2,
        ),
        Builtin(
            "reach",
            ("graph, K, number, set of K", "cell, number, set of cell"),
            "set of K",
            "What is at most so many steps away (not here itself) if every member passed on the way is in the set.",
            "size(reach(roads, north, 1, set(p for p in posts)))",
            1,
        ),
        Builtin(
            "distance",
            ("graph, K, K", "cell, cell"),
            "maybe number",
            "The fewest steps from one to the other; none if there is no way.",
            "either(distance(roads, north, south), 9)",
            1,
        ),
    )
}


@frozen
class Operator:
    """A sign of the language: Python's spelling, ours, and what it does."""

    sign: str
    takes: str
    gives: str
    doc: str
    example: str
    result: object


OPERATORS: tuple[Operator, ...] = (
    Operator("+", "number, number", "number", "The sum.", "2 + 3", 5),
    Operator("-", "number, number", "number", "The difference.", "2 - 3", -1),
    Operator("*", "number, number", "number", "The product.", "2 * 3", 6),
    Operator("//", "number, number", "number", "Division, rounded down; the divisor is never 0.", "7 // 2", 3),
    Operator("%", "number, number", "number", "What is left by that division.", "7 % 2", 1),
    Operator("==", "T, T", "flag", "Whether two things are the same.", "colours.red == colours.green", False),
    Operator("!=", "T, T", "flag", "Whether two things differ.", "colours.red != colours.green", True),
    Operator(
        "<",
        "number, number or K, K of an ordered kind",
        "flag",
        "Whether the first is less.",
        "colours.red < colours.green",
        True,
    ),
    Operator("<=", "as <", "flag", "Whether the first is not more.", "2 <= 2", True),
    Operator(">", "as <", "flag", "Whether the first is more.", "2 > 3", False),
    Operator(">=", "as <", "flag", "Whether the first is not less.", "2 >= 3", False),
    Operator("and", "flag, flag", "flag", "Whether both hold.", "true and false", False),
    Operator("or", "flag, flag", "flag", "Whether one holds.", "true or false", True),
    Operator("not", "flag", "flag", "Whether it does not hold.", "not true", False),
    Operator("in", "T, list of T, set of T or bag of K", "flag", "Whether it is there.", "red in box", True),
    Operator("not in", "as in", "flag", "Whether it is not there.", "red not in box", False),
    Operator("is", "member, kind", "flag", "Whether the member is of the narrower kind.", "colours.red is warm", True),
    Operator(
        "|",
        "set of T, set of T",
        "set of T",
        "What is in one or the other.",
        "size(neighbours(roads, north) | neighbours(roads, south))",
        2,
    ),
    Operator(
        "&",
        "set of T, set of T",
        "set of T",
        "What is in both.",
        "size(neighbours(roads, north) & neighbours(roads, south))",
        0,
    ),
    Operator(
        "- (sets)",
        "set of T, set of T",
        "set of T",
        "What is in the first only.",
        "size(neighbours(roads, north) - neighbours(roads, north))",
        0,
    ),
    Operator("if else", "flag, T, T", "T", "One of two.", "1 if 2 == 3 else 2", 2),
)
