"""The steps of a body: names bound one after the other, control, named steps and ways out."""

from __future__ import annotations

from aodrules.check import steps as checked
from aodrules.check.steps import Steps
from aodrules.compiler.formulas import CellRead, Formula, Literal, Variable, is_literal, length, nonzero
from aodrules.compiler.layout import STEP
from aodrules.compiler.lower.expressions import lower_expression, lower_items
from aodrules.compiler.lower.planner import Planner
from aodrules.compiler.lower.scope import LowerScope
from aodrules.compiler.nodes import (
    Break,
    CellWrite,
    Finish,
    IfLogging,
    Labelled,
    Statement,
    Statements,
    assign,
    branch,
    call_runtime,
    write_log,
)
from aodrules.compiler.variables import asks, flow, leaves
from aodrules.lang.types import item_word
from aodrules.source.spans import Span


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
    if is_literal(value) and step.name not in planner.changed:
        return (), scope.bind(step.name, value)
    variable = planner.variable(step.name, step.span)
    return (assign(variable, value),), scope.bind(step.name, variable)


def lower_roll(planner: Planner, step: checked.Roll, scope: LowerScope) -> tuple[Statements, LowerScope]:
    """Return a roll, and the names after it."""
    variable, items = planner.variable(step.result, step.span), planner.variable("items", step.span)
    fixed = assign(items, lower_items(planner, step.items, scope))
    rolled = call_runtime(step.span, "roll_item", items, result=variable)
    word = Literal(step.span, item_word(step.items.type))
    note = write_log(step.span, "roll", variable, word)
    noting = IfLogging(step.span, branch(step.span, nonzero(length(items)), (note,)))
    return (fixed, rolled, noting), scope.bind(step.result, variable)


# Control.


def lower_if(planner: Planner, step: checked.If, scope: LowerScope) -> Statements:
    """Return a branch."""
    condition = lower_expression(planner, step.condition, scope)
    if isinstance(condition, Literal):
        return lower_steps(planner, step.then if condition.value else step.otherwise, scope)
    return branch(
        step.span, condition, lower_steps(planner, step.then, scope), lower_steps(planner, step.otherwise, scope)
    )


# Named steps and ways out.


def lower_named_step(planner: Planner, step: checked.Step, scope: LowerScope) -> Statements:
    """Return a named step."""
    span, label = step.span, planner.fresh("step")
    outer = planner.variable("outer", span)
    body = lower_steps(planner, step.body, scope.inside(step.address, label, outer.name))
    begin: Statements = (write_log(span, "step", step.address),)
    begin = (IfLogging(span, begin), *_reset_fields(planner, step, span))
    if leaves(body, label):
        body = (Labelled(span, label, body),)
    keep = assign(outer, CellRead(span, STEP))
    if not asks(body):
        # Nobody sees that the step is active, but a `stop` goes back to what was active around it.
        return (*((keep,) if outer.name in flow(body)[0] else ()), *begin, *body)
    number = planner.step_number(step.address)
    before = (keep, CellWrite(span, STEP, None, Literal(span, number)))
    return (*before, *begin, *body, CellWrite(span, STEP, None, outer))


def _reset_fields(planner: Planner, step: checked.Step, span: Span) -> Statements:
    """Return the statements that put fields back to their start when a step begins."""
    fields = planner.rules.fields.values()
    names = [one.name for key in (step.name, step.address) for one in fields if one.resets == key]
    return tuple(
        call_runtime(span, "reset_cells", *_reset_arguments(planner, name, span)) for name in dict.fromkeys(names)
    )


def _reset_arguments(planner: Planner, field: str, span: Span) -> tuple[Formula, ...]:
    """Return what the runtime needs to reset a field: its name, shape, first cell and start."""
    cells = planner.layout.fields[field]
    start = planner.starts(field)
    return tuple(Literal(span, one) for one in (field, cells.base, cells.shape, start))


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
