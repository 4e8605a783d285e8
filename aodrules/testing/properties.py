"""Properties: laws of the rulebook and the moments they speak of, read with every name and type checked."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from attrs import define, field, frozen

from aodrules.check import problems as check_problems
from aodrules.check.checked import CheckedRules, EventDef, Parameter
from aodrules.check.context import Context, LocalName, Scope
from aodrules.check.resolve.expressions import read_expression
from aodrules.facts.action_codes import PASSING
from aodrules.lang.expressions import Const, Expression, Operation
from aodrules.lang.types import FLAG, NUMBER, PLAYER
from aodrules.play.rules_context import RulesContext
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Span
from aodrules.syntax.tree import Mapping, Scalar, items_of
from aodrules.testing.law_values import open_context
from aodrules.testing.scenarios import Steps
from aodrules.testing.statements import Statement

Moments = Literal["always", "whenever", "upon", "after", "finally"]
MOMENTS: tuple[Moments, ...] = ("always", "whenever", "upon", "after", "finally")


@frozen(eq=False)
class Bound:
    """How often an answer may be given, or an event happen to a player, while a step lasts or in the whole game."""

    step: str | None
    """The address of the step; nothing for the whole game."""
    times: Expression


@frozen(eq=False)
class Property:
    """A law: at which moments it speaks, and what must hold then."""

    statement: Statement
    moment: Moments
    law: Expression
    condition: Expression | None = None
    """For `whenever`: the change it speaks of."""
    subjects: frozenset[str] = frozenset()
    """For `upon` the event, for `after` the addresses of the answers."""
    bounds: tuple[Bound, ...] = ()
    """For `upon` and `after`: how often."""

    @property
    def id(self) -> str:
        """What it is called."""
        return self.statement.id

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses it tests."""
        return self.statement.clauses

    @property
    def span(self) -> Span:
        """Where its name stands."""
        return self.statement.span


@frozen(eq=False)
class _Answer:
    """An answer that a law speaks of: the options that are meant, and what is known of it."""

    addresses: tuple[str, ...]
    parameters: tuple[Parameter, ...]


def _shared_parameters(lists: list[tuple[Parameter, ...]]) -> tuple[Parameter, ...]:
    """Return the parameters of which every list has one of that name and type."""
    first, *others = lists
    known = [{each.name: each.type for each in other} for other in others]
    return tuple(one for one in first if all(other.get(one.name) == one.type for other in known))


@define(eq=False, slots=False)
class PropertyReader:
    """Reads the properties of some rules. A property sees everything: for it there are no secrets."""

    book: RulesContext
    _context: Context = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._context = open_context(self.book)

    @property
    def _rules(self) -> CheckedRules:
        return self.book.checked

    @cached_property
    def _steps(self) -> Steps:
        return Steps(self._rules)

    def read(self, statement: Statement, report: Report) -> Property | None:
        """Return a property; whatever is not understood is reported, and with errors in the report there is none."""
        self._context.report = report
        found = self._read(statement)
        return None if report.has_errors else found

    def _read(self, statement: Statement) -> Property | None:
        body = statement.body
        moment = next((each for each in MOMENTS if each in body), None)
        if moment is None:
            return None
        address = f"property.{statement.id}"
        if moment in ("always", "finally"):
            return Property(statement, moment, self._law(body, moment, Scope(self._context, address, judges=True)))
        if moment == "whenever":
            names = Scope(self._context, address, past=True, judges=True)
            condition = self._condition(body, moment, names)
            return Property(statement, moment, self._law(body, "holds", names), condition)
        words = [each for each in items_of(body.need(moment)) if isinstance(each, Scalar)]
        return self._of_event(statement, words[0]) if moment == "upon" else self._of_answers(statement, words)

    def _law(self, body: Mapping, key: str, names: Scope) -> Expression:
        """Read what must hold, or one of the exceptions to it."""
        law, exceptions = self._condition(body, key, names), body.get("except")
        entries = exceptions if isinstance(exceptions, Mapping) else ()
        left_out = tuple(read_expression(names, entry.value, FLAG) for entry in entries)
        return Operation(FLAG, law.span, "or", (law, *left_out)) if left_out else law

    def _condition(self, body: Mapping, key: str, names: Scope) -> Expression:
        node = body.get(key)
        return Const(FLAG, body.span, value=True) if node is None else read_expression(names, node, FLAG)

    def _of_event(self, statement: Statement, word: Scalar) -> Property | None:
        event: EventDef | None = self._rules.events.get(word.text)
        if event is None:
            self._context.add(check_problems.unknown_name(word.text, word.span, self._rules.events, "event"))
            return None
        names = self._names(statement, event.parameters)
        law = self._law(statement.body, "holds", names)
        bounds = self._bounds(statement.body, names)
        return Property(statement, "upon", law, subjects=frozenset({word.text}), bounds=bounds)

    def _of_answers(self, statement: Statement, words: list[Scalar]) -> Property | None:
        answers = [answer for word in words if (answer := self._answer(word)) is not None]
        if not answers:
            return None
        shared = _shared_parameters([answer.parameters for answer in answers])
        names = self._names(statement, shared).bind("player", LocalName(PLAYER, "parameter"))
        law = self._law(statement.body, "holds", names)
        subjects = frozenset(address for answer in answers for address in answer.addresses)
        return Property(statement, "after", law, subjects=subjects, bounds=self._bounds(statement.body, names))

    def _answer(self, word: Scalar) -> _Answer | None:
        start = 1 if word.quoted else 0
        name, _, id_ = word.text.rpartition(".")
        decision = next((each for each in self._rules.decisions.values() if name in (each.id, each.address)), None)
        if decision is None:
            known = [each.id for each in self._rules.decisions.values()]
            at = word.span.within(start, start + len(name))
            self._context.add(check_problems.unknown_name(name, at, known, "decision"))
            return None
        options = [each for each in decision.options if id_ == each.id]
        if not options and not (id_ == PASSING and decision.optional):
            known = [each.id for each in decision.options]
            at = word.span.within(start + len(name) + 1, start + len(word.text))
            self._context.add(check_problems.unknown_name(id_, at, known, f"option of {name}"))
            return None
        own = options[0].given + options[0].parameters if options else ()
        addresses = tuple(option.address for option in options) or (f"{decision.address}.{PASSING}",)
        return _Answer(addresses, (*decision.parameters, *own))

    def _bounds(self, body: Mapping, names: Scope) -> tuple[Bound, ...]:
        """Read how often an answer may be given: by period, as with the limits of options."""
        limit = body.get("limit")
        found = []
        for entry in limit if isinstance(limit, Mapping) else ():
            times = read_expression(names, entry.value, NUMBER)
            target = None if entry.name == "game" else self._steps.find(entry.key, self._context.report)
            found.append(Bound(None if target is None else target.name, times))
        return tuple(found)

    def _names(self, statement: Statement, parameters: tuple[Parameter, ...]) -> Scope:
        known = {one.name: LocalName(one.type, "parameter", one.span) for one in parameters}
        return Scope(self._context, f"property.{statement.id}", known, past=True, judges=True)
