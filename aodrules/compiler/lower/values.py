"""Named values, written in place or functions with their modifiers; and how the game stands, as functions too."""

from __future__ import annotations

from itertools import chain

from aodrules.check.checked import Modifier, Value
from aodrules.compiler.formulas import (
    Bind,
    CallPure,
    Formula,
    Literal,
    Variable,
    add_up,
    all_of,
    call_pure,
    is_simple,
    nonzero,
    tuple_of,
)
from aodrules.compiler.lower.expressions import is_playing, lower_all, lower_expression
from aodrules.compiler.lower.holders import EffectHolding, PackedLists, find_holdings, pack_lists
from aodrules.compiler.lower.planner import Planner
from aodrules.compiler.lower.scope import LowerScope
from aodrules.compiler.nodes import ForEach, Function, Statements, assign, branch
from aodrules.lang.expressions import ValueCall
from aodrules.source.spans import Span


def lower_value(planner: Planner, name: str, arguments: tuple[Formula, ...], span: Span) -> Formula:
    """Return the formula of a value for some arguments."""
    if planner.inline_sizes.is_value_in_place(name):
        return _inline_value(planner, planner.rules.values[name], arguments, span)
    return CallPure(span, add_value_function(planner, name), arguments, planned=True)


def _inline_value(planner: Planner, value: Value, arguments: tuple[Formula, ...], span: Span) -> Formula:
    names: dict[str, Formula] = {}
    bound: list[tuple[str, Formula]] = []
    for parameter, argument in zip(value.parameters, arguments, strict=True):
        if is_simple(argument):
            names[parameter.name] = argument
        else:
            variable = planner.variable(parameter.name, span)
            names[parameter.name] = variable
            bound.append((variable.name, argument))
    formula = lower_expression(planner, value.formula, LowerScope(dict(names)))
    for name, argument in reversed(bound):
        formula = formula if isinstance(formula, Literal) else Bind(span, name, argument, formula)
    return formula


def add_value_function(planner: Planner, name: str) -> str:
    """Return the name of the function that computes a value; it is planned when first asked for."""
    key = f"value_{name.replace('.', '_')}"
    if key not in planner.functions:
        planner.functions[key] = _make_function(planner, key, planner.rules.values[name])
    return key


def _make_function(planner: Planner, key: str, value: Value) -> Function:
    parameters = {one.name: planner.variable(one.name, one.span) for one in value.parameters}
    scope = LowerScope(dict(parameters))
    base = lower_expression(planner, value.formula, scope)
    names = tuple(variable.name for variable in parameters.values())
    modifiers = planner.rules.modifiers.get(value.name, ())
    kept = value.name if value.name in planner.layout.kept else None
    if not modifiers:
        return Function(key, value.span, names, (), base, kept=kept)
    result = planner.variable("result", value.span)
    in_order = sorted(modifiers, key=lambda one: one.order)
    looked_through, packed = pack_lists(planner, [one.scope for one in modifiers], _player_in(scope), value.span)
    body: list[Statements] = [(assign(result, base),), looked_through]
    body += [_apply_modifier(planner, one, result, scope, packed) for one in in_order]
    return Function(key, value.span, names, sum(body, ()), result, kept=kept)


def _player_in(scope: LowerScope) -> Variable | None:
    """Return the player a value is about."""
    player = scope.names.get("player")
    return player if isinstance(player, Variable) else None


def _apply_modifier(
    planner: Planner, modifier: Modifier, result: Variable, scope: LowerScope, packed: PackedLists
) -> Statements:
    statements: Statements = ()
    holdings = list(find_holdings(planner, modifier.scope, _player_in(scope), modifier.span, packed))
    if modifier.operation == "set":
        # The first holder counts.
        for holding in reversed(holdings):
            statements = _apply_for_holder(planner, modifier, holding, result, scope, statements)
        return statements
    applied = (_apply_for_holder(planner, modifier, holding, result, scope) for holding in holdings)
    return tuple(chain.from_iterable(applied))


def _apply_for_holder(
    planner: Planner,
    modifier: Modifier,
    holding: EffectHolding,
    result: Variable,
    scope: LowerScope,
    otherwise: Statements = (),
) -> Statements:
    """Return what a modifier does to the result while one holder has it, and else."""
    span, scope = modifier.span, holding.bind(scope)
    amount = lower_expression(planner, modifier.amount, scope)
    change = _apply_operation(modifier, amount, result.at(span), holding)
    applies = nonzero(holding.copies)
    if modifier.condition is not None:
        applies = all_of(span, applies, lower_expression(planner, modifier.condition, scope))
    return branch(span, applies, change, otherwise)


def _apply_operation(modifier: Modifier, amount: Formula, result: Variable, holding: EffectHolding) -> Statements:
    """Return the statement that applies one operation, once for each copy where that makes a difference."""
    span, kind = modifier.span, modifier.operation
    if kind == "add":
        many = holding.copies * amount if holding.most > 1 else amount
        if isinstance(many, Literal) and many.value == 0:
            return ()
        return (assign(result, result + many),)
    if kind == "times":
        once = assign(result, result * amount)
        if holding.most <= 1:
            return (once,)
        turns = call_pure(span, "range", holding.copies)
        return (ForEach(span, f"{result.name}_turn", turns, (once,)),)
    if kind in {"at_least", "at_most"}:
        return (assign(result, call_pure(span, "max" if kind == "at_least" else "min", result, amount)),)
    if kind in {"allow", "forbid"}:
        return branch(span, amount, (assign(result, kind == "allow"),))
    return (assign(result, amount),)


def lower_value_call(planner: Planner, expression: ValueCall, scope: LowerScope) -> Formula:
    """Return a named value."""
    arguments = lower_all(planner, expression.arguments, scope)
    return lower_value(planner, expression.value, arguments, expression.span)


# How the game stands for a player: points by source, in all, and what decides who wins.


def add_scoring_functions(planner: Planner) -> None:
    """Plan the functions that the runtime calls for scores and rankings."""
    game, span = planner.rules.game, planner.rules.game.span
    player = planner.variable("player", span)
    scope = LowerScope({"player": player})
    points: list[Formula] = [
        CallPure(span, add_value_function(planner, source.value), (player,), planned=True) for source in game.points
    ]
    has_total = "total" in planner.rules.values
    in_all = lower_value(planner, "total", (player,), span) if has_total else add_up(span, *points)
    is_in = is_playing(player, span)
    may_win: Formula = Literal(span, value=True)
    if game.winner_if is not None:
        may_win = lower_expression(planner, game.winner_if, scope)
    compared_by = [] if game.winner_most is None else [game.winner_most]
    numbers = (lower_expression(planner, one, scope) for one in (*compared_by, *game.winner_then))
    promised = [lower_expression(planner, one, scope) for one in game.outlook]
    results = {
        "score_points": tuple_of(span, *points),
        "score_total": in_all,
        "score_outlook": add_up(span, *promised) if promised else in_all,
        "score_standing": tuple_of(span, is_in, may_win, *numbers),
    }
    for name, result in results.items():
        planner.functions[name] = Function(name, span, (player.name,), (), result)
