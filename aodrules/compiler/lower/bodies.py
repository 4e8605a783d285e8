"""The steps of a body: names bound one after the other, control, named steps and ways out."""

from __future__ import annotations

from aodrules.check import steps as checked
from aodrules.check.steps import Steps
from aodrules.compiler.formulas import CellRead, Literal, Variable, length, nonzero
from aodrules.compiler.layout import STEP
from aodrules.compiler.lower.expressions import lower_expression, lower_items
from aodrules.compiler.lower.planner import Planner
from aodrules.compiler.lower.scope import LowerScope
from aodrules.compiler.nodes import (
    Break,
    CellWrite,
    Finish,
    Labelled,
    Statement,
    Statements,
    assign,
    branch,
    call_runtime,
    log,
)
from aodrules.compiler.variables import asks, flow, leaves
from aodrules.lang.types import item_word


def lower_steps(planner: Planner, steps: Steps, scope: LowerScope) -> Statements:
    """Return the statements of steps; names that a step binds hold for those after it."""
    statements: list[Statement] = []
    for step in steps:
        binding = planner.binding_steps.get(type(step))
        if binding is None:
            statements += planner.steps[type(step)](planner, step, scope)
        else:
            more, scope = binding(planner, step, scope)
            statements += more
    return tuple(statements)


def lower_let(planner: Planner, step: checked.Let, scope: LowerScope) -> tuple[Statements, LowerScope]:
    """Return the binding of a name."""
    value = lower_expression(planner, step.value, scope)
    if isinstance(value, Literal) and step.name not in planner.changed:
        return (), scope.bind(step.name, value)
    variable = planner.variable(step.name, step.span)
    return (assign(variable, value),), scope.bind(step.name, variable)


def lower_roll(planner: Planner, step: checked.Roll, scope: LowerScope) -> tuple[Statements, LowerScope]:
    """Return a roll, and the names after it."""
    result, items = planner.variable(step.result, step.span), planner.variable("items", step.span)
    statements = (
        assign(items, lower_items(planner, step.items, scope)),
        call_runtime(step.span, "roll_item", items, result=result),
        log(step.span, "roll", result, item_word(step.items.type), when=nonzero(length(items))),
    )
    return statements, scope.bind(step.result, result)


# Control.


def lower_if(planner: Planner, step: checked.If, scope: LowerScope) -> Statements:
    """Return a branch."""
    condition = lower_expression(planner, step.condition, scope)
    if isinstance(condition, Literal):
        return lower_steps(planner, step.then if condition.value else step.otherwise, scope)
    then, otherwise = (lower_steps(planner, steps, scope) for steps in (step.then, step.otherwise))
    return branch(step.span, condition, then, otherwise)


# Named steps and ways out.


def lower_named_step(planner: Planner, step: checked.Step, scope: LowerScope) -> Statements:
    """Return a named step."""
    span, label = step.span, planner.fresh("step")
    outer = planner.variable("outer", span)
    body = lower_steps(planner, step.body, scope.inside(step.address, label, outer.name))
    begin = (log(span, "step", step.address), *_reset_fields(planner, step))
    if leaves(body, label):
        body = (Labelled(span, label, body),)
    keep = assign(outer, CellRead(span, STEP))
    if not asks(body):
        # Nobody sees that the step is active, but a `stop` goes back to what was active around it.
        return (*((keep,) if outer.name in flow(body)[0] else ()), *begin, *body)
    active = CellWrite(span, STEP, None, Literal(span, planner.step_number(step.address)))
    return (keep, active, *begin, *body, CellWrite(span, STEP, None, outer))


def _reset_fields(planner: Planner, step: checked.Step) -> Statements:
    """Return the statements that put fields back to their start when a step begins."""
    fields = planner.rules.fields.values()
    names = [one.name for key in (step.name, step.address) for one in fields if one.resets == key]
    cells = (planner.layout.fields[name] for name in dict.fromkeys(names))
    return tuple(
        call_runtime(step.span, "reset_cells", one.name, one.base, one.shape, planner.starts(one.name)) for one in cells
    )


def lower_stop(_planner: Planner, step: checked.Stop, scope: LowerScope) -> Statements:
    """Return the way out of a body or step."""
    if step.step is not None:
        return (Break(step.span, scope.steps[step.step]),)
    if scope.outermost is None:
        return (Break(step.span, scope.label),)
    return CellWrite(step.span, STEP, None, Variable(step.span, scope.outermost)), Break(step.span, scope.label)


def lower_end_game(_planner: Planner, step: checked.EndGame, _: LowerScope) -> Statements:
    """Return the end of the game."""
    return (Finish(step.span),)
