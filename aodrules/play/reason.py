"""A reason why an action is not possible, as it is handed to people; `aodrules.reasons` makes them."""

from __future__ import annotations

from typing import Any

from attrs import field, frozen

from aodrules.source.spans import Span

OWN_IDS = {
    "domain": "not-among-the-choices",
    "holder": "not-offered",
    "limit": "limit-reached",
    "again": "chosen-too-often",
    "ending": "nothing-would-be-left",
    "over": "game-over",
    "not-listed": "not-possible",
}
"""The ids of the reasons of our own, by the phrase that says them."""


@frozen
class Reason:
    """One condition that an action fails.

    `str(reason)` is a sentence for who decides; `values` are what the parts of the condition were worth.

    Examples:
        >>> import aodrules
        >>> game = aodrules.load("nim").new_game(players=2, seed=1)
        >>> game.push("take low_heap 3")
        >>> reason, *_ = game.why_not("take low_heap 1")
        >>> reason.id, str(reason), reason.layer
        ('text.not-so-many', 'The heap has fewer stones', 'nim')
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
    """`game`, `edition`, `module` or `variant`."""
    clauses: tuple[str, ...] = ()
    """The clauses of the rulebook it stands for."""
    rule: str | None = None
    """What the clause says that the condition names."""
    because: Span | None = field(default=None, repr=False, eq=False)
    """The place of the condition in the documents."""

    def __str__(self) -> str:
        return self.message
