"""Why an action is not possible: the conditions that fail, what failed them, and who imposed them."""

from __future__ import annotations

from typing import Any

from attrs import field, frozen

from aodrules.check.checked import Option
from aodrules.engine.options import Failure
from aodrules.lang.typed import Expression, Local
from aodrules.play.book import Book
from aodrules.play.names import Names
from aodrules.play.scores import words_at
from aodrules.source.spans import Span

_OWN_WORDS = {
    "domain": ("not-among-the-choices", "`{parameter}` cannot be that"),
    "holder": ("not-offered", "nothing offers it to you"),
    "limit": ("limit-reached", "it may not be used more often"),
    "game-over": ("game-over", "the game is over"),
    "not-listed": ("not-possible", "it is not among what is possible"),
}


@frozen
class Reason:
    """One condition that an action fails.

    `str(reason)` is a sentence; `values` are what the parts of the condition were worth.
    """

    id: str
    """A stable id: the clause or text the rules name, or one of our own."""
    message: str
    condition: str = ""
    """The condition as it is written."""
    values: tuple[tuple[str, Any], ...] = ()
    """Parts of the condition as written, and what they were worth."""
    layer: str | None = None
    """The name of the game, edition, module or variant that imposed it."""
    layer_kind: str | None = None
    clauses: tuple[str, ...] = ()
    """The clauses of the rulebook it stands for."""
    because: Span | None = field(default=None, repr=False, eq=False)

    def __str__(self) -> str:
        worth = ", ".join(f"`{part}` is {_shown(value)}" for part, value in self.values)
        return f"{self.message} ({worth})" if worth else self.message


def own_reason(sort: str) -> Reason:
    """Return a reason that no rule gives but the game itself."""
    id_, message = _OWN_WORDS[sort]
    return Reason(id_, message)


def reason(book: Book, names: Names, option: Option, failure: Failure, language: str) -> Reason:
    """Return why an instance of an option fails, in the words of a language."""
    if failure.condition is None:
        return _without_condition(book, option, failure)
    condition = failure.condition
    written = words_at(condition.span)
    said = condition.otherwise
    message = (book.words.find(said, language) or book.clause_text(said, language)) if said else None
    layer, kind = book.layer_of(condition.span)
    clauses = (said,) if said in book.clauses else book.clauses_at(option.address)
    return Reason(
        said or f"{option.address}.where.{condition.id}",
        message or f"`{written}` does not hold",
        written,
        _values(names, failure),
        layer,
        kind,
        clauses,
        condition.span,
    )


def _without_condition(book: Book, option: Option, failure: Failure) -> Reason:
    id_, message = _OWN_WORDS[failure.reason]
    layer, kind = book.layer_of(option.span)
    filled = message.format(parameter=failure.parameter)
    return Reason(id_, filled, "", (), layer, kind, book.clauses_at(option.address), option.span)


def _values(names: Names, failure: Failure) -> tuple[tuple[str, Any], ...]:
    found: dict[str, Any] = {}
    for expression, value in failure.values:
        found.setdefault(_written(expression), names.readable(expression.type, value))
    return tuple(found.items())


def _written(expression: Expression) -> str:
    return expression.name if isinstance(expression, Local) else words_at(expression.span)


def _shown(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, dict):
        return ", ".join(f"{count} {name}" for name, count in value.items()) or "empty"
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "empty"
    return str(value).lower() if isinstance(value, bool) else str(value)
