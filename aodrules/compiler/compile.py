"""From a plan to a program: Python is generated and loaded. Kept apart, so that playing kept code needs none of it."""

from __future__ import annotations

from typing import Any

from aodrules.compiler.codegen.blocks import block_name
from aodrules.compiler.codegen.module import generate
from aodrules.compiler.codegen.writer import BLOCKS
from aodrules.compiler.plan import GAME_END, Plan
from aodrules.compiler.runtime.compiled import SCORING, DecisionTable, Program
from aodrules.compiler.runtime.namespace import namespace


def compile_plan(planned: Plan, *, log: bool = True) -> Program:
    """Return the program of a plan, with or without a log."""
    generated = generate(planned, log=log)
    space = namespace()
    space.update(generated.constants)
    space.update({name: {} for name in generated.tables})
    for _, code in generated.code():
        exec(code, space)  # noqa: S102 - the code was generated from checked rules; that is the point
    graph, last = planned.graph, max(planned.decision_points, default=0)
    questions = tuple(_question(planned, space, number) for number in range(last + 1))
    space[BLOCKS].extend(space.get(block_name(number)) for number in range(len(graph.blocks)))
    return Program(
        planned,
        planned.start,
        tuple(space[BLOCKS]),
        tuple(None if one is None else one.answer for one in questions),
        questions,
        {name: space[name] for name in SCORING},
        log,
        space.get(GAME_END),
    )


def _question(planned: Plan, space: dict[str, Any], number: int) -> DecisionTable | None:
    block = next((block for block, point in planned.graph.answers.items() if point == number), None)
    if block is None:
        return None
    point, cells = planned.decision_points[number], planned.frames.cells
    shown = planned.functions[f"shown_{number}"]
    return DecisionTable(
        point.decision,
        space[block_name(block)],
        space[point.legal],
        tuple(cells[name] for name in point.inputs),
        space[shown.name],
        tuple(cells[name] for name in point.shown),
        tuple(name for name, _ in point.arguments),
        tuple((name, field) for name, _, field in point.around),
    )
