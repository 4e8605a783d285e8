"""Clauses that examples and laws of the game speak of, and that nothing shows any more with some variants."""

from __future__ import annotations

from aodrules.check.analyse.overrides import applies
from aodrules.testing.suites import Results


def unshown_clauses(results: Results) -> tuple[str, ...]:
    """Return the clauses that are said to hold and that no scenario or property shows because of variants.

    What speaks of them was interrupted, or left out because of another clause that it speaks of too.
    """
    suite = results.suite
    if suite.is_partial:
        return ()
    book = suite.book
    ran = [each.clauses for each in results.results if each.status != "interrupted"]
    shown = {clause for clauses in (*ran, *(law.clauses for law in suite.properties)) for clause in clauses}
    out = [each.statement.clauses for each in suite.left_out if each.is_overridden or each.is_unfitting]
    lost = {clause for clauses in (*out, *(each.clauses for each in results.interrupted)) for clause in clauses}
    return tuple(
        id_
        for id_, body in book.clauses.items()
        if id_ in lost - shown and id_ not in book.ruleset.overrides and applies(body, book.ruleset)
    )
