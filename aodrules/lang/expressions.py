"""Typed expressions: every name resolved, every type known. This is what both engines give a meaning to."""

from __future__ import annotations

from typing import TypeAlias

from attrs import frozen

from aodrules.lang.types import Type
from aodrules.source.spans import Span

Constant: TypeAlias = "int | bool | tuple[int, ...] | None"


@frozen(eq=False)
class Const:
    """A number, flag, none, member, or a list or set of members written out."""

    type: Type
    span: Span
    value: Constant


@frozen(eq=False)
class Local:
    """A parameter, loop name, `let`, `self` or `owner`."""

    type: Type
    span: Span
    name: str


@frozen(eq=False)
class FieldRead:
    """What a field holds. `at` has an expression for each of the field's dimensions, in order.

    Where a field has `only` and the member lacks it, the result is 0, false, none or empty.
    """

    type: Type
    span: Span
    field: str
    at: tuple[Expression, ...]


@frozen(eq=False)
class AttributeRead:
    """An attribute of a member; `at` indexes attributes that are tables."""

    type: Type
    span: Span
    attribute: str
    """`kind.attribute`, where kind is the one that declares it."""
    of: Expression
    at: tuple[Expression, ...] = ()


@frozen(eq=False)
class BagCount:
    """How many of one member a bag holds."""

    type: Type
    span: Span
    bag: Expression
    member: Expression


@frozen(eq=False)
class ItemAt:
    """The item of a list at an index from 0; none where there is none (also for a negative index)."""

    type: Type
    span: Span
    items: Expression
    index: Expression


@frozen(eq=False)
class PieceMember:
    """What an owned piece is."""

    type: Type
    span: Span
    piece: Expression


@frozen(eq=False)
class PieceOwner:
    """Whose an owned piece is."""

    type: Type
    span: Span
    piece: Expression


@frozen(eq=False)
class ValueCall:
    """A named value with its arguments, in the order of the declaration; modifiers apply."""

    type: Type
    span: Span
    value: str
    arguments: tuple[Expression, ...]


@frozen(eq=False)
class Operation:
    """An operator applied to its operands.

    `+ - * // % negate` on numbers; `== !=` on anything (none equals none only); `< <= > >=` on numbers and members of
    ordered kinds (both are `int`); `and or` (two or more operands, left to right, as far as needed) and `not`;
    `in`, `not in` on lists, sets and bags (a bag contains a member of which it holds one or more; a list of pieces
    contains a member if one of its pieces is that member); `| & -` on sets are `union intersection difference`.
    """

    type: Type
    span: Span
    operator: str
    operands: tuple[Expression, ...]


@frozen(eq=False)
class BuiltinCall:
    """A builtin of the table in `lang.builtins`. `names` are arguments that name a graph, grid or sets declaration."""

    type: Type
    span: Span
    builtin: str
    arguments: tuple[Expression, ...]
    names: tuple[str, ...] = ()


@frozen(eq=False)
class IsKind:
    """Whether a member is of a narrower kind; false for none."""

    type: Type
    span: Span
    of: Expression
    kind: str


@frozen(eq=False)
class IfElse:
    """One of two expressions."""

    type: Type
    span: Span
    condition: Expression
    then: Expression
    otherwise: Expression


@frozen(eq=False)
class WhenPresent:
    """None if `of` is none, else `then` with `name` bound to it: how `.` and `[]` work on a maybe."""

    type: Type
    span: Span
    name: str
    of: Expression
    then: Expression


@frozen(eq=False)
class Loop:
    """One `for name in items if ...` of a comprehension."""

    name: str
    item: Type
    items: Expression
    conditions: tuple[Expression, ...]


@frozen(eq=False)
class Comprehension:
    """`sum count any all min max first last list set` over one or more loops, the first outermost.

    `sum` skips none; `min`, `max` keep the first of equals and give none for nothing; `count` counts the items that are
    true (its item is a flag) or, written without a condition of its own, all; `any`, `all` may stop early.
    """

    type: Type
    span: Span
    gives: str
    item: Expression
    loops: tuple[Loop, ...]


@frozen(eq=False)
class PlaceRead:
    """What the place given as a parameter holds, like `FieldRead` of the field it stands for."""

    type: Type
    span: Span
    name: str
    owner: Expression | None = None
    """Whose part, where the field is per owner."""


@frozen(eq=False)
class LimitUsed:
    """How often a limited option, offer or reaction was used in a period."""

    type: Type
    span: Span
    limit: str
    """The id of the counter field."""
    whose: Expression | None


@frozen(eq=False)
class Possible:
    """Whether a shared option has a legal instance for `player` with these arguments."""

    type: Type
    span: Span
    option: str
    player: Expression
    arguments: tuple[Expression, ...]


@frozen(eq=False)
class AfterVerb:
    """What `then` would be worth if a verb were done first: nothing is changed by asking."""

    type: Type
    span: Span
    verb: str
    arguments: tuple[Expression, ...]
    then: Expression


@frozen(eq=False)
class Knows:
    """Whether a seat knows which piece lies in a place: a `maybe` field (index none) or a list field at an index.

    True where there is no piece and where the field is open.
    """

    type: Type
    span: Span
    player: Expression
    field: str
    at: tuple[Expression, ...]
    index: Expression | None = None


Expression: TypeAlias = (
    Const
    | Local
    | FieldRead
    | AttributeRead
    | BagCount
    | ItemAt
    | PieceMember
    | PieceOwner
    | ValueCall
    | Operation
    | BuiltinCall
    | IsKind
    | IfElse
    | WhenPresent
    | Comprehension
    | PlaceRead
    | LimitUsed
    | Possible
    | AfterVerb
    | Knows
)
