"""Check the shape of a tree against a schema."""

from __future__ import annotations

from aodrules.source.diagnostics import Report
from aodrules.syntax.fast_validation import acceptor
from aodrules.syntax.tree import Mapping


def check_shape(root: Mapping, schema: str, report: Report) -> None:
    """Check a tree against a shipped schema (`rules`, `variant` or `ruleset`) and report what does not fit."""
    if acceptor(schema)(root.plain()):
        return
    # Lazy: the validator takes longer to import than all documents of a game to accept.
    from aodrules.syntax.mistakes import mistakes

    for problem in mistakes(root, schema):
        report.add(problem)
