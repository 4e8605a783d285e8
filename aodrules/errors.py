"""Every exception a caller can meet.

::

    AodrulesError
    ├── RulesError               .report: all diagnostics, sorted
    ├── ActionError (ValueError)
    │   ├── InvalidActionError   .text
    │   ├── IllegalActionError   .action, .reason (stable id), .because (span of the rule)
    │   └── AmbiguousActionError .text, .candidates
    ├── ArgumentError (ValueError)
    ├── UndoError (IndexError)
    ├── SampleError
    ├── SecretError
    ├── NotationError (ValueError)
    │   └── UnknownNameError (KeyError)
    └── InternalError

    CacheWarning (UserWarning): a cache that is not used
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aodrules.source.diagnostics import Report
from aodrules.source.spans import Span
from aodrules.source.wording import quote, quotes


class AodrulesError(Exception):
    """Whatever this package has to complain about."""


class RulesError(AodrulesError):
    """Rules that cannot be loaded. All that is wrong with them is in `report`."""

    def __init__(self, report: Report) -> None:
        super().__init__(report)
        self.report = report

    def __str__(self) -> str:
        from aodrules.source.rendering import format_report

        return f"the rules cannot be loaded\n\n{format_report(self.report)}"


class ActionError(AodrulesError, ValueError):
    """An action that cannot be taken."""


class InvalidActionError(ActionError):
    """What was given is no action of the decision at all."""

    def __init__(self, text: str, why: str, nearest: Sequence[str] = ()) -> None:
        super().__init__(text, why, tuple(nearest))
        self.text = text
        self.why = why
        self.nearest = tuple(nearest)
        """The texts of possible actions that may be meant, the nearest first."""

    def __str__(self) -> str:
        parts = [self.why]
        if self.nearest:
            # That a word is misspelt need not be told beside whole actions.
            parts = [each for each in parts if not each.endswith("?")]
            parts.append(f"did you mean {quotes(self.nearest, 'or')}?")
        return f"{quote(self.text)} is no action here: " + "\n  ".join(parts)


class IllegalActionError(ActionError):
    """An action of the decision that is not possible now."""

    def __init__(
        self, action: str, why: str, reason: str, because: Span | None = None, reasons: Sequence[Any] = ()
    ) -> None:
        super().__init__(action, why, reason, because, reasons)
        self.action = action
        """The text of the action."""
        self.why = why
        self.reason = reason
        """A stable id: of the clause or text that the rule gives, or one of our own."""
        self.because = because
        """The place of the rule that forbids it."""
        self.reasons = tuple(reasons)
        """Every reason in full, with its clauses and values."""

    def __str__(self) -> str:
        return f"{quote(self.action)} is not possible now: {self.why}\n  reason: {self.reason}"


class AmbiguousActionError(ActionError):
    """A text that fits several actions."""

    def __init__(self, text: str, candidates: Sequence[str]) -> None:
        super().__init__(text, tuple(candidates))
        self.text = text
        self.candidates = tuple(candidates)

    def __str__(self) -> str:
        return f"{quote(self.text)} fits several actions: {quotes(self.candidates, 'or')}"


class ArgumentError(AodrulesError, ValueError):
    """Something a caller gave that cannot be used: so many players, a seat, a seed, a setting, an engine."""


class UndoError(AodrulesError, IndexError):
    """There is nothing to take back."""


class SampleError(AodrulesError):
    """What a player does not know cannot be dealt anew in a fair way."""

    def __str__(self) -> str:
        return f"no position can be dealt that the player could believe in: {self.args[0]}"


class SecretError(AodrulesError):
    """Something that a seat asks for and may not know."""


class NotationError(AodrulesError, ValueError):
    """A save, a record or a path of the state that cannot be understood."""


class UnknownNameError(NotationError, KeyError):
    """A name that a table of names does not have."""

    def __str__(self) -> str:
        return str(self.args[0])  # KeyError would show it in quotes


class InternalError(AodrulesError):
    """A mistake of ours: rules that passed every check could not be played. Please report it."""


class CacheWarning(UserWarning):
    """The folder of the cache cannot be trusted, so everything is loaded without it."""
