"""Why an action is not possible: the conditions that fail, what failed them, and who imposed them."""

from __future__ import annotations

from typing import Any

from attrs import field, frozen

from aodrules.check.checked import Condition, Option
from aodrules.interpreter.evaluation import Evaluator
from aodrules.interpreter.options import Failure
from aodrules.lang.expressions import Expression, Local
from aodrules.play.actions import Action, ActionTable
from aodrules.play.best_reason import best_first, is_hidden
from aodrules.play.phrases import phrase
from aodrules.play.reason_sentences import Sentences
from aodrules.play.rules_context import RulesContext
from aodrules.play.scores import words_at
from aodrules.source.spans import Span

_OWN_IDS = {
    "domain": "not-among-the-choices",
    "holder": "not-offered",
    "limit": "limit-reached",
    "again": "chosen-too-often",
    "ending": "nothing-would-be-left",
    "over": "game-over",
    "not-listed": "not-possible",
}


@frozen
class Reason:
    """One condition that an action fails.

    `str(reason)` is a sentence for who decides; `values` are what the parts of the condition were worth.
    """

    id: str
    """A stable id: the clause or text the rules name, or one of our own."""
    message: str
    """A sentence about this action."""
    condition: str = ""
    """The condition as it is written."""
    values: tuple[tuple[str, Any], ...] = ()
    """Parts of the condition as written, and what they were worth."""
    layer: str | None = None
    """The name of the game, edition, module or variant that imposed it."""
    layer_kind: str | None = None
    clauses: tuple[str, ...] = ()
    """The clauses of the rulebook it stands for."""
    rule: str | None = None
    """What the clause says that the condition names."""
    because: Span | None = field(default=None, repr=False, eq=False)

    def __str__(self) -> str:
        return self.message


def own_reason(sort: str, language: str, **parts: str) -> Reason:
    """Return a reason that no rule gives but the game itself."""
    return Reason(_OWN_IDS[sort], phrase(sort, language).format(**parts))


@frozen(eq=False)
class ReasonWriter:
    """Writes why an answer is refused, in the words of a language; in detail also the conditions and what they read."""

    book: RulesContext
    faces: ActionTable
    evaluator: Evaluator
    language: str
    detail: bool = False

    def tell(self, action: Action, option: Option, failures: list[Failure]) -> tuple[Reason, ...]:
        """Return the reasons, that which fits best first."""
        if not failures:
            return (own_reason("not-listed", self.language, label=action.label(self.language)),)
        return tuple(self._reason(action, option, one) for one in best_first(self.book.checked, failures))

    def _reason(self, action: Action, option: Option, failure: Failure) -> Reason:
        if failure.condition is None:
            return self._without_condition(action, option, failure)
        condition, said = failure.condition, failure.condition.otherwise
        rule = self.book.clause_text(said, self.language) if said else None
        written, values = words_at(condition.span), self._values(failure)
        message = self._message(action, option, failure, rule)
        return Reason(
            said or f"{option.address}.where.{condition.id}",
            _detailed(message, written, values) if self.detail else message,
            written,
            values,
            *self.book.layer_of(condition.span),
            (said,) if said in self.book.clauses else self.book.clauses_at(option.address),
            rule,
            condition.span,
        )

    def _message(self, action: Action, option: Option, failure: Failure, rule: str | None) -> str:
        """Return the author's words for the condition, else a sentence made from it, else the rule it stands for."""
        assert failure.condition is not None
        types = {one.name: one.type for one in option.parameters}
        sentences = Sentences(self.faces, self.evaluator, failure.names, types, self.language)
        return (
            self._written(action, option, failure.condition)
            or sentences.tell(failure.condition.expression)
            or rule
            or phrase("not-listed", self.language).format(label=action.label(self.language))
        )

    def _written(self, action: Action, option: Option, condition: Condition) -> str | None:
        """Return what the author says when a condition fails, with the arguments of the action in their places."""
        addresses = (f"{option.address}.where.{condition.id}", condition.otherwise)
        found = (self.book.words.find(address, self.language) for address in addresses if address)
        words = next((one for one in found if one), None)
        return (
            None if words is None else self.book.words.filled(words, self.faces.spoken_arguments(action, self.language))
        )

    def _without_condition(self, action: Action, option: Option, failure: Failure) -> Reason:
        arguments = self.faces.spoken_arguments(action, self.language)
        thing = arguments.get(failure.parameter or "", "")
        message = phrase(failure.reason, self.language).format(thing=thing, label=action.label(self.language))
        layer, kind = self.book.layer_of(option.span)
        clauses = self.book.clauses_at(option.address)
        return Reason(_OWN_IDS[failure.reason], message, "", (), layer, kind, clauses, None, option.span)

    def _values(self, failure: Failure) -> tuple[tuple[str, Any], ...]:
        found: dict[str, Any] = {}
        for expression, value in failure.values:
            is_known = value is None or not is_hidden(self.book.checked, expression)
            shown = self.faces.names.readable(expression.type, value) if is_known else _covered(value)
            found.setdefault(_as_written(expression), shown)
        return tuple(found.items())


def _as_written(expression: Expression) -> str:
    return expression.name if isinstance(expression, Local) else words_at(expression.span)


def _covered(value: Any) -> Any:
    """Return what may be told of pieces whose faces are hidden: that they are there."""
    return ("?",) * len(value) if isinstance(value, tuple) else "?"


def _detailed(message: str, written: str, values: tuple[tuple[str, Any], ...]) -> str:
    """Return a message with the condition that does not hold, and what its parts are."""
    worth = ", ".join(f"`{part}` = {shown_value(value)}" for part, value in values)
    return f"{message} [`{written}`{'; ' if worth else ''}{worth}]"


def shown_value(value: Any) -> str:
    """Return what something was worth, in words of the rules."""
    if value is None:
        return "none"
    if isinstance(value, dict):
        return ", ".join(f"{count} {name}" for name, count in value.items()) or "empty"
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "empty"
    return str(value).lower() if isinstance(value, bool) else str(value)
