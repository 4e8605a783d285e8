"""Optional decisions: most stay shut, so codes are listed only where one beside passing could be legal.

Before and after:

    codes = legal_sell(player)                    if tiles & 12 or cash > 3:
    if len(codes) > 1:                       →        codes = legal_sell(player)
        ask ...                                       if len(codes) > 1:
                                                          ask ...
"""

from __future__ import annotations

from aodrules.compiler.formulas import Formula, Literal, any_of, conjuncts
from aodrules.compiler.nodes import AppendCode, Branch, Function
from aodrules.compiler.visit import form
from aodrules.source.spans import Span


def guard_listing(legal: Function, span: Span) -> Formula:
    """Return what must hold for a list of codes to hold more than the last, as far as that is easily seen."""
    tests: list[Formula] = []
    for statement in legal.body[:-1]:
        if not isinstance(statement, Branch) or statement.otherwise:
            return Literal(span, value=True)
        tests.append(statement.condition)
    return any_of(span, *_drop_stronger(tests)) if isinstance(legal.body[-1], AppendCode) else Literal(span, value=True)


def _drop_stronger(tests: list[Formula]) -> list[Formula]:
    """Return some conditions without those that can only hold where another holds too."""
    kept: dict[frozenset[object], Formula] = {}
    for test in tests:
        kept.setdefault(frozenset(map(form, conjuncts(test))), test)
    return [test for own, test in kept.items() if not any(other < own for other in kept)]
