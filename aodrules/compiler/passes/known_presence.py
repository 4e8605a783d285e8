"""What was found to be there is not tested again, and a name for another name is that name.

    card is not None                              card is not None
    and (let it = card:                    →      and cost[card] < 3
         (9 if it is None else cost[it]) < 3)

Nothing that a formula reads changes while it is computed, so what a test has shown holds for all that is computed only
where it was passed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from attrs import define, evolve, field

from aodrules.compiler.formulas import (
    Bind,
    CellRead,
    ComputedOnce,
    Formula,
    Generator,
    Literal,
    Memoized,
    Op,
    Reduce,
    Select,
    Variable,
    conjuncts,
    disjuncts,
    negate,
    rebuild,
    select,
)
from aodrules.compiler.visit import Node, form, map_children, rename_variables, transform

Presence: TypeAlias = "Mapping[object, bool]"
"""By form of a variable or a read: whether it is none."""


@define(eq=False)
class KnownPresence:
    """Lets nothing be tested for none that was tested before, in everything that was planned."""

    _remembered: dict[Memoized, Memoized] = field(factory=dict)
    """What became of them: those that were one, and so share a table, stay one."""

    def drop_tests(self, node: Node) -> Node:
        """Return a node in whose formulas nothing is tested for none that was tested before."""
        return transform(node, lambda part: self._settle(part, {}) if isinstance(part, Formula) else part)

    def _settle(self, formula: Any, known: Presence) -> Any:
        """Return a formula, or tuple of them, as it is where some things are known to be there or not."""
        match formula:
            case tuple():
                return self._settle_each(formula, known)
            case Op():
                return self._settle_operation(formula, known)
            case Select(span, condition, then, otherwise):
                test = self._settle(condition, known)
                holds, fails = ({**known, **_shown(test, holds=one)} for one in (True, False))
                return select(span, test, self._settle(then, holds), self._settle(otherwise, fails))
            case Bind(_, name, Variable(_, other), body):
                return self._settle(rename_variables(body, {name: other}), known)
            case Reduce():
                return self._settle_fold(formula, known)
            case Memoized():
                if formula not in self._remembered:
                    self._remembered[formula] = map_children(formula, lambda part: self._settle(part, {}))
                return self._remembered[formula]
            case ComputedOnce():
                known = {}  # What it is once found to be counts elsewhere too.
        return map_children(formula, lambda part: self._settle(part, known))

    def _settle_operation(self, formula: Op, known: Presence) -> Formula:
        sign, operands = formula.operator, formula.operands
        if sign in {"is", "is not"} and (tested := _tested(formula)) in known:
            return Literal(formula.span, known[tested] is (sign == "is"))
        if sign in {"and", "or"}:
            settled = self._settle_in_order(operands, known, holds=sign == "and")
        else:
            settled = self._settle_each(operands, known)
        return formula if settled is operands else rebuild(formula, settled)

    def _settle_each(self, parts: tuple[Any, ...], known: Presence) -> tuple[Any, ...]:
        settled = tuple([self._settle(one, known) if isinstance(one, Formula | tuple) else one for one in parts])
        return parts if all(new is old for new, old in zip(settled, parts, strict=True)) else settled

    def _settle_in_order(self, tests: tuple[Formula, ...], known: Presence, *, holds: bool) -> tuple[Formula, ...]:
        """Return tests of which each is made only if those before it hold, or do not."""
        settled: list[Formula] = []
        for one in tests:
            settled.append(self._settle(one, known))
            known = {**known, **_shown(settled[-1], holds=holds)}
        return tests if all(new is old for new, old in zip(settled, tests, strict=True)) else tuple(settled)

    def _settle_fold(self, fold: Reduce, known: Presence) -> Reduce:
        loops = []
        for loop in fold.loops:
            items = self._settle(loop.items, known)
            conditions = self._settle_in_order(loop.conditions, known, holds=True)
            for condition in conditions:
                known = {**known, **_shown(condition, holds=True)}
            is_same = items is loop.items and conditions is loop.conditions
            loops.append(loop if is_same else Generator(loop.name, items, conditions))
        item = self._settle(fold.item, known)
        is_same = item is fold.item and all(new is old for new, old in zip(loops, fold.loops, strict=True))
        return fold if is_same else evolve(fold, loops=tuple(loops), item=item)


def _shown(test: Formula, *, holds: bool) -> dict[object, bool]:
    """Return what is known to be none or not, if a test holds or does not."""
    found: dict[object, bool] = {}
    for one in conjuncts(test) if holds else tuple(map(negate, disjuncts(test))):
        match one:
            case Op(_, "is" | "is not" as sign) if (tested := _tested(one)) is not None:
                found[tested] = sign == "is"
    return found


def _tested(test: Op) -> object | None:
    """Return the form of what is compared with none; none if it is not easily known again."""
    match test.operands:
        case (Variable() | CellRead() as subject, Literal(_, None)):
            return form(subject)
    return None
