"""What must hold of a whole ruleset once names and types are known: the analyses, each after those it needs."""

from __future__ import annotations

from aodrules.check.analyse.calls import call_graph, check_depth
from aodrules.check.analyse.clauses import check_clauses
from aodrules.check.analyse.decisions import (
    check_chance_decisions,
    check_end,
    check_first_steps,
    keep_endings,
)
from aodrules.check.analyse.interval_analysis import ranges
from aodrules.check.analyse.kept_values import forget_tried_values
from aodrules.check.analyse.missing_fields import check_missing_fields
from aodrules.check.analyse.overlaps import check_overlaps
from aodrules.check.analyse.secrecy import keep_secrets
from aodrules.check.analyse.setup import check_pieces, check_setup_only
from aodrules.check.analyse.work import check_work
from aodrules.check.checked import CheckedRules
from aodrules.compose.ruleset import Ruleset
from aodrules.lang.types import Unknown
from aodrules.source.diagnostics import Report


def analyse(rules: CheckedRules, ruleset: Ruleset, report: Report) -> CheckedRules:
    """Return the rules with what the analyses found out; report all that must not be."""
    check_clauses(ruleset, report)
    check_overlaps(rules, ruleset, report)
    check_setup_only(rules, report)
    check_chance_decisions(rules, report)
    if not any(isinstance(field.type, Unknown) for field in rules.fields.values()):
        check_pieces(rules, report)  # Pieces may start in a field of which nothing more is known.
    graph = call_graph(rules, report)
    check_end(rules, graph, report)
    check_first_steps(rules, graph, report)
    rules = forget_tried_values(rules, graph)
    check_missing_fields(rules, graph, report)
    kept = keep_secrets(rules, graph, report)
    if not graph.has_cycle:
        # Numbers and work along a cycle have no end: it was reported, and is enough.
        check_depth(graph, report)
        found = ranges(rules, graph, report)
        check_work(rules, graph, found, report)
        kept = keep_endings(kept, graph, found, report)
    return kept
