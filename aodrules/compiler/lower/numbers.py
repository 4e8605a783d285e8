"""Setting, adding and taking: numbers stay in the range of their field, and what changed is noted."""

from __future__ import annotations

from attrs import evolve

from aodrules.check.checked import Field
from aodrules.check.steps import AddTo, FieldTarget, LocalTarget, SetTo
from aodrules.compiler.formulas import (
    Formula,
    Literal,
    Variable,
    fold_tuple,
    is_count,
    is_none,
    negate,
    select,
)
from aodrules.compiler.lower.cells import CellRef
from aodrules.compiler.lower.expressions import keep_all, lower_cell, lower_expression
from aodrules.compiler.lower.planner import Planner
from aodrules.compiler.lower.scope import LowerScope
from aodrules.compiler.nodes import IfLogging, Statement, Statements, assign, branch, log
from aodrules.lang.types import Maybe, Number, SetOf, Type, bare, present
from aodrules.source.spans import Span


def lower_set(planner: Planner, step: SetTo, scope: LowerScope) -> Statements:
    """Return the statements of a `set`."""
    value = lower_expression(planner, step.value, scope)
    if not isinstance(step.target, FieldTarget):
        return (assign(_find_local(step.target, scope, step.span), value),)
    before, cell = _keep_cell(planner, step.target, scope, step.span)
    return before + _change_cell(planner, cell, value, step.value.type, quiet=step.up_to)


def lower_add(planner: Planner, step: AddTo, scope: LowerScope) -> tuple[Statements, LowerScope]:
    """Return the statements of an `add` or `take`, and the scope after it."""
    amount = lower_expression(planner, step.amount, scope)
    if not isinstance(step.target, FieldTarget):
        return _add_to_local(planner, step, _find_local(step.target, scope, step.span), amount, scope)
    before, cell = _keep_cell(planner, step.target, scope, step.span)
    of = cell.cells.field.type
    if isinstance(bare(of), SetOf):
        new = _add_members(step, cell.read(), amount)
        return before + _change_cell(planner, cell, new, of, quiet=True), scope
    statements, scope = _add_to_cell(planner, step, cell, amount, scope)
    return before + statements, scope


def _find_local(target: LocalTarget, scope: LowerScope, span: Span) -> Variable:
    """Return the local that a step changes, as one that stands where the step does."""
    local = scope.formula(target.name)
    assert isinstance(local, Variable)
    return local.at(span)


def _keep_cell(planner: Planner, target: FieldTarget, scope: LowerScope, span: Span) -> tuple[Statements, CellRef]:
    """Return statements that compute the indices of a cell once, and the cell with simple indices."""
    cell = lower_cell(planner, target.field, target.at, scope, span)
    before, at = keep_all(planner, (one for one in cell.at if one is not None), span)
    return before, evolve(cell, at=at)


def _add_to_cell(
    planner: Planner, step: AddTo, cell: CellRef, amount: Formula, scope: LowerScope
) -> tuple[Statements, LowerScope]:
    new = cell.read() + amount if step.sign > 0 else cell.read() - amount
    changes = _change_cell(planner, cell, new, _find_range(step, cell, amount), quiet=step.up_to)
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


def _change_cell(planner: Planner, cell: CellRef, value: Formula, of: Type | None, *, quiet: bool) -> Statements:
    """Return the statements that give a cell a new value, cut to the range of its field. Its indices are simple."""
    span, new = cell.span, planner.variable("new", cell.span)
    statements: Statements = (assign(new, value),)
    cut = _keep_in_range(cell.cells.field, new, of)
    if not cut or quiet:
        return statements + cut + write_and_log(cell, new)
    wanted = planner.variable("wanted", span)
    statements += (IfLogging(span, (assign(wanted, new),)), *cut, *write_and_log(cell, new))
    return (*statements, _log_if_different(cell, "cut", wanted, new))


def write_and_log(cell: CellRef, new: Variable) -> Statements:
    """Return the statements that give a cell a new value and note it if it is another."""
    return _log_if_different(cell, "set", cell.read(), new), cell.write(new)


def _log_if_different(cell: CellRef, entry: str, before: Formula, now: Variable) -> Statement:
    """Return what writes an entry about a cell to the log: what it is, the field, the indices, then and now."""
    indices = fold_tuple(cell.span, *cell.at)
    return log(cell.span, entry, cell.cells.name, indices, before, now, when=before.differs(now))


def _find_range(step: AddTo, cell: CellRef, amount: Formula) -> Number:
    """Return the range of a number to which something was added: by a count it only gets greater, or less."""
    within = present(cell.cells.field.type)
    if not isinstance(within, Number) or not is_count(amount):
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
    """Return a set with members added or taken away."""
    of = step.amount.type
    bits = amount if isinstance(bare(of), SetOf) else 1 << amount
    if isinstance(of, Maybe):
        bits = select(step.span, is_none(amount), 0, bits)
    if step.sign > 0:
        return old | bits
    if isinstance(bits, Literal) and isinstance(bits.value, int):
        return old & ~bits.value
    return old - (old & bits)
