"""Compose documents into one ruleset: the game, then its edition, then variants."""

from __future__ import annotations

from collections.abc import Sequence

from aodrules.compose.declarations import merged
from aodrules.compose.fingerprint import fingerprint
from aodrules.compose.needs import with_needs_met
from aodrules.compose.ruleset import Ruleset
from aodrules.source.diagnostics import Report
from aodrules.syntax.documents import Document


def compose(documents: Sequence[Document], edition: str | None, variants: Sequence[str], report: Report) -> Ruleset:
    """Return the ruleset of a game, an edition and variants; problems are reported, and what can be made is made."""
    plain = sorted((each for each in documents if each.head is None), key=lambda each: each.source.path)
    root = merged((each.declarations or each.root for each in plain), report)
    root = with_needs_met(root, {edition or "", *variants})
    return Ruleset("", root, edition, tuple(sorted(variants)), tuple(plain), fingerprint=fingerprint(root))
