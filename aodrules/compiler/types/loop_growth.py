"""How often a loop is run, and how much it adds to a variable: what bounds numbers that only grow."""

from __future__ import annotations

from collections.abc import Mapping

from aodrules.compiler.formulas import Formula, Literal, Op, Variable
from aodrules.compiler.nodes import Assign, CallRuntime, ForEach, Statements, WhileLoop
from aodrules.compiler.types.plan_type import ListType, NumberType, PlanType, exactly
from aodrules.compiler.types.type_facts import TypeFacts
from aodrules.compiler.variables import read_by
from aodrules.compiler.visit import bodies
from aodrules.lang import interval
from aodrules.lang.interval import Interval


def most_turns(loop: WhileLoop, facts: TypeFacts) -> int | None:
    """Return how often a loop is run that counts down to 0, at the end of each turn."""
    conditions = loop.condition.operands if isinstance(loop.condition, Op) else ()
    for condition in conditions:
        match condition, loop.body[-1:]:
            case Op(_, ">", (Variable(_, name), Literal(_, 0))), (
                Assign(_, counted, Op(_, "-", (Variable(_, lessened), Literal(_, 1)))),
            ) if name == counted == lessened:
                of = facts.names.get(name)
                return of.high if isinstance(of, NumberType) else None
    return None


def growth_of(name: str, statements: Statements, amounts: Mapping[Formula, PlanType]) -> Interval | None:
    """Return by how much statements change a variable; nothing if they do not only add to it."""
    found = interval.exactly(0)
    for statement in statements:
        more: Interval | None = interval.exactly(0)
        if isinstance(statement, Assign) and statement.name == name:
            more = _added(statement, amounts)
        elif isinstance(statement, ForEach | WhileLoop):
            inner = growth_of(name, statement.body, amounts)
            items = amounts.get(statement.items) if isinstance(statement, ForEach) else None
            if inner is not None and inner != interval.exactly(0):
                more = interval.repeated(inner, items.capacity) if isinstance(items, ListType) else None
        elif isinstance(statement, CallRuntime) and statement.result == name:
            more = None
        else:
            parts = [growth_of(name, body, amounts) for body in bodies(statement)]
            known = [part for part in parts if part is not None]
            more = interval.hull(interval.exactly(0), *known) if len(known) == len(parts) else None
        if more is None:
            return None
        found = interval.plus(found, more)
    return found


def _added(assign: Assign, amounts: Mapping[Formula, PlanType]) -> Interval | None:
    match assign.value:
        case Op(_, "+" | "-" as sign, (Variable(_, assign.name), amount)) if assign.name not in read_by(amount):
            of = amounts.get(amount, exactly(0))
            found = Interval(of.low, of.high) if isinstance(of, NumberType) else None
            return None if found is None else found if sign == "+" else interval.negated(found)
    return None
