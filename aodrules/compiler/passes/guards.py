"""What must hold for anything to be done at all: where that is not so, a loop or a list of codes need not begin.

Before and after: a loop over players (`loop_guards`), an optional decision, as most stay shut (`guard_listings`):

    for player in (0, 1):                         if S[30] & 12 or S[31] & 12:
        if S[30 + player] & 12:              →        for player in (0, 1):
            ...                                           if S[30 + player] & 12:
                                                              ...

    codes = legal_sell(player)                    if tiles & 12 or cash > 3:
    if len(codes) > 1:                       →        codes = legal_sell(player)
        ask ...                                       if len(codes) > 1:
                                                          ask ...
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from attrs import define

from aodrules.compiler.formulas import (
    CallPure,
    Formula,
    Literal,
    Reduce,
    Variable,
    all_of,
    any_of,
    conjuncts,
    disjuncts,
    is_true,
    length,
    negate,
    nonzero,
    substitute,
)
from aodrules.compiler.nodes import (
    AppendCode,
    Assign,
    Branch,
    Break,
    CallRuntime,
    ForEach,
    Function,
    Labelled,
    Procedure,
    Statement,
    Statements,
    Switch,
    WhileLoop,
)
from aodrules.compiler.visit import assigned_in, children, form, read_by, transform, weight
from aodrules.source.spans import Span

MOST_NODES = 400
"""Of a test over all seats; a longer one is not worth its place."""
MOST_LOOKED_AT = 200
"""Statements, those of what is called among them: verbs that call others twice would be looked at again and again."""
MOST_MEANT = 100
"""Nodes of what a variable stands for: names for twice another name would stand for more and more."""
Meanings: TypeAlias = "Mapping[str, Formula | None]"
"""What variables stand for; none where that is unknown, or takes long to find out."""


def guard_for_any_player(
    statements: Statements, name: str, seats: Iterable[int], procedures: Mapping[str, Procedure]
) -> Formula:
    """Return what must hold for a loop over seats (under a name) to do anything; true if that is not easily seen."""
    span = statements[0].span
    need = _Needs(procedures).of(statements, {}, frozenset(), span)
    found = any_of(span, *(_by_somebody(test, name, [*seats], span) for test in disjuncts(need)))
    is_short = name not in read_by(found) and weight(found) <= MOST_NODES
    return found if is_short else Literal(span, value=True)


def _by_somebody(test: Formula, name: str, seats: Iterable[int], span: Span) -> Formula:
    """Return whether a test holds for one of the seats; what is the same for all of them comes first."""
    parts = conjuncts(test)
    own = all_of(span, *(part for part in parts if name in read_by(part)))
    same = (part for part in parts if name not in read_by(part))
    return all_of(span, *same, any_of(span, *(substitute(own, {name: seat}) for seat in seats)))


@define
class _Needs:
    """Finds what statements need. What is not understood needs nothing, so that it is always done."""

    procedures: Mapping[str, Procedure]
    left: int = MOST_LOOKED_AT

    def of(self, statements: Statements, meanings: Meanings, labels: frozenset[str], span: Span) -> Formula:
        """Return what one of some statements needs; to leave a body with one of the labels is to do nothing."""
        needs: list[Formula] = []
        for statement in statements:
            if isinstance(statement, Assign):
                meanings = {**meanings, statement.name: _meaning(statement.value, meanings)}
                continue
            needs.append(self._of(statement, meanings, labels))
            if is_true(needs[-1]):
                return needs[-1]
            meanings = {**meanings, **dict.fromkeys(assigned_in((statement,)))}
        return any_of(span, *needs)

    def _of(self, statement: Statement, meanings: Meanings, labels: frozenset[str]) -> Formula:
        span = statement.span
        self.left -= 1
        match statement:
            case _ if self.left < 0:
                return Literal(span, value=True)
            case Branch():
                return self._of_branch(statement, meanings, labels)
            case Switch(_, subject, cases):
                numbers = Literal(span, tuple(number for number, _ in cases))
                return _test(subject.is_in(numbers), meanings)
            case ForEach(_, _, items):
                return _test(nonzero(length(items)), meanings)
            case Labelled(_, label, body):
                return self.of(body, meanings, labels | {label}, span)
            case WhileLoop(_, _, body):
                return self.of(body, meanings, labels, span)
            case Break(_, label):
                return Literal(span, label not in labels)
            case CallRuntime(_, function, arguments, planned=True):
                return self._of_called(self.procedures[function], arguments, meanings, span)
        return Literal(span, value=True)

    def _of_branch(self, branch: Branch, meanings: Meanings, labels: frozenset[str]) -> Formula:
        span = branch.span
        then, otherwise = (self.of(body, meanings, labels, span) for body in (branch.then, branch.otherwise))
        if is_true(then) and is_true(otherwise):
            return then
        met, unmet = _test(branch.condition, meanings), _test(negate(branch.condition), meanings)
        return any_of(span, all_of(span, met, then), all_of(span, unmet, otherwise))

    def _of_called(
        self, procedure: Procedure, arguments: tuple[Formula, ...], meanings: Meanings, span: Span
    ) -> Formula:
        given = zip(procedure.parameters, arguments, strict=True)
        inner = {name: _meaning(argument, meanings) for name, argument in given}
        return self.of(procedure.body, inner, frozenset(), span)


def _test(condition: Formula, meanings: Meanings) -> Formula:
    """Return what is to be tested, as far as it is known what a condition speaks of."""
    tests = (_meaning(part, meanings) for part in conjuncts(condition))
    return all_of(condition.span, *(test for test in tests if test is not None))


def _meaning(formula: Formula, meanings: Meanings) -> Formula | None:
    """Return a formula with variables replaced by what they stand for; none if that is unknown or takes long."""
    if any(meanings.get(name, formula) is None for name in read_by(formula)) or _takes_long(formula):
        return None

    def replace(part: object) -> object:
        return meanings.get(part.name, part) if isinstance(part, Variable) else part

    found = transform(formula, replace)
    return found if weight(found) <= MOST_MEANT else None


def _takes_long(formula: object) -> bool:
    if isinstance(formula, Reduce) or (isinstance(formula, CallPure) and formula.planned):
        return True
    return any(map(_takes_long, children(formula)))


# Optional decisions.


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
