"""Plan checked rules for a number of players: every look-up done, the state laid out, decisions cut into blocks."""

from __future__ import annotations

from attrs import evolve

from aodrules.check.checked import CheckedRules
from aodrules.check.steps import Call
from aodrules.plan.blocks import Cutter
from aodrules.plan.graph import simplified
from aodrules.plan.liveness import frames_for
from aodrules.plan.nodes import Procedure, Statements
from aodrules.plan.ordered import OrderPlanner
from aodrules.plan.planned import Plan
from aodrules.plan.scope import Scope


def plan(rules: CheckedRules, players: int) -> Plan:
    """Return the plan of a game of so many players."""
    planner = OrderPlanner(rules, players)
    main = Procedure("main", rules.game.span, (), _main(planner, rules), deciding=True)
    for source in rules.game.points:
        planner.value_function(source.value)
    cutter = Cutter(planner.procedures)
    first = cutter.cut(main)
    graph = simplified(cutter.blocks, first)
    sites = {site.number: site for site in planner.sites}
    frames = frames_for(graph, sites, planner.layout.frames)
    layout = evolve(planner.layout, steps=tuple(planner.steps_seen), size=planner.layout.frames + frames.size)
    plain = {name: one for name, one in planner.procedures.items() if not one.deciding}
    return Plan(rules.fingerprint, players, layout, planner.functions, plain, graph, sites, frames)


def _main(planner: OrderPlanner, rules: CheckedRules) -> Statements:
    statements: Statements = ()
    for verb in (rules.game.begin, rules.game.play):
        if verb is not None:
            statements += planner.call(Call(rules.game.span, verb, ()), Scope())
    return statements
