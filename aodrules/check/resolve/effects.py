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
    Value,
)
from aodrules.check.context import Context, HookShape, LocalName, Scope
from aodrules.check.resolve.bodies import changed_names, read_body
from aodrules.check.resolve.decisions import read_option
from aodrules.check.resolve.expressions import find_named, held_kind, read_expression, read_if_given
from aodrules.check.resolve.fields import Whose, read_limit
from aodrules.check.resolve.parameters import DECIDER, parameter_names
from aodrules.check.steps import Steps
from aodrules.lang.modifiers import MODIFIER_OPERATIONS, ModifierOperation
from aodrules.lang.types import FLAG, PLAYER, UNKNOWN, Member, Owner, Player, Type, Unknown
from aodrules.syntax.tree import Entry, Mapping, Node, Scalar, Sequence, word_of


@frozen(eq=False)
class EffectContext:
    """Who carries an effect: when it holds, and the names it sees where it stands."""

    holds: EffectScope
    scope: Scope
    is_family: bool = False
    """Whether a whole kind carries it, so that `self` is not one known member."""

    @property
    def context(self) -> Context:
        """What is known of the ruleset."""
        return self.scope.context

    @property
    def address(self) -> str:
        """The address of the effect."""
        return self.scope.address

    def scope_with(self, names: dict[str, LocalName], body: Node | None = None) -> Scope:
        """Return its names and some more of what it works on, for a body of steps if there is one."""
        return evolve(self.scope, names={**names, **self.scope.names}, changed=changed_names(body))


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
    formulas: dict[str, dict[int, Value]] = field(factory=dict)
    """The formulas of members, by `kind.hook`."""


def read_effects(context: Context) -> Effects:
    """Return every effect and hook body of the ruleset."""
    found = Effects()
    _read_members(context, found)
    _read_kinds(context, found)
    for document in context.section("effects"):
        carrier = EffectContext(EffectScope(), Scope(context, f"effects.{document.name}"))
        _read_all(carrier, document.value, found)
    return found


def _read_members(context: Context, found: Effects) -> None:
    for (family, member), body in context.member_bodies.items():
        kind = context.member_kinds[family, member]
        number = context.kinds[family].members.index(member)
        for entry in (*body, *_defaults(context, kind, body)):
            hook = context.hook_of(kind, entry.name)
            if hook is not None:
                self_ = LocalName(Member(kind), "self", entry.key.span, member=member)
                scope = Scope(context, f"{kind}.{member}.{entry.name}", {"self": self_})
                _read_hook(scope, hook, entry, (family, number), found)


def _defaults(context: Context, kind: str, body: Mapping) -> Iterator[Entry]:
    """Iterate over what a member has under hooks of its kind of which it says nothing."""
    for hook in context.hooks_with_defaults(kind):
        name = hook.name.split(".")[1]
        if name not in body and hook.default is not None:
            yield Entry.of(name, hook.default, hook.span)


def _read_hook(scope: Scope, hook: HookShape, entry: Entry, member: tuple[str, int], found: Effects) -> None:
    family, number = member
    if hook.form == "steps":
        inner = scope.bind_all({**parameter_names(hook.parameters), **scope.names})
        steps = read_body(evolve(inner, changed=changed_names(entry.value)), entry.value)
        found.hooks.setdefault(hook.name, {})[number] = steps
        return
    if hook.gives is not None:
        inner = scope.bind_all({**parameter_names(hook.parameters), **scope.names})
        formula = read_expression(inner, entry.value, hook.gives)
        value = Value(scope.address, hook.parameters, hook.gives, formula, entry.key.span)
        found.formulas.setdefault(hook.name, {})[number] = value
        return
    holds, owner = _read_scope(scope.context, hook.place, family, (number,), owned=hook.owner)
    carrier = EffectContext(holds, scope.bind_all(owner))
    if hook.form == "effects":
        _read_all(carrier, entry.value, found)
    elif hook.adds_to is not None:
        _read_addition(carrier, hook.adds_to, entry, found)


def _read_kinds(context: Context, found: Effects) -> None:
    for name, kind in context.kinds.items():
        for entry in context.kind_part(name, "effects"):
            owned = entry.body.word("scope") == "owner"
            holds, owner = _read_scope(context, entry.body.get("in"), kind.family, kind.places, owned=owned)
            self_ = LocalName(Member(name), "self", entry.key.span)
            scope = Scope(context, f"kinds.{name}.effects", {"self": self_, **owner})
            _read_effect(EffectContext(holds, scope, is_family=True), entry, found)


def _read_scope(
    context: Context, place: Node | None, family: str, members: tuple[int, ...], *, owned: bool
) -> tuple[EffectScope, dict[str, LocalName]]:
    """Return when an effect holds, and the name `owner` where there is one."""
    field_ = _find_field(context, place) if place is not None else None
    is_unknown = place is not None and field_ is None
    whose = [each for each in field_.dimensions if isinstance(each, Player | Owner)] if field_ is not None else []
    has_owner = bool(whose)
    if owned and not has_owner and not is_unknown:
        at = place.span if place is not None else context.kinds[family].span
        context.add(problems.wrong_declaration("`scope: owner` needs `in:` with a field of a player", at))
    # What holds for the owner alone is about a player.
    owner = PLAYER if owned or not whose else whose[0]
    names = {"owner": LocalName(owner, "owner")} if has_owner or is_unknown else {}
    return EffectScope(family, members, field_.name if field_ else None, owned and has_owner), names


def _find_field(context: Context, node: Node) -> Field | None:
    """Return the field of pieces that `in`, `entering` or `leaving` names."""
    found = context.field_named(word_of(node))
    if found is not None and isinstance(found.type, Unknown):
        return None
    if found is None or found.holds is None:
        known = [name.removeprefix("table.") for name, each in context.fields.items() if each.holds]
        context.add(problems.unknown_name(word_of(node), node.span, known, "field of pieces"))
        return None
    return found


def _read_all(carrier: EffectContext, node: Node, found: Effects) -> None:
    for entry in node if isinstance(node, Mapping) else ():
        _read_effect(carrier, entry, found)


def _read_effect(carrier: EffectContext, entry: Entry, found: Effects) -> None:
    carrier = evolve(carrier, scope=carrier.scope.under(f"{carrier.address}.{entry.name}"))
    for key, read in _EFFECTS.items():
        if key in entry.body:
            read(carrier, entry, found)
            return


def _read_addition(carrier: EffectContext, value: Scalar, entry: Entry, found: Effects) -> None:
    scope = _value_scope(carrier, value)
    if scope is None:
        return
    amount = read_expression(scope, entry.value, carrier.context.value_type(value.text))
    modifier = Modifier(carrier.address, carrier.holds, value.text, "add", amount, None, entry.key.span)
    found.modifiers.setdefault(value.text, []).append(modifier)


def _value_scope(carrier: EffectContext, value: Scalar) -> Scope | None:
    signature = find_named(carrier.context, value, carrier.context.values, "value")
    if signature is None:
        return None
    _check_subject(carrier, signature.parameters, value)
    return carrier.scope_with(parameter_names(signature.parameters))


def _check_subject(carrier: EffectContext, parameters: tuple[Parameter, ...], node: Node) -> None:
    has_player = any(each.name == "player" and each.type in (PLAYER, UNKNOWN) for each in parameters)
    if carrier.holds.owner and not has_player:
        message = f"`{word_of(node)}` has no `player`, so it cannot hold for the owner alone"
        carrier.context.add(problems.wrong_declaration(message, node.span))


def _read_modifiers(carrier: EffectContext, entry: Entry, found: Effects) -> None:
    body = entry.body
    value = body.get("modify")
    scope = _value_scope(carrier, value) if isinstance(value, Scalar) else None
    if scope is None or not isinstance(value, Scalar):
        return
    type_ = carrier.context.value_type(value.text)
    condition = read_if_given(scope, body.get("if"), FLAG)
    for operation in MODIFIER_OPERATIONS:
        node = body.get(operation)
        if node is not None:
            amount = read_expression(scope, node, _amount_type(carrier.context, operation, type_, node))
            modifier = Modifier(
                carrier.address, carrier.holds, value.text, operation, amount, condition, entry.key.span
            )
            found.modifiers.setdefault(value.text, []).append(modifier)


def _amount_type(context: Context, operation: ModifierOperation, type_: Type, node: Node) -> Type:
    flags = operation in ("allow", "forbid")
    is_number = str(type_).startswith("number")
    if isinstance(type_, Unknown) or operation == "set":
        return type_
    if flags != (type_ == FLAG) or (not flags and not is_number):
        words = "a flag" if flags else "a number"
        context.add(problems.type_mismatch(words, type_, f"{operation}", node.span))
        return UNKNOWN
    return type_


def _read_offers(carrier: EffectContext, entry: Entry, found: Effects) -> None:
    body, context = entry.body, carrier.context
    if carrier.holds.field is not None and "owner" in carrier.scope.names and not carrier.holds.owner:
        context.add(problems.wrong_declaration("an offer is for the owner: give it `scope: owner`", entry.key.span))
    for word, condition in _decisions_of(body.get("offer")):
        signature = find_named(context, word, context.decisions, "decision")
        if signature is None:
            continue
        decision = signature.mapping
        if not decision.flag("optional") and "again" not in body and "instead" not in body:
            context.add(problems.offer_without_end(word.text, entry.key.span))
        scope = carrier.scope_with(parameter_names(signature.parameters)).bind("player", DECIDER)
        again = None if "instead" in body else decision.get("again")
        option = read_option(scope, Entry(entry.key, body.without("limit")), again)
        option = _offered(carrier, scope, option, body, condition)
        found.offers.setdefault(f"decision.{word.text}", []).append(option)


def _decisions_of(node: Node | None) -> Iterator[tuple[Scalar, Node | None]]:
    if isinstance(node, Scalar):
        yield node, None
    elif isinstance(node, Sequence):
        yield from ((item, None) for item in node if isinstance(item, Scalar))
    elif isinstance(node, Mapping):
        yield from ((entry.key, entry.value) for entry in node)


def _offered(carrier: EffectContext, scope: Scope, option: Option, body: Mapping, condition: Node | None) -> Option:
    conditions, parameters = option.conditions, option.parameters
    if condition is not None:
        conditions = (Condition("offer", read_expression(scope, condition, FLAG), condition.span), *conditions)
    whose: Whose = "owner" if carrier.holds.owner else "decider"
    limit = read_limit(scope, body.get("limit"), whose)
    if carrier.is_family:
        parameters = (Parameter("self", carrier.scope.names["self"].type, option.span), *parameters)
    return evolve(option, conditions=conditions, limit=limit, parameters=parameters, scope=carrier.holds)


def _read_reaction(carrier: EffectContext, entry: Entry, found: Effects) -> None:
    body, node = entry.body, entry.body.need("upon")
    event = find_named(carrier.context, node, carrier.context.events, "event")
    if event is None:
        return
    _check_subject(carrier, event.parameters, node)
    scope = carrier.scope_with(parameter_names(event.parameters), body.get("do"))
    condition = read_if_given(scope, body.get("if"), FLAG)
    whose: Whose = "owner" if "owner" in carrier.scope.names else "game"
    limit = read_limit(scope, body.get("limit"), whose)
    steps = read_body(scope, body.get("do"))
    reaction = Reaction(carrier.address, carrier.holds, event.name, condition, steps, limit, entry.key.span)
    found.reactions.setdefault(event.name, []).append(reaction)


def _read_enter_leave(carrier: EffectContext, entry: Entry, found: Effects) -> None:
    body = entry.body
    node = body.get("entering") or body.get("leaving")
    field_ = _find_field(carrier.context, node) if node is not None else None
    if field_ is None:
        return
    words = {
        each.kind if isinstance(each, Member) else str(each): LocalName(each, "parameter") for each in field_.dimensions
    }
    kind = held_kind(field_.type)
    if kind is not None:
        words[kind] = LocalName(PLAYER if kind == "player" else Member(kind), "parameter")
    if field_.tells_owner:
        owner = carrier.context.owner_of(str(field_.holds))
        words[str(owner)] = LocalName(owner, "parameter")
    self_ = {name: each for name, each in carrier.scope.names.items() if name == "self"}
    scope = evolve(carrier.scope, names={**words, **self_}, changed=changed_names(body.get("do")))
    condition = read_if_given(scope, body.get("if"), FLAG)
    steps = read_body(scope, body.get("do"))
    entering = "entering" in body
    effect = EnterLeaveEffect(carrier.address, carrier.holds, entering, field_.name, condition, steps, entry.key.span)
    found.enter_leave_effects.setdefault(field_.name, []).append(effect)


_EFFECTS = {
    "modify": _read_modifiers,
    "offer": _read_offers,
    "upon": _read_reaction,
    "entering": _read_enter_leave,
    "leaving": _read_enter_leave,
}
"""What reads an effect, by the key that tells what it does."""
