"""From a plan to a program: Python is generated and loaded. Kept apart, so that playing kept code needs none of it."""

from __future__ import annotations

from itertools import product
from typing import Any

from aodrules.compiler.codegen.blocks import block_name
from aodrules.compiler.codegen.module import generate
from aodrules.compiler.codegen.writer import BLOCKS
from aodrules.compiler.plan import GAME_END, Plan
from aodrules.compiler.runtime.compiled import SCORING, DecisionTable, Program
from aodrules.compiler.runtime.namespace import namespace

FEW_WAYS = 1_000
"""Of kept values with at most so many ways to fill in their parameters a new game knows the results."""


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
        _work_out_kept(planned, space),
        tuple(space[BLOCKS]),
        tuple(None if one is None else one.answer for one in questions),
        questions,
        {name: space[name] for name in SCORING},
        log,
        space.get(GAME_END),
    )


def _work_out_kept(planned: Plan, space: dict[str, Any]) -> tuple[Any, ...]:
    """Return the cells of a new game with what kept values come to in it, so that no game works it out anew."""
    cells = list(planned.start)
    for function in planned.functions.values():
        kept = None if function.kept is None or function.lists else planned.layout.kept[function.kept]
        if (
            kept is not None
            and kept.ways <= FEW_WAYS
            and not any(one.is_flag or one.is_maybe for one in kept.parameters)
        ):
            for at in product(*(range(one.low, one.low + one.size) for one in kept.parameters)):
                space[function.name](cells, *at)
    return tuple(cells)


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
