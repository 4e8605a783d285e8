"""Which of several reasons fits best, what the player has before what lies elsewhere; and what may not be told."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from aodrules.check.checked import CheckedRules
from aodrules.check.visit import everything_in
from aodrules.interpreter.options import Failure
from aodrules.lang.expressions import (
    AttributeRead,
    BuiltinCall,
    Expression,
    FieldRead,
    Local,
    PlaceRead,
    Possible,
    ValueCall,
)
from aodrules.lang.types import HiddenPiece, ListOf, Maybe, SetOf

ME = frozenset({"player"})
"""The names that stand for who decides."""
_Known: TypeAlias = dict[tuple[str, frozenset[str]], set[bool]]
"""By value, and by those of its parameters that stand for who decides: what it reads."""


def best_first(rules: CheckedRules, failures: Iterable[Failure]) -> list[Failure]:
    """Return failures in the order in which they are told; those alike stay in the order written.

    First what speaks of the answer itself and of what the player has, then what also speaks of something else, and at
    last what speaks of other things alone, such as a place that is full.
    """
    return sorted(failures, key=lambda failure: _distance(rules, failure))


def _distance(rules: CheckedRules, failure: Failure) -> int:
    """Return how far from the player's own things a failure is: 0 those alone, 1 those and others, 2 others alone."""
    if failure.condition is None:
        return 0
    read = _things_read(rules, failure.condition.expression, ME, {})
    return 0 if read <= {True} else 1 if True in read else 2


def is_own(expression: Expression, me: frozenset[str] = ME) -> bool:
    """Whether an expression reads what belongs to who decides."""
    return isinstance(expression, FieldRead) and any(isinstance(one, Local) and one.name in me for one in expression.at)


def is_hidden(rules: CheckedRules, expression: Expression) -> bool:
    """Whether an expression gives pieces that who decides need not know, though whether there are any is open."""
    if isinstance(expression, FieldRead):
        secret = rules.fields[expression.field].secret
        return secret == "content" or (secret == "owner" and not is_own(expression))  # noqa: S105 - words of the language
    type_ = expression.type
    return isinstance(type_, HiddenPiece) or (
        isinstance(type_, Maybe | ListOf | SetOf) and isinstance(type_.of, HiddenPiece)
    )


def _things_read(rules: CheckedRules, expression: Expression, me: frozenset[str], known: _Known) -> set[bool]:
    """Return what an expression reads beside the answer itself: the player's own things (true), others (false)."""
    found: set[bool] = set()
    for part in everything_in(expression):
        if isinstance(part, FieldRead):
            found.add(is_own(part, me))
        elif isinstance(part, AttributeRead | PlaceRead | Possible) or _is_of_the_table(part):
            found |= {False}
        elif isinstance(part, ValueCall):
            value = rules.values[part.value]
            given = zip(value.parameters, part.arguments, strict=True)
            mine = frozenset(one.name for one, said in given if isinstance(said, Local) and said.name in me)
            if (part.value, mine) not in known:
                known[part.value, mine] = set()  # for values that call themselves
                known[part.value, mine] = _things_read(rules, value.formula, mine, known)
            found |= known[part.value, mine]
    return found


def _is_of_the_table(expression: Expression) -> bool:
    """Whether a builtin looks at a map or at all players, not at its arguments alone."""
    return isinstance(expression, BuiltinCall) and bool(expression.names)
