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
    """Whatever this package has to complain about.

    Examples:
        >>> import aodrules
        >>> try:
        ...     aodrules.load("nim").new_game(players=9)
        ... except aodrules.AodrulesError as wrong:
        ...     print(type(wrong).__name__, wrong)
        ArgumentError `nim` is for 2 players, not 9
    """


class RulesError(AodrulesError):
    """Rules that cannot be loaded. All that is wrong with them is in `report`.

    Examples:
        >>> import aodrules
        >>> try:
        ...     aodrules.load("nim", variants=["misery"])
        ... except aodrules.RulesError as wrong:
        ...     print(*(problem.message for problem in wrong.report.errors))
        there is no variant `misery`
    """

    def __init__(self, report: Report) -> None:
        super().__init__(report)
        self.report: Report = report
        """All that was found."""

    def __str__(self) -> str:
        from aodrules.source.rendering import format_report

        return f"the rules cannot be loaded\n\n{format_report(self.report)}"


class ActionError(AodrulesError, ValueError):
    """An action that cannot be taken.

    Examples:
        >>> import aodrules
        >>> game = aodrules.load("nim").new_game(players=2, seed=1)
        >>> try:
        ...     game.push("take low_heap 4")
        ... except aodrules.ActionError as wrong:
        ...     print(wrong)
        `take low_heap 4` is not possible now: The heap has fewer stones
          reason: text.not-so-many
    """


class InvalidActionError(ActionError):
    """What was given is no action of the decision at all.

    Examples:
        >>> import aodrules
        >>> game = aodrules.load("nim").new_game(players=2, seed=1)
        >>> try:
        ...     game.push("take low_haep 3")
        ... except aodrules.InvalidActionError as wrong:
        ...     print(wrong.nearest[0])
        take low_heap 3
    """

    def __init__(self, text: str, why: str, nearest: Sequence[str] = ()) -> None:
        super().__init__(text, why, tuple(nearest))
        self.text: str = text
        """What was given."""
        self.why: str = why
        """What is wrong with it, in a sentence."""
        self.nearest: tuple[str, ...] = tuple(nearest)
        """The texts of possible actions that may be meant, the nearest first."""

    def __str__(self) -> str:
        parts = [self.why]
        if self.nearest:
            # That a word is misspelt need not be told beside whole actions.
            parts = [each for each in parts if not each.endswith("?")]
            parts.append(f"did you mean {quotes(self.nearest, 'or')}?")
        return f"{quote(self.text)} is no action here: " + "\n  ".join(parts)


class IllegalActionError(ActionError):
    """An action of the decision that is not possible now.

    Examples:
        >>> import aodrules
        >>> game = aodrules.load("nim").new_game(players=2, seed=1)
        >>> game.push("take low_heap 3")
        >>> try:
        ...     game.push("take low_heap 1")
        ... except aodrules.IllegalActionError as wrong:
        ...     print(wrong.why, wrong.reason)
        The heap has fewer stones text.not-so-many
    """

    def __init__(
        self, action: str, why: str, reason: str, because: Span | None = None, reasons: Sequence[Any] = ()
    ) -> None:
        super().__init__(action, why, reason, because, reasons)
        self.action: str = action
        """The text of the action."""
        self.why: str = why
        """The reason that fits best, in a sentence."""
        self.reason: str = reason
        """A stable id: of the clause or text that the rule gives, or one of our own."""
        self.because: Span | None = because
        """The place of the rule that forbids it."""
        self.reasons: tuple[Any, ...] = tuple(reasons)
        """Every reason in full, with its clauses and values."""

    def __str__(self) -> str:
        return f"{quote(self.action)} is not possible now: {self.why}\n  reason: {self.reason}"


class AmbiguousActionError(ActionError):
    """A text that fits several actions.

    Examples:
        >>> import aodrules
        >>> wrong = aodrules.AmbiguousActionError("sell", ["sell cod", "sell salt"])
        >>> print(wrong)
        `sell` fits several actions: `sell cod` or `sell salt`
    """

    def __init__(self, text: str, candidates: Sequence[str]) -> None:
        super().__init__(text, tuple(candidates))
        self.text: str = text
        """What was given."""
        self.candidates: tuple[str, ...] = tuple(candidates)
        """The texts of the actions that it fits."""

    def __str__(self) -> str:
        return f"{quote(self.text)} fits several actions: {quotes(self.candidates, 'or')}"


class ArgumentError(AodrulesError, ValueError):
    """Something a caller gave that cannot be used: so many players, a seat, a seed, a setting, an engine.

    Examples:
        >>> import aodrules
        >>> try:
        ...     aodrules.load("nim").new_game(players=2, seed=1).view("third")
        ... except aodrules.ArgumentError as wrong:
        ...     print(wrong)
        `third` has no seat here; seated are first, second
    """


class UndoError(AodrulesError, IndexError):
    """There is nothing to take back.

    Examples:
        >>> import aodrules
        >>> try:
        ...     aodrules.load("nim").new_game(players=2, seed=1).pop()
        ... except aodrules.UndoError as wrong:
        ...     print(wrong)
        there is nothing to take back
    """


class SampleError(AodrulesError):
    """What a player does not know cannot be dealt anew in a fair way.

    Examples:
        >>> import aodrules
        >>> game = aodrules.load("nim").new_game(players=2, seed=1)
        >>> try:
        ...     told = game.what_if("first", "take low_heap 1").points
        ... except aodrules.SampleError:
        ...     told = {}  # nothing to go by
        >>> told
        {'first': 1}
    """

    def __str__(self) -> str:
        return f"no position can be dealt that the player could believe in: {self.args[0]}"


class SecretError(AodrulesError):
    """Something that a seat asks for and may not know.

    Examples:
        >>> import aodrules
        >>> game = aodrules.load("tempus").new_game(players=3, seed=5)
        >>> while not game.state.players.red.hand:
        ...     game.push(game.actions[-1])
        >>> try:
        ...     game.view("blue").value("sanitations", player="red")
        ... except aodrules.SecretError as wrong:
        ...     print(wrong)
        `blue` may not know `sanitations` here: it depends on what is hidden in `players.red.hand`
    """


class NotationError(AodrulesError, ValueError):
    r"""A save, a record or a path of the state that cannot be understood.

    Examples:
        >>> import aodrules
        >>> try:
        ...     aodrules.from_json("[1, 2", list[int])
        ... except aodrules.NotationError as wrong:
        ...     print(type(wrong).__name__)
        NotationError
        >>> try:
        ...     aodrules.replay("take low_heap 1\n")
        ... except aodrules.NotationError as wrong:
        ...     print(wrong)
        line 1: a record begins with `# aodrules record 3`, or `# aodrules record 2` as it did before
    """


class UnknownNameError(NotationError, KeyError):
    """A name that a table of names does not have.

    Examples:
        >>> import aodrules
        >>> try:
        ...     aodrules.load("nim").text("heap.low_haep")
        ... except aodrules.UnknownNameError as wrong:
        ...     print(wrong)
        there is nothing at `heap.low_haep`; did you mean `heap.low_heap`?
    """

    def __str__(self) -> str:
        return str(self.args[0])  # KeyError would show it in quotes


class InternalError(AodrulesError):
    """A mistake of ours: rules that passed every check could not be played. Please report it.

    Examples:
        >>> import aodrules
        >>> issubclass(aodrules.InternalError, aodrules.AodrulesError)
        True
    """


class CacheWarning(UserWarning):
    """The folder of the cache cannot be trusted, so everything is loaded without it.

    Examples:
        >>> import aodrules
        >>> import warnings
        >>> warnings.simplefilter("ignore", aodrules.CacheWarning)
    """
