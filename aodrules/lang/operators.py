"""The one table of operators: types, words for the reference, meaning, interval and lowering of each.

What decides which of its operands are computed has a node and code of its own in each engine: `if else`, and of `and`
and `or` the order in which their operands are asked.
"""

from __future__ import annotations

import ast
import operator
from functools import partial
from typing import Any

from attrs import frozen

from aodrules.lang.builtins.entry import (
    Evaluate,
    FindInterval,
    FormulaBuilder,
    GameFacts,
    K,
    Lower,
    Of,
    Pattern,
    Phrase,
    SizeFacts,
    T,
    Term,
    TypeVariable,
    on_intervals,
    on_values,
)
from aodrules.lang.builtins.table import MEANINGS
from aodrules.lang.expressions import BagCount, BuiltinCall, Expression, FieldRead, IsKind, Local, Operation
from aodrules.lang.interval import Interval, divided, hull, minus, negated, overlap, plus, remainder, times, up_to
from aodrules.lang.types import FLAG, NUMBER, Bag, Member, Number, Owner, Piece, SetOf, Type, bare, item_of

ORDERED = TypeVariable("K", is_ordered=True)
"""A number, or a member of an ordered kind."""
SET = Of("set", T)


@frozen
class Operator:
    """A sign of the language. Examples are over the sample game of `tests/lang/sample.yaml`."""

    name: str
    """What an operation calls it; for most the sign itself."""
    syntax: type[ast.AST]
    takes: tuple[Pattern | Phrase, ...]
    gives: Pattern
    doc: str
    example: str
    result: object
    evaluate: Evaluate | None = None
    """(facts, operation, *values) → value."""
    interval: FindInterval | None = None
    """(sizes, operation, *intervals) → interval, if that is less than its type says."""
    lower: Lower | None = None
    """(builder, operation, *formulas) → formula."""
    sign: str = ""
    """What the reference calls it, where that is not its name."""
    words: str = ""
    """What it takes in words, where its types do not say it well."""
    deciding: bool | None = None
    """Of `and` and `or`: an operand like this decides the whole, and what follows it is not computed."""
    divides: bool = False
    """Whether the second operand must not be 0."""

    def signature(self) -> str:
        """Return what it takes, in words."""
        return self.words or ", ".join(map(str, self.takes))


# What they give.


def _member(facts: GameFacts, of: Type, item: int) -> int:
    """Return the member that a member or a piece is."""
    inner = bare(of)
    return item % facts.family_size(inner.kind) if isinstance(inner, Piece) else item


def _contains(facts: GameFacts, operation: Operation, wanted: int | None, held: Any) -> bool:
    item, items = operation.operands
    if wanted is None:
        return False
    if isinstance(items.type, SetOf):
        return bool(held >> wanted & 1)
    if isinstance(items.type, Bag):
        return bool(held[_member(facts, item.type, wanted)])
    within = item_of(items.type)
    if isinstance(bare(within), Piece) and isinstance(bare(item.type), Member):
        return any(_member(facts, within, one) == wanted for one in held)
    return wanted in held


def _is_kind(facts: GameFacts, test: IsKind, found: int | None) -> bool:
    if found is None:
        return False
    if not isinstance(bare(test.of.type), Owner):
        return _member(facts, test.of.type, found) in facts.places(test.kind)
    if test.kind == "player":
        return found < facts.seats
    return found - facts.first_side(test.kind) in facts.places(test.kind)


# Where that lies.


def _union_interval(sizes: SizeFacts, operation: Operation, left: Interval, right: Interval) -> Interval:
    most = sizes.of_type(operation.type)
    return most if left.high is None or right.high is None else overlap(most, up_to(left.most + right.most))


def _intersection_interval(sizes: SizeFacts, operation: Operation, *sets: Interval) -> Interval:
    fewest = min((each.high for each in sets if each.high is not None), default=None)
    return overlap(sizes.of_type(operation.type), up_to(fewest))


def _difference_interval(sizes: SizeFacts, operation: Operation, left: Interval, _: Interval) -> Interval:
    return overlap(sizes.of_type(operation.type), up_to(left.high))


# How generated code computes them.


def _lower_binary(build: FormulaBuilder, operation: Operation, left: Term, right: Term) -> Term:
    return build.op(operation.operator, left, right)


def _lower_comparison(build: FormulaBuilder, operation: Operation, left: Term, right: Term) -> Term:
    """Return a test; whether a number that is never negative is 0 is the cheapest of all."""
    sign = operation.operator
    if build.is_known(right) and not build.is_known(left) and is_natural(operation.operands[0]):
        if (sign, build.value(right)) in {(">", 0), ("!=", 0), (">=", 1)}:
            return build.nonzero(left)
        if (sign, build.value(right)) in {("==", 0), ("<=", 0), ("<", 1)}:
            return build.negate(build.nonzero(left))
    return build.op(sign, left, right)


def is_natural(expression: Expression) -> bool:
    """Whether an expression is a number that is never negative, seen from its form alone."""
    if isinstance(expression, BagCount):
        return True
    if isinstance(expression, BuiltinCall):
        return MEANINGS[expression.builtin].never_negative
    of = expression.type
    known = isinstance(expression, FieldRead | Local) and isinstance(of, Number)
    return known and isinstance(of, Number) and of.low is not None and of.low >= 0


def _lower_equality(build: FormulaBuilder, operation: Operation, left: Term, right: Term) -> Term:
    for one, other in ((left, right), (right, left)):
        if build.is_known(other) and build.value(other) is None:
            return build.is_none(one) if operation.operator == "==" else build.negate(build.is_none(one))
    return _lower_comparison(build, operation, left, right)


def _lower_in(build: FormulaBuilder, operation: Operation, wanted: Term, held: Term) -> Term:
    item, items = operation.operands

    def contains(one: Term) -> Term:
        if isinstance(items.type, SetOf):
            return build.nonzero((held >> one) & 1)
        if isinstance(items.type, Bag):
            return build.nonzero(build.bag_count(held, build.member_of(one, item.type), items.type))
        within = bare(item_of(items.type))
        if isinstance(within, Piece) and isinstance(bare(item.type), Member):
            return build.call("holds_member", held, one, build.family_size(within.kind))
        return build.op("in", one, held)

    return build.if_present(wanted, item.type, contains, build.constant(value=False))


def _lower_is(build: FormulaBuilder, test: IsKind, found: Term) -> Term:
    if isinstance(bare(test.of.type), Owner):
        return build.if_present(found, test.of.type, partial(_lower_is_owner, build, test), build.constant(value=False))
    places = build.places(test.kind)
    table = [number in places for number in range(build.family_size(test.kind))]
    return build.if_present(
        found,
        test.of.type,
        lambda one: build.table(table, build.member_of(one, test.of.type)),
        build.constant(value=False),
    )


def _lower_is_owner(build: FormulaBuilder, test: IsKind, owner: Term) -> Term:
    if test.kind == "player":
        return build.op("<", owner, build.constant(build.seats))
    first = build.first_side(test.kind)
    return build.op("in", owner, build.constant(tuple(first + place for place in build.places(test.kind))))


_arithmetic = partial(Operator, takes=(NUMBER, NUMBER), gives=NUMBER, lower=_lower_binary)
_equality = partial(Operator, takes=(T, T), gives=FLAG, lower=_lower_equality)
_ordering = partial(Operator, takes=(ORDERED, ORDERED), gives=FLAG, lower=_lower_comparison)
_of_sets = partial(Operator, takes=(SET, SET), gives=SET)
_like_less = partial(_ordering, words="as <")

OPERATORS: tuple[Operator, ...] = (
    _arithmetic(
        "+",
        ast.Add,
        doc="The sum.",
        example="2 + 3",
        result=5,
        evaluate=on_values(operator.add),
        interval=on_intervals(plus),
    ),
    _arithmetic(
        "-",
        ast.Sub,
        doc="The difference.",
        example="2 - 3",
        result=-1,
        evaluate=on_values(operator.sub),
        interval=on_intervals(minus),
    ),
    _arithmetic(
        "*",
        ast.Mult,
        doc="The product.",
        example="2 * 3",
        result=6,
        evaluate=on_values(operator.mul),
        interval=on_intervals(times),
    ),
    _arithmetic(
        "//",
        ast.FloorDiv,
        doc="Division, rounded down; the divisor is never 0.",
        example="7 // 2",
        result=3,
        evaluate=on_values(operator.floordiv),
        interval=on_intervals(divided),
        divides=True,
    ),
    _arithmetic(
        "%",
        ast.Mod,
        doc="What is left by that division.",
        example="7 % 2",
        result=1,
        evaluate=on_values(operator.mod),
        interval=on_intervals(remainder),
        divides=True,
    ),
    Operator(
        "negate",
        ast.USub,
        takes=(NUMBER,),
        gives=NUMBER,
        doc="The number with the other sign.",
        example="-len(colours)",
        result=-3,
        evaluate=on_values(operator.neg),
        interval=on_intervals(negated),
        lower=lambda build, _, number: build.op("-", 0, number),
        sign="- (one number)",
    ),
    _equality(
        "==",
        ast.Eq,
        doc="Whether two things are the same.",
        example="colours.red == colours.green",
        result=False,
        evaluate=on_values(operator.eq),
    ),
    _equality(
        "!=",
        ast.NotEq,
        doc="Whether two things differ.",
        example="colours.red != colours.green",
        result=True,
        evaluate=on_values(operator.ne),
    ),
    _ordering(
        "<",
        ast.Lt,
        doc="Whether the first is less.",
        example="colours.red < colours.green",
        result=True,
        evaluate=on_values(operator.lt),
        words="number, number or K, K of an ordered kind",
    ),
    _like_less(
        "<=",
        ast.LtE,
        doc="Whether the first is not more.",
        example="2 <= 2",
        result=True,
        evaluate=on_values(operator.le),
    ),
    _like_less(
        ">", ast.Gt, doc="Whether the first is more.", example="2 > 3", result=False, evaluate=on_values(operator.gt)
    ),
    _like_less(
        ">=",
        ast.GtE,
        doc="Whether the first is not less.",
        example="2 >= 3",
        result=False,
        evaluate=on_values(operator.ge),
    ),
    Operator(
        "and",
        ast.And,
        takes=(FLAG, FLAG),
        gives=FLAG,
        doc="Whether both hold.",
        example="true and false",
        result=False,
        lower=lambda build, _, *tests: build.all_of(*tests),
        deciding=False,
    ),
    Operator(
        "or",
        ast.Or,
        takes=(FLAG, FLAG),
        gives=FLAG,
        doc="Whether one holds.",
        example="true or false",
        result=True,
        lower=lambda build, _, *tests: build.any_of(*tests),
        deciding=True,
    ),
    Operator(
        "not",
        ast.Not,
        takes=(FLAG,),
        gives=FLAG,
        doc="Whether it does not hold.",
        example="not true",
        result=False,
        evaluate=on_values(operator.not_),
        lower=lambda build, _, test: build.negate(test),
    ),
    Operator(
        "in",
        ast.In,
        takes=(T, Of("collection", T)),
        gives=FLAG,
        doc="Whether it is there.",
        example="red in box",
        result=True,
        evaluate=_contains,
        lower=_lower_in,
        words="T, list of T, set of T or bag of K",
    ),
    Operator(
        "not in",
        ast.NotIn,
        takes=(T, Of("collection", T)),
        gives=FLAG,
        doc="Whether it is not there.",
        example="red not in box",
        result=False,
        evaluate=lambda *given: not _contains(*given),
        lower=lambda build, *given: build.negate(_lower_in(build, *given)),
        words="as in",
    ),
    Operator(
        "is",
        ast.Is,
        takes=(K, Phrase("kind")),
        gives=FLAG,
        doc="Whether the member is of the narrower kind.",
        example="colours.red is warm",
        result=True,
        evaluate=_is_kind,
        lower=_lower_is,
        words="member, kind",
    ),
    _of_sets(
        "union",
        ast.BitOr,
        doc="What is in one or the other.",
        example="size(neighbours(roads, north) | neighbours(roads, south))",
        result=2,
        evaluate=on_values(operator.or_),
        interval=_union_interval,
        lower=lambda _, __, left, right: left | right,
        sign="|",
    ),
    _of_sets(
        "intersection",
        ast.BitAnd,
        doc="What is in both.",
        example="size(neighbours(roads, north) & neighbours(roads, south))",
        result=0,
        evaluate=on_values(operator.and_),
        interval=_intersection_interval,
        lower=lambda _, __, left, right: left & right,
        sign="&",
    ),
    _of_sets(
        "difference",
        ast.Sub,
        doc="What is in the first only.",
        example="size(neighbours(roads, north) - neighbours(roads, north))",
        result=0,
        evaluate=on_values(lambda left, right: left & ~right),
        interval=_difference_interval,
        lower=lambda _, __, left, right: left - (left & right),
        sign="- (sets)",
    ),
    Operator(
        "listed",
        ast.List,
        takes=(T, T),
        gives=Of("list", T),
        doc="These things, in this order.",
        example="sum(n for n in [2, 3, 3])",
        result=8,
        evaluate=on_values(lambda *items: items),
        interval=on_intervals(lambda *items: Interval(len(items), len(items), hull(*items))),
        lower=lambda build, _, *items: build.tuple_of(items),
        sign="[x, y ...]",
        words="T, T ...",
    ),
    Operator(
        "if else",
        ast.IfExp,
        takes=(FLAG, T, T),
        gives=T,
        doc="One of two.",
        example="1 if 2 == 3 else 2",
        result=2,
    ),
)
OPERATIONS: dict[str, Operator] = {each.name: each for each in OPERATORS}
"""By name."""


def operator_of(syntax: ast.AST, *, on_sets: bool = False) -> Operator | None:
    """Return the operator that a part of an expression is written with, on sets or on anything else."""
    found = (each for each in OPERATORS if each.syntax is type(syntax) and (each.takes[0] is SET) is on_sets)
    return next(found, None)
