"""Setting, adding and taking: numbers stay in the range of their field, and what changed is noted."""

from __future__ import annotations

from aodrules.check.checked import Field
from aodrules.check.steps import AddTo, FieldTarget, LocalTarget, SetTo
from aodrules.compiler.formulas import (
    Formula,
    Literal,
    Variable,
    fold_tuple,
    is_count,
    is_none,
    is_simple,
    negate,
    operation,
    read_cell,
    select,
    split_offset,
)
from aodrules.compiler.layout import FieldCells
from aodrules.compiler.lower.expressions import compute_offset, lower_all, lower_expression, read_field
from aodrules.compiler.lower.planner import Planner, bare
from aodrules.compiler.lower.scope import LowerScope
from aodrules.compiler.nodes import Assign, CellWrite, IfLogging, Statements, assign, branch, write_log
from aodrules.lang.types import Maybe, Number, SetOf, Type, present
from aodrules.source.spans import Span


def lower_set(planner: Planner, step: SetTo, scope: LowerScope) -> Statements:
    """Return the statements of a `set`."""
    value = lower_expression(planner, step.value, scope)
    if not isinstance(step.target, FieldTarget):
        return (assign(_find_local(step.target, scope, step.span), value),)
    cells = planner.layout.fields[step.target.field]
    at = lower_all(planner, step.target.at, scope)
    before, at = keep_all(planner, at, step.span)
    return before + _change_field(planner, cells, at, value, step.value.type, step.span, quiet=step.up_to)


def lower_add(planner: Planner, step: AddTo, scope: LowerScope) -> tuple[Statements, LowerScope]:
    """Return the statements of an `add` or `take`, and the scope after it."""
    amount = lower_expression(planner, step.amount, scope)
    sign = "+" if step.sign > 0 else "-"
    if not isinstance(step.target, FieldTarget):
        return _add_to_local(planner, step, _find_local(step.target, scope, step.span), amount, sign, scope)
    cells = planner.layout.fields[step.target.field]
    at = lower_all(planner, step.target.at, scope)
    before, at = keep_all(planner, at, step.span)
    old = read_field(cells, at, step.span)
    if isinstance(bare(cells.field.type), SetOf):
        new = _with_members(old, amount, step.amount.type, sign, step.span)
        return before + _change_field(planner, cells, at, new, cells.field.type, step.span, quiet=True), scope
    of = _after(sign, present(cells.field.type), amount)
    return _add_to_field(planner, step, scope, cells, at, before, operation(step.span, sign, old, amount), of)


def _find_local(target: LocalTarget, scope: LowerScope, span: Span) -> Variable:
    """Return the local that a step changes, as one that stands where the step does."""
    local = scope.formula(target.name)
    assert isinstance(local, Variable)
    return local.at(span)


def _add_to_field(
    planner: Planner,
    step: AddTo,
    scope: LowerScope,
    cells: FieldCells,
    at: tuple[Formula, ...],
    before: Statements,
    new: Formula,
    of: Number,
) -> tuple[Statements, LowerScope]:
    span = step.span
    if step.result is None:
        return before + _change_field(planner, cells, at, new, of, span, quiet=step.up_to), scope
    result, old = planner.variable(step.result, span), planner.variable("before", span)
    statements = (*before, assign(old, read_field(cells, at, span)))
    statements += _change_field(planner, cells, at, new, of, span, quiet=step.up_to)
    now = read_field(cells, at, span)
    difference = now - old if step.sign > 0 else old - now
    return (*statements, assign(result, difference)), scope.bind(step.result, result)


def _add_to_local(
    planner: Planner, step: AddTo, local: Variable, amount: Formula, sign: str, scope: LowerScope
) -> tuple[Statements, LowerScope]:
    before: Statements = ()
    if step.result is not None:
        result = planner.variable(step.result, step.span)
        before, amount = (assign(result, amount),), result
        scope = scope.bind(step.result, result)
    if isinstance(bare(step.amount.type), Number):
        new = operation(step.span, sign, local, amount)
    else:
        new = _with_members(local, amount, step.amount.type, sign, step.span)
    return (*before, assign(local, new)), scope


def keep_all(planner: Planner, formulas: tuple[Formula, ...], span: Span) -> tuple[Statements, tuple[Formula, ...]]:
    """Return statements that compute formulas once, and what stands for each of them afterwards."""
    statements: list[Assign] = []
    kept: list[Formula] = []
    for formula in formulas:
        if is_simple(formula):
            kept.append(formula)
            continue
        variable = planner.variable("at", span)
        statements.append(assign(variable, formula))
        kept.append(variable)
    return tuple(statements), tuple(kept)


def _change_field(
    planner: Planner,
    cells: FieldCells,
    at: tuple[Formula, ...],
    value: Formula,
    of: Type | None,
    span: Span,
    *,
    quiet: bool,
) -> Statements:
    """Return the statements that give a field a new value, cut to its range. The indices are simple."""
    new = planner.variable("new", span)
    statements: Statements = (assign(new, value),)
    cut = _cut(cells.field, new, of, span)
    if not cut or quiet:
        return statements + cut + write_field(cells, at, new, span)
    wanted = planner.variable("wanted", span)
    note = write_log(span, *_head("cut", cells, at, span), wanted, new)
    noting = IfLogging(span, branch(span, wanted.differs(new), (note,)))
    statements += (IfLogging(span, (assign(wanted, new),)), *cut)
    return (*statements, *write_field(cells, at, new, span), noting)


def write_field(cells: FieldCells, at: tuple[Formula, ...], new: Variable, span: Span) -> Statements:
    """Return the statements that give a cell a new value and note it if it is another."""
    offset = compute_offset(cells, at, span)
    base, index = split_offset(cells.base, offset)
    old = read_cell(span, cells.base, offset)
    note = write_log(span, *_head("set", cells, at, span), old, new)
    noting = IfLogging(span, branch(span, old.differs(new), (note,)))
    return noting, CellWrite(span, base, index, new)


def _after(sign: str, within: Type, amount: Formula) -> Number:
    """Return the range of a number to which something was added: by a count it only gets greater, or less."""
    if not isinstance(within, Number) or not is_count(amount):
        return Number()
    return Number(low=within.low) if sign == "+" else Number(high=within.high)


def _head(entry: str, cells: FieldCells, at: tuple[Formula, ...], span: Span) -> tuple[Formula, ...]:
    """Return how an entry about a field begins: what it is, the field, the indices."""
    return Literal(span, entry), Literal(span, cells.name), fold_tuple(span, *at)


def _cut(field: Field, new: Variable, of: Type | None, span: Span) -> Statements:
    """Return the statements that keep a number in the range of its field; none where it cannot leave it."""
    within = present(field.type)
    if not isinstance(within, Number):
        return ()
    low, high = within.low, within.high
    known = of if isinstance(of, Number) else Number()
    statements: Statements = ()
    if isinstance(field.type, Maybe):
        known = Number()
    if low is not None and (known.low is None or known.low < low):
        statements += branch(span, new < low, (assign(new, low),))
    if high is not None and (known.high is None or known.high > high):
        statements += branch(span, new > high, (assign(new, high),))
    if statements and isinstance(field.type, Maybe):
        return branch(span, negate(is_none(new)), statements)
    return statements


def _with_members(old: Formula, amount: Formula, of: Type, sign: str, span: Span) -> Formula:
    """Return a set with members added or taken away."""
    bits = amount if isinstance(bare(of), SetOf) else 1 << amount
    if isinstance(of, Maybe):
        bits = select(span, is_none(amount), 0, bits)
    if sign == "+":
        return old | bits
    if isinstance(bits, Literal) and isinstance(bits.value, int):
        return old & ~bits.value
    return old - (old & bits)
