"""The steps of a body: names bound one after the other, control, named steps, ways out, and changes of fields."""

from __future__ import annotations

from attrs import evolve

from aodrules.check import steps as checked
from aodrules.check.checked import Field
from aodrules.check.steps import AddTo, FieldTarget, LocalTarget, SetTo, Steps
from aodrules.compiler.formulas import (
    CellRead,
    Formula,
    Literal,
    Variable,
    call_pure,
    fold_tuple,
    is_count,
    is_none,
    length,
    negate,
    nonzero,
    select,
)
from aodrules.compiler.layout import STEP
from aodrules.compiler.lower.expressions import keep_place, lower_cell, lower_expression, lower_items
from aodrules.compiler.lower.planner import Planner
from aodrules.compiler.lower.scope import LoweredPlace, LowerScope
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
    log,
)
from aodrules.compiler.visit import asks, flow, leaves
from aodrules.lang.types import Maybe, Number, SetOf, Type, bare, item_word, present
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
    bound: Formula = value
    statements: Statements = ()
    if not isinstance(value, Literal) or step.name in planner.changed:
        bound = planner.variable(step.name, step.span)
        statements = (assign(bound, value),)
        if step.name in planner.changed:
            planner.reassigned.add(bound.name)
    if step.told:
        statements += (log(step.span, "tell", step.name, bound, str(step.value.type)),)
    return statements, scope.bind(step.name, bound)


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
    body = (Labelled(span, planner.fresh("inside"), body, ("step", step.address, (), None)),)
    active = CellWrite(span, STEP, None, Literal(span, planner.step_number(step.address)))
    if scope.active is None:
        return (keep, active, *begin, *body, CellWrite(span, STEP, None, outer))
    # What is around asks too, so that it is the active step: nothing needs to be kept while somebody thinks.
    around = Literal(span, planner.step_number(scope.active))
    kept = (assign(outer, around),) if outer.name in flow(body)[0] else ()
    return (*kept, active, *begin, *body, CellWrite(span, STEP, None, around))


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


# Setting, adding and taking: numbers stay in the range of their field, and what changed is noted.


def lower_set(planner: Planner, step: SetTo, scope: LowerScope) -> Statements:
    """Return the statements of a `set`."""
    value = lower_expression(planner, step.value, scope)
    if not isinstance(step.target, FieldTarget):
        return (assign(_find_local(step.target, scope, step.span), value),)
    before, cell = keep_place(planner, lower_cell(planner, step.target.field, step.target.at, scope, step.span))
    if _find_limit(cell) is not None:
        return before + _fill_set(planner, cell, value, Literal(step.span, 0), quiet=step.up_to)
    return before + _change_cell(planner, cell, value, step.value.type, quiet=step.up_to)


def lower_add(planner: Planner, step: AddTo, scope: LowerScope) -> tuple[Statements, LowerScope]:
    """Return the statements of an `add` or `take`, and the scope after it."""
    amount = lower_expression(planner, step.amount, scope)
    if not isinstance(step.target, FieldTarget):
        return _add_to_local(planner, step, _find_local(step.target, scope, step.span), amount, scope)
    before, cell = keep_place(planner, lower_cell(planner, step.target.field, step.target.at, scope, step.span))
    of = cell.cells.field.type
    if isinstance(bare(of), SetOf):
        new = _add_members(step, cell.read(), amount)
        if _find_limit(cell) is not None and step.sign > 0:
            return before + _fill_set(planner, cell, new, cell.read(), quiet=step.up_to), scope
        return before + _change_cell(planner, cell, new, of, quiet=True), scope
    statements, scope = _add_to_cell(planner, step, cell, amount, scope)
    return before + statements, scope


def _find_local(target: LocalTarget, scope: LowerScope, span: Span) -> Variable:
    """Return the local that a step changes, as one that stands where the step does."""
    local = scope.formula(target.name)
    assert isinstance(local, Variable)
    return local.at(span)


def _add_to_cell(
    planner: Planner, step: AddTo, cell: LoweredPlace, amount: Formula, scope: LowerScope
) -> tuple[Statements, LowerScope]:
    new = cell.read() + amount if step.sign > 0 else cell.read() - amount
    changes = _change_cell(planner, cell, new, _find_range(planner, step, cell, amount), quiet=step.up_to)
    if step.result is None:
        return changes, scope
    result, old = planner.variable(step.result, step.span), planner.variable("before", step.span)
    difference = cell.read() - old if step.sign > 0 else old - cell.read()
    return (assign(old, cell.read()), *changes, assign(result, difference)), scope.bind(step.result, result)


def _add_to_local(
    planner: Planner, step: AddTo, local: Variable, amount: Formula, scope: LowerScope
) -> tuple[Statements, LowerScope]:
    before: Statements = ()
    if step.result is not None:
        result = planner.variable(step.result, step.span)
        before, amount = (assign(result, amount),), result
        scope = scope.bind(step.result, result)
    if not isinstance(bare(step.amount.type), Number):
        return (*before, assign(local, _add_members(step, local, amount))), scope
    return (*before, assign(local, local + amount if step.sign > 0 else local - amount)), scope


def _change_cell(planner: Planner, cell: LoweredPlace, value: Formula, of: Type | None, *, quiet: bool) -> Statements:
    """Return the statements that give a cell a new value, cut to the range of its field. Its indices are simple."""
    span, new = cell.span, planner.variable("new", cell.span)
    statements: Statements = (assign(new, value),)
    if isinstance(of, Number) and of.low is None and is_count(value, planner.counts):
        of = evolve(of, low=0)
    cut = _keep_in_range(cell.cells.field, new, of)
    if not cut or quiet:
        return statements + cut + write_and_log(cell, new)
    wanted = planner.variable("wanted", span)
    statements += (IfLogging(span, (assign(wanted, new),)), *cut, *write_and_log(cell, new))
    return (*statements, _log_if_different(cell, "cut", wanted, new))


def _find_limit(cell: LoweredPlace) -> int | None:
    """Return the most members of a set, where its field says so."""
    of = cell.cells.field.type
    return of.limit if isinstance(of, SetOf) else None


def _fill_set(planner: Planner, cell: LoweredPlace, value: Formula, kept: Formula, *, quiet: bool) -> Statements:
    """Return the statements that let a set hold as many members as it takes, those that are kept first."""
    span, limit = cell.span, _find_limit(cell)
    assert limit is not None
    new, wanted = planner.variable("new", span), planner.variable("wanted", span)
    cut = (assign(new, call_pure(span, "first_members", new, kept, limit)),)
    statements: Statements = (assign(new, value), assign(wanted, call_pure(span, "set_size", new)))
    statements += branch(span, wanted > limit, cut) + write_and_log(cell, new)
    if quiet:
        return statements
    entry = (cell.cells.name, fold_tuple(span, *cell.at), wanted, limit)
    return (*statements, log(span, "cut", *entry, when=wanted > limit))


def write_and_log(cell: LoweredPlace, new: Variable) -> Statements:
    """Return the statements that give a cell a new value and note it if it is another."""
    return _log_if_different(cell, "set", cell.read(), new), cell.write(new)


def _log_if_different(cell: LoweredPlace, entry: str, before: Formula, now: Variable) -> Statement:
    """Return what writes an entry about a cell to the log: what it is, the field, the indices, then and now."""
    indices = fold_tuple(cell.span, *cell.at)
    return log(cell.span, entry, cell.cells.name, indices, before, now, when=before.differs(now))


def _find_range(planner: Planner, step: AddTo, cell: LoweredPlace, amount: Formula) -> Number:
    """Return the range of a number to which something was added: by a count it only gets greater, or less."""
    within = present(cell.cells.field.type)
    if not isinstance(within, Number) or not is_count(amount, planner.counts):
        return Number()
    return Number(low=within.low) if step.sign > 0 else Number(high=within.high)


def _keep_in_range(field: Field, new: Variable, of: Type | None) -> Statements:
    """Return the statements that keep a number in the range of its field; none where it cannot leave it."""
    span, within = new.span, present(field.type)
    if not isinstance(within, Number):
        return ()
    known = of if isinstance(of, Number) and not isinstance(field.type, Maybe) else Number()
    low, high = within.low, within.high
    statements: Statements = ()
    if low is not None and (known.low is None or known.low < low):
        statements += branch(span, new < low, (assign(new, low),))
    if high is not None and (known.high is None or known.high > high):
        statements += branch(span, new > high, (assign(new, high),))
    return branch(span, negate(is_none(new)), statements) if isinstance(field.type, Maybe) else statements


def _add_members(step: AddTo, old: Formula, amount: Formula) -> Formula:
    of = step.amount.type
    bits = amount if isinstance(bare(of), SetOf) else 1 << amount
    if isinstance(of, Maybe):
        bits = select(step.span, is_none(amount), 0, bits)
    if step.sign > 0:
        return old | bits
    if isinstance(bits, Literal) and isinstance(bits.value, int):
        return old & ~bits.value
    return old - (old & bits)
