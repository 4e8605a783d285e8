"""Settings: facts outside a game that rules may read. Each is a field of the table that nothing can change."""

from __future__ import annotations

from attrs import evolve

from aodrules.check import problems
from aodrules.check.checked import Field
from aodrules.check.context import Context
from aodrules.check.resolve.expressions import read_expression
from aodrules.check.resolve.fields import check_field_name
from aodrules.check.resolve.parameters import read_type
from aodrules.check.resolve.scope import Scope
from aodrules.lang.types import Flag, Maybe, Member, Number, Player, Type, Unknown
from aodrules.syntax.tree import Entry, Mapping


def read_settings(context: Context) -> None:
    """Let the table have a field for each setting of the game."""
    for entry in _declared(context):
        name = f"table.{entry.name}"
        check_field_name(context, name, entry)
        if name in context.fields:
            context.add(problems.duplicate_name(entry.name, entry.key.span, context.fields[name].span, "things"))
        context.fields[name] = Field(name, (), _type(context, entry), entry.key.span, is_setting=True)


def read_defaults(context: Context) -> None:
    """Read what settings are where nothing is given: expressions, so after all fields are known."""
    for entry in _declared(context):
        field = context.fields[f"table.{entry.name}"]
        default = entry.value.get("default") if isinstance(entry.value, Mapping) else None
        if field.is_setting and default is not None and not isinstance(field.type, Unknown):
            start = read_expression(context, default, Scope(f"game.settings.{entry.name}"), field.type)
            context.fields[field.name] = evolve(field, start=start)


def _declared(context: Context) -> tuple[Entry, ...]:
    declared = context.section("game").get("settings")
    return tuple(declared) if isinstance(declared, Mapping) else ()


def _type(context: Context, entry: Entry) -> Type:
    body = entry.value if isinstance(entry.value, Mapping) else Mapping(entry.value.span)
    type_, per = read_type(context, body.get("is"), entry.key)
    if per or not (_is_single(type_) or isinstance(type_, Unknown)):
        message = "a setting is a number with a range, a flag, a member or a player, or `maybe` one of the last two"
        context.add(problems.wrong_declaration(message, entry.key.span))
        return Number(0, 0)
    return type_


def _is_single(type_: Type) -> bool:
    if isinstance(type_, Maybe):
        return isinstance(type_.of, Member | Player)
    return isinstance(type_, Flag | Member | Player) or (isinstance(type_, Number) and type_.low is not None)
