"""Fields: what the state declares of the table, the players and the members, and what settings and limits add."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from attrs import evolve

from aodrules.check import problems
from aodrules.check.checked import MOST_USES, Field, Limit
from aodrules.check.context import Context, KnownLimit, LocalName, Scope
from aodrules.check.resolve.expressions import check_name, held_kind, read_expression, read_if_given
from aodrules.check.resolve.parameters import read_type
from aodrules.lang.expressions import Expression
from aodrules.lang.types import (
    FLAG,
    NUMBER,
    OWNER,
    PLAYER,
    UNKNOWN,
    Bag,
    Flag,
    ListOf,
    Maybe,
    Member,
    Number,
    Owner,
    Piece,
    Place,
    Player,
    Type,
    Unknown,
)
from aodrules.syntax.tree import Entry, Mapping, Node, Scalar, Sequence, word_of


def read_fields(context: Context) -> None:
    """Read all fields: of the state, of members that remember, and `out` for each kind of piece."""
    for holder in context.section("state"):
        owner = _owner(context, holder)
        for entry in holder.body if owner is not None else ():
            _read_field(context, f"{holder.name}.{entry.name}", entry, owner or ())
    for (family, member), body in context.member_bodies.items():
        kind = context.member_kinds[family, member]
        for entry in body.mapping("remembers"):
            _read_field(context, f"{kind}.{member}.remembers.{entry.name}", entry, (), mention=True)
    for name, root in context.kinds.items():
        if root.pieces is not None:
            out = Field(f"out.{name}", (), Bag(name), root.span, holds=name)
            if context.is_common(name):
                out = evolve(out, is_stock=True)
            elif root.pieces.owned:
                out = evolve(out, dimensions=(context.owner_of(name),), owner_dimension=0)
            context.fields[out.name] = out


def _owner(context: Context, holder: Entry) -> tuple[Type, ...] | None:
    if holder.name == "table":
        return ()
    if holder.name == "player":
        return (PLAYER,)
    if holder.name == "owner":
        return (OWNER if context.has_sides else PLAYER,)
    if holder.name in context.kinds:
        return (Member(holder.name),)
    known = [*context.kinds, "table", "player", "owner"]
    context.add(problems.unknown_name(holder.name, holder.key.span, known, "holder of fields"))
    return None


def _read_field(context: Context, name: str, entry: Entry, owner: tuple[Type, ...], *, mention: bool = False) -> None:
    check_field_name(context, name, entry)
    body = entry.body
    type_, per = read_type(context, body.get("is"), entry.key)
    dimensions = (*owner, *per)
    holds = None if mention or body.flag("mention") else _holds(context, type_)
    if holds and isinstance(type_, Maybe) and context.has_owners(holds) and isinstance(type_.of, Member):
        type_ = Maybe(Piece(type_.of.kind))
    field = Field(name, dimensions, type_, entry.key.span, holds=holds)
    if not _is_sound(context, field):
        field = evolve(field, type=UNKNOWN, holds=None)
    is_stock = isinstance(field.type, Bag) and not _is_by_owner(field) and context.has_owners(field.type.kind)
    field = evolve(field, owner_dimension=_owner_dimension(context, field), secret=_secret(body), is_stock=is_stock)
    _check_stock(context, field, body)
    _check_open_to_sides(context, field, body)
    _check_twin(context, field)
    context.fields[name], context.field_bodies[name] = field, body
    if isinstance(field.type, Unknown):
        context.untyped.add(entry.name)
    resets = body.get("resets")
    if isinstance(resets, Scalar):
        context.periods[name] = resets


def check_field_name(context: Context, name: str, entry: Entry) -> None:
    """Report a name that a field cannot have."""
    check_name(context, entry.key, "owner", "self", "out", "players", "seats", "owners", "seat")
    holder, _, last = name.rpartition(".")
    other = context.attribute_of(holder, last) if holder in context.kinds else None
    if other is not None:
        context.add(problems.duplicate_name(last, entry.key.span, other.span, f"parts of a {holder}"))
    if holder == "table":
        kind = context.plural(last)
        taken = kind.span if kind else None
        if kind or last in context.sets or last in context.graphs:
            context.add(problems.duplicate_name(last, entry.key.span, taken, "things"))


def _holds(context: Context, type_: Type) -> str | None:
    """Return the family whose pieces a field of this type holds."""
    kind = held_kind(type_)
    if kind == "player":
        return kind if isinstance(type_, ListOf) else None
    if kind is None or context.family(kind).pieces is None:
        return None
    return context.family(kind).name


def _is_sound(context: Context, field: Field) -> bool:
    type_ = field.type
    message = help_ = None
    if isinstance(type_, Number) and type_.low is None:
        message, help_ = "a number in the state has a range", "write a range, such as `number 0..99`"
    elif isinstance(type_, Bag | ListOf) and field.holds is None:
        message = f"`{type_}` holds pieces, and that kind has none"
    elif isinstance(type_, Piece | Place):
        message = f"a field cannot be a {type_}"
    elif isinstance(type_, Bag) and _forgets_owners(context, type_.kind) and not _is_by_owner(field):
        whose = context.owner_of(type_.kind)
        message = f"a bag of {type_.kind} would forget whose the pieces are: make it `per {whose}`, or a list"
    if message:
        context.add(problems.wrong_declaration(message, field.span, help_))
    return message is None


def _check_stock(context: Context, field: Field, body: Mapping) -> None:
    """Report a common stock that is secret: who takes a piece out of it would hide what nobody owns any more."""
    if field.is_stock and field.secret is not None:
        message = "what is owned when it is taken lies openly until then"
        context.add(problems.wrong_declaration(message, body.key("secret").span, "leave out `secret`"))


def _check_open_to_sides(context: Context, field: Field, body: Mapping) -> None:
    """Report a secret that would be a side's: nobody could look at it."""
    is_a_sides = OWNER in field.dimensions
    if field.holds in context.kinds and field.owner_dimension is None:
        is_a_sides = is_a_sides or context.owner_of(field.holds) == OWNER
    if field.secret is not None and is_a_sides:
        message = "a side has no secrets: there is nobody who could know them"
        help_ = "leave out `secret`, or make it a field of `player`"
        context.add(problems.wrong_declaration(message, body.key("secret").span, help_))


def _check_twin(context: Context, field: Field) -> None:
    """Report a field that every owner has under a name that a player or a side has already, or the other way round."""
    holder, _, name = field.name.partition(".")
    sides = [kind.name for kind in context.kinds.values() if context.family(kind.name).is_side]
    others = ["player", *sides] if holder == "owner" else ["owner"] if holder in ("player", *sides) else []
    for other in others:
        twin = context.fields.get(f"{other}.{name}") or context.attributes.get(f"{other}.{name}")
        if twin is not None:
            context.add(problems.duplicate_name(name, field.span, twin.span, "fields of an owner"))


def _is_by_owner(field: Field) -> bool:
    """Whether an index says whose the pieces in a field are."""
    return any(isinstance(each, Player | Owner) for each in field.dimensions)


def _forgets_owners(context: Context, kind: str) -> bool:
    return context.has_owners(kind) and not context.is_common(kind)


def _owner_dimension(context: Context, field: Field) -> int | None:
    if field.holds is None or field.holds == "player" or not context.has_owners(field.holds):
        return None
    places = [place for place, type_ in enumerate(field.dimensions) if isinstance(type_, Player | Owner)]
    return places[-1] if places else None


def _secret(body: Mapping) -> Literal["content", "owner"] | None:
    word = body.word("secret")
    return "content" if word == "content" else "owner" if word == "owner" else None


def read_starts(context: Context) -> None:
    """Read how fields start, who has them and what their backs show: expressions, so after all fields are known."""
    for name, body in context.field_bodies.items():
        context.fields[name] = _with_start(context, context.fields[name], body)


def _with_start(context: Context, field: Field, body: Mapping) -> Field:
    held = held_kind(field.type)
    kind = None if held == "player" else held
    scope = Scope(context, f"state.{field.name}", {kind: LocalName(Member(kind), "parameter")} if kind else {})
    start = body.get("start")
    start_all = body.word("start") == "all" and field.holds is not None
    return evolve(
        field,
        start=_read_start(context, field, start) if start is not None and not start_all else None,
        start_all=start_all,
        start_if=read_if_given(scope, body.get("if"), FLAG),
        start_by=read_if_given(scope, body.get("by"), field.dimensions[-1]) if field.dimensions else None,
        only=_read_only(context, field, body.get("only")),
        shows=_read_shows(context, kind, body.sequence("shows")),
        goes_with=_read_goes_with(context, field, body.get("goes_with")),
    )


def _read_goes_with(context: Context, field: Field, node: Node | None) -> str | None:
    """Return the row whose pieces a field is about."""
    if node is None:
        return None
    holder = field.name.rpartition(".")[0]
    row = context.fields.get(f"{holder}.{word_of(node)}")
    is_row = row is not None and row.holds is not None and isinstance(row.type, Maybe)
    if row is None or not is_row or holder not in context.kinds or row.dimensions != field.dimensions:
        message = f"`{word_of(node)}` is no field of a `{holder}` that holds one piece"
        help_ = "name a `maybe` of a kind with pieces that the same member has"
        context.add(problems.wrong_declaration(message, node.span, help_))
        return None
    if (
        len(field.dimensions) != 1
        or field.holds
        or not isinstance(field.type, Number | Flag | Member | Maybe | Unknown)
    ):
        message = "what goes with a piece is a number, a flag or a name"
        context.add(problems.wrong_declaration(message, node.span))
        return None
    return None if isinstance(field.type, Unknown) else row.name


def _read_start(context: Context, field: Field, node: Node) -> Expression | None:
    if field.holds is not None:
        message = "pieces start with `start: all`, and move from there in the setup"
        context.add(problems.wrong_declaration(message, node.span))
        return None
    if isinstance(field.type, Unknown):
        return None
    return read_expression(Scope(context, f"state.{field.name}"), node, field.type)


def _read_only(context: Context, field: Field, node: Node | None) -> Expression | None:
    if node is None:
        return None
    first = field.dimensions[0] if field.dimensions else NUMBER
    if not isinstance(first, Member):
        context.add(problems.wrong_declaration("`only` is for fields of members of a kind", node.span))
        return None
    return read_expression(Scope(context, "", {first.kind: LocalName(first, "parameter")}), node, FLAG)


def _read_shows(context: Context, kind: str | None, items: tuple[Node, ...]) -> tuple[str, ...]:
    found = []
    for item in items:
        word = word_of(item)
        attribute = context.attribute_of(kind, word) if kind in context.kinds else None
        if attribute is not None:
            found.append(attribute.name)
            continue
        report = context.add_unless_known if kind is None else context.add
        report(problems.unknown_name(word, item.span, [], "attribute"))
    return tuple(found)


# Settings: facts outside a game that rules may read. Each is a field of the table that nothing can change.


def read_settings(context: Context) -> None:
    """Let the table have a field for each setting of the game."""
    for entry in context.section("game").mapping("settings"):
        name = f"table.{entry.name}"
        check_field_name(context, name, entry)
        if name in context.fields:
            context.add(problems.duplicate_name(entry.name, entry.key.span, context.fields[name].span, "things"))
        context.fields[name] = Field(name, (), _setting_type(context, entry), entry.key.span, is_setting=True)


def read_defaults(context: Context) -> None:
    """Read what settings are where nothing is given: expressions, so after all fields are known."""
    for entry in context.section("game").mapping("settings"):
        field = context.fields[f"table.{entry.name}"]
        default = entry.body.get("default")
        if field.is_setting and default is not None and not isinstance(field.type, Unknown):
            start = read_expression(Scope(context, f"game.settings.{entry.name}"), default, field.type)
            context.fields[field.name] = evolve(field, start=start)


def _setting_type(context: Context, entry: Entry) -> Type:
    type_, per = read_type(context, entry.body.get("is"), entry.key)
    if per or not (_is_single(type_) or isinstance(type_, Unknown)):
        message = "a setting is a number with a range, a flag, a member or a player, or `maybe` one of the last two"
        context.add(problems.wrong_declaration(message, entry.key.span))
        return Number(0, 0)
    return type_


def _is_single(type_: Type) -> bool:
    if isinstance(type_, Maybe):
        return isinstance(type_.of, Member | Player)
    return isinstance(type_, Flag | Member | Player) or (isinstance(type_, Number) and type_.low is not None)


# Limits: counters of how often something may be used, as fields of the state.


Whose = Literal["owner", "decider", "game"]


def read_limit(scope: Scope, node: Node | None, whose: Whose) -> Limit | None:
    """Return the limit a node declares, and make its counters."""
    if not isinstance(node, Mapping):
        return None
    base = _counter_base(node, scope.address)
    periods = []
    for entry in node:
        if entry.name == "shared":
            continue
        counter = f"{base}.{entry.name}"
        times = read_expression(scope, entry.value, NUMBER)
        periods.append((entry.name, counter, times))
        _declare_counter(scope, counter, whose, entry.key)
    return Limit(tuple(periods), whose)


def _counter_base(limit: Mapping, address: str) -> str:
    shared = limit.word("shared")
    return f"limit.{shared}" if shared else f"{address}.limit"


def _declare_counter(scope: Scope, counter: str, whose: Whose, key: Scalar) -> None:
    context, owner = scope.context, scope.get("owner")
    is_side = whose == "owner" and owner is not None and owner.type == OWNER
    dimensions: tuple[Type, ...] = () if whose == "game" else (OWNER if is_side else PLAYER,)
    if key.text != "game":
        context.periods[counter] = key
    known = context.fields.setdefault(counter, Field(counter, dimensions, Number(0, MOST_USES), key.span))
    if known.dimensions != dimensions:
        message = "a counter for each player and one for the whole game cannot be shared"
        context.add(problems.wrong_declaration(message, key.span, "give this limit another `shared` name"))


def resolve_periods(context: Context) -> None:
    """Find the step that each period names: by its name if that is unique, else with the name of its body before it."""
    for name, word in context.periods.items():
        found = [step for step in context.steps if step.endswith(f".{word.text}")]
        if not found:
            known = {step.rsplit(".", 1)[1] for step in context.steps} | {"game"}
            context.add(problems.unknown_name(word.text, word.span, known, "named step"))
        elif len(found) > 1:
            context.add(problems.ambiguous_step(word.text, word.span, found, [context.steps[step] for step in found]))
        else:
            context.fields[name] = evolve(context.fields[name], resets=found[0])


def collect_limits(context: Context) -> None:
    """Learn the names under which `used(...)` may ask, before any body is read."""
    for name, address, body, node in _find_limits(context.root, "", ""):
        period = next((entry for entry in node if entry.name != "shared"), None)
        if period is None:
            continue
        found = KnownLimit(
            f"{_counter_base(node, address)}.{period.name}", period.key.span, _is_for_all(context, address, body)
        )
        for word in {name, node.word("shared") or name}:
            known = context.limits.setdefault(word, [])
            if found not in known:
                known.append(found)


def _is_for_all(context: Context, address: str, body: Mapping) -> bool:
    """Whether a limit counts once for the game: it stands on a reaction that nobody owns."""
    if "upon" not in body:
        return False
    kind, *_ = parts = address.split(".")
    hook = context.hook_of(kind, parts[2]) if kind in context.kinds and len(parts) > 2 else None
    place = body.get("in") if kind == "kinds" else hook.place if hook is not None else None
    field = context.field_named(word_of(place))
    return field is None or not _is_by_owner(field)


def _find_limits(node: Node, name: str, address: str) -> Iterator[tuple[str, str, Mapping, Mapping]]:
    if isinstance(node, Mapping):
        limit = node.get("limit")
        if isinstance(limit, Mapping):
            yield name, address, node, limit
        for entry in node:
            yield from _find_limits(entry.value, entry.name, f"{address}.{entry.name}" if address else entry.name)
    elif isinstance(node, Sequence):
        for item in node:
            yield from _find_limits(item, name, address)
