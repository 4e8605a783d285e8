"""How deep rules go: calls within calls and what is nested in them, which must fit into what engines can nest."""

from __future__ import annotations

from itertools import pairwise

from aodrules.check import analysis_problems as problems
from aodrules.check.analyse.calls import Caller, CallGraph
from aodrules.source.diagnostics import Report

MOST_DEPTH = 160
"""Measured on the interpreter, which needs up to five of Python's thousand frames for each level."""


def check_depth(graph: CallGraph, report: Report) -> None:
    """Report the deepest chain of calls if it goes too deep. The graph must have no cycle."""
    depths: dict[Caller, int] = {}
    for caller in reversed(graph.order):
        below = max((depths[called] for called in graph.calls[caller]), default=0)
        depths[caller] = 1 + graph.depths.get(caller, 0) + below
    deepest = max(depths, key=lambda caller: depths[caller], default=None)
    if deepest is None or depths[deepest] <= MOST_DEPTH:
        return
    path = [deepest]
    while graph.calls[path[-1]]:
        path.append(max(graph.calls[path[-1]], key=lambda caller: depths[caller]))
    places = [graph.calls[one][other] for one, other in pairwise(path)]
    if places:
        report.add(problems.rules_too_deep(depths[deepest], MOST_DEPTH, [each.name for each in path], places))
