"""The one table of operators: what each is called, takes and gives, with an example that is run.

Examples are expressions over the sample game of `tests/lang/sample.yaml`, with the result they have there.
"""

from __future__ import annotations

from attrs import frozen


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
