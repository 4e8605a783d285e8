"""Every warning about a house rule that works but is not finished: one function per code."""

from __future__ import annotations

from aodrules.source.diagnostics import Diagnostic, warning
from aodrules.source.wording import quote
from aodrules.syntax.documents import Head
from aodrules.syntax.tree import Scalar


def untested_variant(head: Head) -> Diagnostic:
    """Nothing shows that a variant does what it should."""
    return warning(
        "untested-variant",
        f"no scenario or property shows what {quote(head.name.text)} does",
        at=head.name.span,
        label="not tested",
        help="add a `scenario` with a position, an action and what comes of it",
    )


def missing_words(address: str, key: Scalar) -> Diagnostic:
    """Something that players see has no words for them, only its id."""
    return warning(
        "missing-words",
        f"{quote(address)} has no words for players, who will see its id",
        at=key.span,
        label="no name",
        help=f"add `text: {{{address}: {{en: {key.text.replace('_', ' ').capitalize()}}}}}`",
    )
