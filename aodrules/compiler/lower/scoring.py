"""How the game stands for a player, as functions of the state: points by source, in all, and what decides who wins."""

from __future__ import annotations

from aodrules.compiler.formulas import CallPure, Formula, Literal, add_up, tuple_of
from aodrules.compiler.lower.expressions import is_playing, lower_expression
from aodrules.compiler.lower.planner import Planner
from aodrules.compiler.lower.scope import LowerScope
from aodrules.compiler.lower.values import add_value_function, lower_value
from aodrules.compiler.nodes import Function


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
    results = {
        "score_points": tuple_of(span, *points),
        "score_total": in_all,
        "score_standing": tuple_of(span, is_in, may_win, *numbers),
    }
    for name, result in results.items():
        planner.functions[name] = Function(name, span, (player.name,), (), result)
