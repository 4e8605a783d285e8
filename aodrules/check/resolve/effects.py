"""Effects: what holds, offers itself or reacts while a member is in play, or in the whole game."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, evolve, field, frozen

from aodrules.check import problems
from aodrules.check.checked import (
    Condition,
    EffectScope,
    EnterLeaveEffect,
    Field,
    Modifier,
    Option,
    Parameter,
    Reaction,
)
from aodrules.check.context import HookShape, LocalName, Scope
from aodrules.check.resolve.bodies import BodyChecker, changed_names
from aodrules.check.resolve.decisions import read_option
from aodrules.check.resolve.expressions import held_kind, read_condition, read_expression, read_if_given
from aodrules.check.resolve.fields import Whose, read_limit
from aodrules.check.resolve.parameters import DECIDER, parameter_names
from aodrules.check.steps import Steps
from aodrules.lang.modifiers import MODIFIER_OPERATIONS, ModifierOperation
from aodrules.lang.types import FLAG, PLAYER, UNKNOWN, Member, Type, Unknown
from aodrules.syntax.tree import Entry, Mapping, Node, Scalar, Sequence, word_of


@frozen(eq=False)
class EffectContext:
    """Who carries an effect: its scope, the address of the mapping it stands in, and the names it sees."""

    scope: EffectScope
    address: str
    names: dict[str, LocalName] = field(factory=dict)
    is_family: bool = False
    """Whether a whole kind carries it, so that `self` is not one known member."""


@define(eq=False)
class Effects:
    """All effects of a ruleset, by what they work on."""

    modifiers: dict[str, list[Modifier]] = field(factory=dict)
    reactions: dict[str, list[Reaction]] = field(factory=dict)
    enter_leave_effects: dict[str, list[EnterLeaveEffect]] = field(factory=dict)
    offers: dict[str, list[Option]] = field(factory=dict)
    """By address of the decision."""
    hooks: dict[str, dict[int, Steps]] = field(factory=dict)
    """The steps of members, by `kind.hook`."""


def read_effects(reader: BodyChecker) -> Effects:
    """Return every effect and hook body of the ruleset."""
    found = Effects()
    _read_members(reader, found)
    _read_kinds(reader, found)
    for document in reader.context.section("effects"):
        carrier = EffectContext(EffectScope(), f"effects.{document.name}")
        _read_all(reader, document.value, carrier, found)
    return found


def _read_members(reader: BodyChecker, found: Effects) -> None:
    context = reader.context
    for (family, member), body in context.member_bodies.items():
        kind = context.member_kinds[family, member]
        number = context.kinds[family].members.index(member)
        for entry in body:
            hook = context.hook_of(kind, entry.name)
            if hook is not None:
                _read_hook(reader, hook, entry, (kind, member, number), found)


def _read_hook(
    reader: BodyChecker, hook: HookShape, entry: Entry, member: tuple[str, str, int], found: Effects
) -> None:
    kind, word, number = member
    address = f"{kind}.{word}.{entry.name}"
    self_ = LocalName(Member(kind), "self", entry.key.span, member=word)
    if hook.form == "steps":
        names = Scope(address, {**parameter_names(hook.parameters), "self": self_}, changed=changed_names(entry.value))
        found.hooks.setdefault(hook.name, {})[number] = reader.read_body(entry.value, names)
        return
    scope, owner = _read_scope(reader, hook.place, reader.context.kinds[kind].family, (number,), owned=hook.owner)
    carrier = EffectContext(scope, address, {"self": self_, **owner})
    if hook.form == "effects":
        _read_all(reader, entry.value, carrier, found)
    elif hook.adds_to is not None:
        _read_addition(reader, hook.adds_to, entry, carrier, found)


def _read_kinds(reader: BodyChecker, found: Effects) -> None:
    context = reader.context
    for name, kind in context.kinds.items():
        for entry in context.kind_part(name, "effects"):
            owned = entry.body.word("scope") == "owner"
            scope, owner = _read_scope(reader, entry.body.get("in"), kind.family, kind.places, owned=owned)
            self_ = LocalName(Member(name), "self", entry.key.span)
            carrier = EffectContext(scope, f"kinds.{name}.effects", {"self": self_, **owner}, is_family=True)
            _read_effect(reader, entry, carrier, found)


def _read_scope(
    reader: BodyChecker, place: Node | None, family: str, members: tuple[int, ...], *, owned: bool
) -> tuple[EffectScope, dict[str, LocalName]]:
    """Return the scope of an effect and the name `owner`, where there is one."""
    field_ = _find_field(reader, place) if place is not None else None
    is_unknown = place is not None and field_ is None
    has_owner = field_ is not None and PLAYER in field_.dimensions
    if owned and not has_owner and not is_unknown:
        at = place.span if place is not None else reader.context.kinds[family].span
        reader.context.add(problems.wrong_declaration("`scope: owner` needs `in:` with a field of a player", at))
    names = {"owner": LocalName(PLAYER, "owner")} if has_owner or is_unknown else {}
    return EffectScope(family, members, field_.name if field_ else None, owned and has_owner), names


def _find_field(reader: BodyChecker, node: Node) -> Field | None:
    """Return the field of pieces that `in`, `entering` or `leaving` names."""
    found = reader.context.field_named(word_of(node))
    if found is not None and isinstance(found.type, Unknown):
        return None
    if found is None or found.holds is None:
        known = [name.removeprefix("table.") for name, each in reader.context.fields.items() if each.holds]
        reader.context.add(problems.unknown_name(word_of(node), node.span, known, "field of pieces"))
        return None
    return found


def _read_all(reader: BodyChecker, node: Node, carrier: EffectContext, found: Effects) -> None:
    for entry in node if isinstance(node, Mapping) else ():
        _read_effect(reader, entry, carrier, found)


def _read_effect(reader: BodyChecker, entry: Entry, carrier: EffectContext, found: Effects) -> None:
    carrier = evolve(carrier, address=f"{carrier.address}.{entry.name}")
    for key, read in _EFFECTS.items():
        if key in entry.body:
            read(reader, entry, carrier, found)
            return


def _read_addition(reader: BodyChecker, value: Scalar, entry: Entry, carrier: EffectContext, found: Effects) -> None:
    names = _value_names(reader, value, carrier)
    if names is None:
        return
    type_ = reader.context.value_type(value.text)
    amount = read_expression(reader.context, entry.value, names, type_)
    modifier = Modifier(carrier.address, carrier.scope, value.text, "add", amount, None, entry.key.span)
    found.modifiers.setdefault(value.text, []).append(modifier)


def _value_names(reader: BodyChecker, value: Scalar, carrier: EffectContext) -> Scope | None:
    signature = reader.context.values.get(value.text)
    if signature is None:
        reader.context.add(problems.unknown_name(value.text, value.span, reader.context.values, "value"))
        return None
    _check_subject(reader, carrier, signature.parameters, value)
    return Scope(carrier.address, {**parameter_names(signature.parameters), **carrier.names})


def _check_subject(reader: BodyChecker, carrier: EffectContext, parameters: tuple[Parameter, ...], node: Node) -> None:
    has_player = any(each.name == "player" and each.type in (PLAYER, UNKNOWN) for each in parameters)
    if carrier.scope.owner and not has_player:
        reader.context.add(
            problems.wrong_declaration(
                f"`{word_of(node)}` has no `player`, so it cannot hold for the owner alone", node.span
            )
        )


def _read_modifiers(reader: BodyChecker, entry: Entry, carrier: EffectContext, found: Effects) -> None:
    body = entry.body
    value = body.get("modify")
    names = _value_names(reader, value, carrier) if isinstance(value, Scalar) else None
    if names is None or not isinstance(value, Scalar):
        return
    type_ = reader.context.value_type(value.text)
    condition = read_if_given(reader.context, body.get("if"), names, FLAG)
    for operation in MODIFIER_OPERATIONS:
        node = body.get(operation)
        if node is not None:
            amount = read_expression(reader.context, node, names, _amount_type(reader, operation, type_, node))
            modifier = Modifier(
                carrier.address, carrier.scope, value.text, operation, amount, condition, entry.key.span
            )
            found.modifiers.setdefault(value.text, []).append(modifier)


def _amount_type(reader: BodyChecker, operation: ModifierOperation, type_: Type, node: Node) -> Type:
    flags = operation in ("allow", "forbid")
    is_number = str(type_).startswith("number")
    if isinstance(type_, Unknown) or operation == "set":
        return type_
    if flags != (type_ == FLAG) or (not flags and not is_number):
        words = "a flag" if flags else "a number"
        reader.context.add(problems.type_mismatch(words, type_, f"{operation}", node.span))
        return UNKNOWN
    return type_


def _read_offers(reader: BodyChecker, entry: Entry, carrier: EffectContext, found: Effects) -> None:
    body = entry.body
    if carrier.scope.field is not None and "owner" in carrier.names and not carrier.scope.owner:
        reader.context.add(
            problems.wrong_declaration("an offer is for the owner: give it `scope: owner`", entry.key.span)
        )
    for word, condition in _decisions_of(body.get("offer")):
        signature = reader.context.decisions.get(word.text)
        if signature is None:
            reader.context.add(problems.unknown_name(word.text, word.span, reader.context.decisions, "decision"))
            continue
        decision = signature.mapping
        if not decision.flag("optional") and "again" not in body and "instead" not in body:
            reader.context.add(problems.offer_without_end(word.text, entry.key.span))
        names = Scope(carrier.address, {**parameter_names(signature.parameters), **carrier.names, "player": DECIDER})
        again = None if "instead" in body else decision.get("again")
        option = read_option(reader, Entry(entry.key, body.without("limit")), carrier.address, names, again)
        option = _offered(reader, option, body, condition, carrier, names)
        found.offers.setdefault(f"decision.{word.text}", []).append(option)


def _decisions_of(node: Node | None) -> Iterator[tuple[Scalar, Node | None]]:
    if isinstance(node, Scalar):
        yield node, None
    elif isinstance(node, Sequence):
        yield from ((item, None) for item in node if isinstance(item, Scalar))
    elif isinstance(node, Mapping):
        yield from ((entry.key, entry.value) for entry in node)


def _offered(
    reader: BodyChecker, option: Option, body: Mapping, condition: Node | None, carrier: EffectContext, names: Scope
) -> Option:
    conditions = option.conditions
    if condition is not None:
        expression = read_condition(reader.context, condition, names)
        conditions = (Condition("offer", expression, condition.span), *conditions)
    whose: Whose = "owner" if carrier.scope.owner else "decider"
    limit = read_limit(reader.context, body.get("limit"), carrier.address, whose, names)
    parameters = option.parameters
    if carrier.is_family:
        self_ = carrier.names["self"]
        parameters = (Parameter("self", self_.type, option.span), *parameters)
    return evolve(option, conditions=conditions, limit=limit, parameters=parameters, scope=carrier.scope)


def _read_reaction(reader: BodyChecker, entry: Entry, carrier: EffectContext, found: Effects) -> None:
    body = entry.body
    node, word = body.need("upon"), body.word("upon")
    event = reader.context.events.get(word)
    if event is None:
        reader.context.add(problems.unknown_name(word, node.span, reader.context.events, "event"))
        return
    _check_subject(reader, carrier, event.parameters, node)
    names = Scope(
        carrier.address, {**parameter_names(event.parameters), **carrier.names}, changed=changed_names(body.get("do"))
    )
    condition = read_if_given(reader.context, body.get("if"), names, FLAG)
    whose: Whose = "owner" if "owner" in carrier.names else "game"
    limit = read_limit(reader.context, body.get("limit"), carrier.address, whose, names)
    steps = reader.read_body(body.get("do"), names)
    reaction = Reaction(carrier.address, carrier.scope, word, condition, steps, limit, entry.key.span)
    found.reactions.setdefault(word, []).append(reaction)


def _read_enter_leave(reader: BodyChecker, entry: Entry, carrier: EffectContext, found: Effects) -> None:
    body = entry.body
    entering = "entering" in body
    node = body.get("entering") or body.get("leaving")
    field_ = _find_field(reader, node) if node is not None else None
    if field_ is None:
        return
    words = {
        each.kind if isinstance(each, Member) else "player": LocalName(each, "parameter") for each in field_.dimensions
    }
    kind = held_kind(field_.type)
    if kind is not None:
        words[kind] = LocalName(PLAYER if kind == "player" else Member(kind), "parameter")
    if field_.tells_owner:
        words["player"] = LocalName(PLAYER, "parameter")
    self_ = {"self": carrier.names["self"]} if "self" in carrier.names else {}
    names = Scope(carrier.address, {**words, **self_}, changed=changed_names(body.get("do")))
    condition = read_if_given(reader.context, body.get("if"), names, FLAG)
    steps = reader.read_body(body.get("do"), names)
    enter_leave = EnterLeaveEffect(
        carrier.address, carrier.scope, entering, field_.name, condition, steps, entry.key.span
    )
    found.enter_leave_effects.setdefault(field_.name, []).append(enter_leave)


_EFFECTS = {
    "modify": _read_modifiers,
    "offer": _read_offers,
    "upon": _read_reaction,
    "entering": _read_enter_leave,
    "leaving": _read_enter_leave,
}
"""What reads an effect, by the key that tells what it does."""
