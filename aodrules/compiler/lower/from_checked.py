"""Plan checked rules for a number of players: every look-up done, the state laid out, decisions cut into blocks."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve

from aodrules.check.checked import CheckedRules
from aodrules.check.steps import Call
from aodrules.compiler.blocks.block_graph import simplify
from aodrules.compiler.blocks.control_flow import BlockBuilder
from aodrules.compiler.blocks.liveness import frames_for
from aodrules.compiler.lower.ordered_loops import OrderPlanner
from aodrules.compiler.lower.scope import LowerScope
from aodrules.compiler.nodes import DecisionPoint, Procedure, Statements
from aodrules.compiler.plan import Plan
from aodrules.compiler.variables import renamed


def plan(rules: CheckedRules, players: int) -> Plan:
    """Return the plan of a game of so many players."""
    planner = OrderPlanner(rules, players)
    main = Procedure("main", rules.game.span, (), _main(planner, rules), deciding=True)
    for source in rules.game.points:
        planner.value_function(source.value)
    cutter = BlockBuilder(planner.procedures, planner.changed)
    first = cutter.cut(main)
    graph = simplify(cutter.blocks, first)
    sites = {site.number: _renamed(site, cutter.names) for site in planner.sites}
    frames = frames_for(graph, sites, planner.layout.frames)
    layout = evolve(planner.layout, steps=tuple(planner.steps_seen), size=planner.layout.frames + frames.size)
    plain = {name: one for name, one in planner.procedures.items() if not one.deciding}
    return Plan(rules.fingerprint, players, layout, planner.functions, plain, graph, sites, frames)


def _renamed(site: DecisionPoint, names: Mapping[str, str]) -> DecisionPoint:
    """Return a site with the variables that are there after cutting."""
    while True:
        inputs = tuple(names.get(name, name) for name in site.inputs)
        shown = tuple(names.get(name, name) for name in site.shown)
        new = evolve(renamed(site, names), inputs=inputs, shown=shown)
        if (new.inputs, new.shown) == (site.inputs, site.shown):
            return new
        site = new


def _main(planner: OrderPlanner, rules: CheckedRules) -> Statements:
    statements: Statements = ()
    for verb in (rules.game.begin, rules.game.play):
        if verb is not None:
            statements += planner.call(Call(rules.game.span, verb, ()), LowerScope())
    return statements
