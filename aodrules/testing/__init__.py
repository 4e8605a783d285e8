"""Scenarios, properties, clauses and mutations: rules text held against rules data.

`aodrules.testing.strategies` and `aodrules.testing.machines` need Hypothesis, which `aodrules[testing]` brings.
"""

# What is where.
# Read: `statements` (which scenarios and properties speak of some rules), `scenarios`, `positions` and `expectations`,
# `properties`, `selecting`. Run: `playing` with `law_values`, `scenario_runner`, `exploring`; all of it: `suites`.
# Tell: `findings`, `accountability`, `reports`. Clauses: `clause_map`, `clause_page`. Mutations: `mutants`, `mutation`.
# For pytest: `plugin`.

from aodrules.testing.findings import Finding
from aodrules.testing.playing import Line, PlayedGame, play
from aodrules.testing.properties import Property
from aodrules.testing.reports import format_results, to_json, to_junit
from aodrules.testing.scenarios import Scenario
from aodrules.testing.suites import Blame, Origin, Result, Results, Suite, read_suite, run_suite

Played = PlayedGame
"""The public name."""

__all__ = [
    "Blame",
    "Finding",
    "Line",
    "Origin",
    "Played",
    "Property",
    "Result",
    "Results",
    "Scenario",
    "Suite",
    "format_results",
    "play",
    "read_suite",
    "run_suite",
    "to_json",
    "to_junit",
]
