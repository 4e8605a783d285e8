"""The frame of a game: players, seats, where it begins, points, who wins, and the words for people."""

from __future__ import annotations

import re

from aodrules.check import problems
from aodrules.check.checked import GameSection, Parameter, PointSource
from aodrules.check.context import MOST_PLAYERS, Context, LocalName, Scope, Signature
from aodrules.check.resolve.expressions import find_named, read_expression, read_if_given
from aodrules.lang.expressions import Const, Expression, Local, Operation, ValueCall
from aodrules.lang.types import FLAG, NUMBER, PLAYER, ListOf, Number
from aodrules.source.wording import count
from aodrules.syntax.tree import Mapping, Scalar

_PLAYERS = re.compile(r"(\d+)(?:\.\.(\d+))?")
_RANKING = ("most", "then", "if")
_SUBJECT = {"player": LocalName(PLAYER, "parameter")}


def declare_points(context: Context) -> None:
    """Make a value of each entry of `points`, and `total` of them all, before any expression is read."""
    points = context.section("game").get("points")
    for entry in context.section("game").mapping("points"):
        parameter = Parameter("player", PLAYER, entry.key.span)
        context.values[f"points.{entry.name}"] = Signature(
            f"points.{entry.name}", (parameter,), entry.key.span, entry.value
        )
    at = points.span if points is not None else context.root.span
    if "total" not in context.values:
        context.values["total"] = Signature("total", (Parameter("player", PLAYER, at),), at, Scalar(at, 0, "0"))


def total_formula(context: Context) -> Expression:
    """Return the sum of all points of a player."""
    at = context.values["total"].span
    formula: Expression = Const(Number(0, 0), at, 0)
    for name, signature in context.values.items():
        if name.startswith("points."):
            call = ValueCall(NUMBER, signature.span, name, (Local(PLAYER, signature.span, "player"),))
            formula = Operation(NUMBER, at, "+", (formula, call))
    return formula


def read_game_section(context: Context) -> GameSection:
    """Return the frame the `game` declaration says."""
    body = context.section("game")
    low, high = _read_players(context, body)
    seats = _read_seats(context, body, high)
    _check_sides_named(context, seats)
    winner = body.mapping("winner")
    scope = Scope(context, "game.winner", dict(_SUBJECT))
    return GameSection(
        context.ruleset.name,
        (low, high),
        seats,
        _read_verb(context, body, "begin"),
        _read_verb(context, body, "play") or "",
        read_if_given(Scope(context, "game.order"), body.get("order"), ListOf(PLAYER)),
        tuple(PointSource(name.removeprefix("points."), name) for name in context.values if name.startswith("points.")),
        read_if_given(scope, winner.get("most"), NUMBER),
        tuple(read_expression(scope, each, NUMBER) for each in winner.sequence("then")),
        _read_who_can_win(scope, winner),
        body.span,
        _read_verb(context, body, "end"),
        _read_outlook(context, body.mapping("outlook")),
    )


def _read_outlook(context: Context, parts: Mapping) -> tuple[Expression, ...]:
    return tuple(
        read_expression(Scope(context, f"game.outlook.{each.name}", dict(_SUBJECT)), each.value, NUMBER)
        for each in parts
    )


def _read_who_can_win(scope: Scope, winner: Mapping) -> Expression | None:
    """Return the condition on who can win; if all win or lose together it speaks of nobody, and nothing ranks them."""
    together = winner.get("together")
    if together is None:
        return read_if_given(scope, winner.get("if"), FLAG)
    for entry in winner:
        if entry.name in _RANKING:
            message = f"`{entry.name}` sets players apart, and here they win or lose together"
            scope.context.add(problems.wrong_declaration(message, entry.key.span))
    return read_expression(Scope(scope.context, "game.winner.together"), together, FLAG)


def _read_players(context: Context, body: Mapping) -> tuple[int, int]:
    node = body.get("players")
    found = _PLAYERS.fullmatch(node.text) if isinstance(node, Scalar) else None
    low, high = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
    if not 1 <= low <= high <= MOST_PLAYERS:
        at = node.span if node is not None else body.span
        context.add(problems.wrong_declaration(f"`players` is a range such as `2..4`, at most {MOST_PLAYERS}", at))
        return 1, 1
    return low, high


def _read_seats(context: Context, body: Mapping, high: int) -> tuple[str, ...]:
    node = body.get("seats")
    names = tuple(each.text for each in body.sequence("seats") if isinstance(each, Scalar))
    if not names:
        return tuple(f"player_{number}" for number in range(1, high + 1))
    at = node.span if node is not None else body.span
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        context.add(problems.wrong_declaration(f"the seat `{twice}` is named twice", at))
    elif len(names) < high:
        message = f"expected {count(high, 'seat')} for as many players, found {len(names)}"
        context.add(problems.wrong_declaration(message, at))
    return names


def _check_sides_named(context: Context, seats: tuple[str, ...]) -> None:
    """Report a side that is called like a seat or another side: owners are told apart by their names."""
    taken = dict.fromkeys(seats, context.section("game").span)
    for kind in context.kinds.values():
        for member in kind.members if kind.is_side else ():
            at = context.member_bodies[kind.name, member].span
            if member in taken:
                context.add(problems.duplicate_name(member, at, taken[member], "owners"))
            taken.setdefault(member, at)


def _read_verb(context: Context, body: Mapping, key: str) -> str | None:
    node = body.get(key)
    if node is None:
        if key == "play":
            context.add(problems.wrong_declaration("the game does not say what its `play` is", body.span))
        return None
    name = body.word(key)
    verb = find_named(context, node, context.verbs, "verb")
    if verb is not None and verb.parameters:
        context.add(problems.wrong_arguments(f"`{name}` needs arguments, and nobody gives them here", node.span))
    return name
