"""Named values: written in place if they are small and nothing modifies them, else functions with their modifiers."""

from __future__ import annotations

from itertools import chain

from aodrules.check.checked import Modifier, Value
from aodrules.compiler.folding import branch, call_pure, is_simple, nonzero, operation
from aodrules.compiler.lower.holders import EffectHolding, HolderPlanner
from aodrules.compiler.lower.scope import LowerScope
from aodrules.compiler.nodes import Assign, Bind, CallPure, ForEach, Formula, Function, Literal, Statements, Variable
from aodrules.source.spans import Span

OPERATIONS = ("set", "add", "times", "at_least", "at_most", "allow", "forbid")


class ValuePlanner(HolderPlanner):
    """Turns values and their modifiers into functions and formulas."""

    def value(self, name: str, arguments: tuple[Formula, ...], span: Span) -> Formula:
        """Return the formula of a value for some arguments."""
        if self.sizes.is_value_in_place(name):
            return self._in_place(self.rules.values[name], arguments, span)
        return CallPure(span, self.value_function(name), arguments, planned=True)

    def _in_place(self, value: Value, arguments: tuple[Formula, ...], span: Span) -> Formula:
        names: dict[str, Formula] = {}
        bound: list[tuple[str, Formula]] = []
        for parameter, argument in zip(value.parameters, arguments, strict=True):
            if is_simple(argument):
                names[parameter.name] = argument
            else:
                variable = self.variable(parameter.name, span)
                names[parameter.name] = variable
                bound.append((variable.name, argument))
        formula = self.expression(value.formula, LowerScope(dict(names)))
        for name, argument in reversed(bound):
            formula = formula if isinstance(formula, Literal) else Bind(span, name, argument, formula)
        return formula

    def value_function(self, name: str) -> str:
        """Return the name of the function that computes a value; it is planned when first asked for."""
        key = f"value_{name.replace('.', '_')}"
        if key not in self.functions:
            self.functions[key] = self._function(key, self.rules.values[name])
        return key

    def _function(self, key: str, value: Value) -> Function:
        parameters = {one.name: self.variable(one.name, one.span) for one in value.parameters}
        scope = LowerScope(dict(parameters))
        base = self.expression(value.formula, scope)
        names = tuple(variable.name for variable in parameters.values())
        modifiers = self.rules.modifiers.get(value.name, ())
        if not modifiers:
            return Function(key, value.span, names, (), base)
        result = self.variable("result", value.span)
        body: list[Statements] = [(Assign(value.span, result.name, base),)]
        for operation_ in OPERATIONS:
            body += [self._modified(one, result, scope) for one in modifiers if one.operation == operation_]
        return Function(key, value.span, names, sum(body, ()), result)

    def _modified(self, modifier: Modifier, result: Variable, scope: LowerScope) -> Statements:
        player = scope.names.get("player")
        whose = player if isinstance(player, Variable) else None
        statements: Statements = ()
        holdings = list(self.holdings(modifier.scope, whose, modifier.span))
        if modifier.operation == "set":
            # The first holder counts.
            for holding in reversed(holdings):
                statements = self._applied(modifier, holding, result, scope, statements)
            return statements
        applied = (self._applied(modifier, holding, result, scope) for holding in holdings)
        return tuple(chain.from_iterable(applied))

    def _applied(
        self,
        modifier: Modifier,
        holding: EffectHolding,
        result: Variable,
        scope: LowerScope,
        otherwise: Statements = (),
    ) -> Statements:
        """Return what a modifier does to the result while one holder has it, and else."""
        if holding.member is not None:
            scope = scope.bind("self", holding.member)
        if holding.owner is not None:
            scope = scope.bind("owner", holding.owner)
        span = modifier.span
        amount = self.expression(modifier.amount, scope)
        change = _change(modifier, amount, result, holding)
        applies = nonzero(holding.copies)
        if modifier.condition is not None:
            applies = operation(span, "and", applies, self.expression(modifier.condition, scope))
        return branch(span, applies, change, otherwise)


def _change(modifier: Modifier, amount: Formula, result: Variable, holding: EffectHolding) -> Statements:
    """Return the statement that applies one operation, once for each copy where that makes a difference."""
    span, kind = modifier.span, modifier.operation
    if kind == "add":
        many = operation(span, "*", holding.copies, amount) if holding.most > 1 else amount
        if isinstance(many, Literal) and many.value == 0:
            return ()
        return (Assign(span, result.name, operation(span, "+", result, many)),)
    if kind == "times":
        once = Assign(span, result.name, operation(span, "*", result, amount))
        if holding.most <= 1:
            return (once,)
        turns = call_pure(span, "range", holding.copies)
        return (ForEach(span, f"{result.name}_turn", turns, (once,)),)
    if kind in {"at_least", "at_most"}:
        return (Assign(span, result.name, call_pure(span, "max" if kind == "at_least" else "min", result, amount)),)
    if kind in {"allow", "forbid"}:
        return branch(span, amount, (Assign(span, result.name, Literal(span, kind == "allow")),))
    return (Assign(span, result.name, amount),)
