"""Mutants: rules in which one number, condition, comparison, operator, verb, name or step is another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, TypeAlias

from attrs import define, evolve, field, frozen

from aodrules.check.checked import (
    CheckedRules,
    DecisionDef,
    EnterLeaveEffect,
    Field,
    GameSection,
    Hook,
    Modifier,
    Option,
    Reaction,
    Sets,
    Value,
    Verb,
)
from aodrules.check.steps import (
    AddTo,
    Call,
    FieldPlace,
    FieldTarget,
    If,
    Let,
    Reveal,
    RunHook,
)
from aodrules.check.visit import EXPRESSIONS, PARTS, STEPS, Gone, text_of, transform
from aodrules.lang.expressions import BuiltinCall, Comprehension, Const, FieldRead, Operation
from aodrules.lang.types import FLAG, NUMBER, Member, Number
from aodrules.source.spans import Span

Trigger: TypeAlias = tuple[str, object]
"""What must have been done for a place to count: `step` at a place, `value`, `decision`, `event`, or `any`."""
SECTIONS = ("values", "modifiers", "verbs", "hooks", "decisions", "options", "reactions", "enter_leave_effects", "sets")
GAME = "game"
_SKIPPED = frozenset({"parameters", "given", "scope", "after", "outlook"})


@frozen(eq=False)
class Site:
    """A node of checked rules, where it is declared and what must be done for it to count."""

    node: Any
    section: str
    key: str
    address: str
    trigger: Trigger
    role: str
    """The name of the attribute it stands under: `condition`, `where`, `amount` ...; of a step in a list, `step`."""


def sites_of(rules: CheckedRules) -> Iterator[Site]:
    """Iterate over every node of the rules that play depends on, tables of components left out."""
    for section in SECTIONS:
        for key, declared in getattr(rules, section).items():
            if (section, key) == ("values", "total"):
                continue  # nobody wrote it: it is the sum of the score sheet
            if isinstance(declared, Value) and declared.is_dispatch:
                continue
            for declaration in declared if isinstance(declared, tuple) else (declared,):
                address, trigger = _declared_at(declaration)
                yield from _in(declaration, Site(declaration, section, key, address, trigger, section))
    yield from _in(rules.game, Site(rules.game, GAME, "", GAME, ("any", None), GAME))


def _declared_at(declaration: Any) -> tuple[str, Trigger]:
    """Return the address of a declaration and what must be done for it to count."""
    kinds: dict[type, Callable[[Any], tuple[str, Trigger]]] = {
        Value: lambda one: (one.address, ("value", one.name)),
        Modifier: lambda one: (one.address, ("value", one.value)),
        Verb: lambda one: (one.address, ("any", None)),
        Hook: lambda one: (one.name, ("any", None)),
        DecisionDef: lambda one: (one.address, ("decision", one.address)),
        Option: lambda one: (one.address, ("any", None)),
        Reaction: lambda one: (one.address, ("event", one.event)),
        EnterLeaveEffect: lambda one: (one.address, ("any", None)),
        Sets: lambda one: (f"sets.{one.name}", ("any", None)),
    }
    return kinds[type(declaration)](declaration)


def _in(thing: Any, around: Site) -> Iterator[Site]:
    """Iterate over a thing and everything inside it."""
    if isinstance(thing, tuple):
        for inner in thing:
            yield from _in(inner, around)
    elif isinstance(thing, dict):
        for inner in thing.values():
            yield from _in(inner, around)
    elif type(thing) in PARTS:
        here = _site(thing, around)
        yield here
        for name in _written_parts(thing):
            yield from _in(getattr(thing, name), evolve(here, role=name))


def _site(thing: Any, around: Site) -> Site:
    span = getattr(thing, "span", None)
    if isinstance(thing, STEPS) and isinstance(span, Span):
        # A step counts if it is done; what is written inside it counts if it itself is.
        return evolve(around, node=thing, trigger=("step", span.sort_key), role="step")
    address = thing.address if isinstance(thing, Option) else around.address
    return evolve(around, node=thing, address=address)


_PARTS = {of: tuple(name for name in names if name not in _SKIPPED) for of, names in PARTS.items()}


def _written_parts(thing: Any) -> tuple[str, ...]:
    """Return the parts of a thing that somebody wrote: where a revealed name lies the checker has found out."""
    names = _PARTS[type(thing)]
    return tuple(name for name in names if name != "place") if isinstance(thing, Reveal) and thing.what else names


def change_rules(
    rules: CheckedRules, holders: frozenset[tuple[str, str]], change: Callable[[Any], Any]
) -> CheckedRules:
    """Return rules in which every node of some declarations was put through `change`; `Gone` leaves a step out."""
    parts: dict[str, Any] = {}
    for section, key in sorted(holders):
        if section == GAME:
            parts[GAME] = transform(rules.game, change, _written_parts)
            continue
        found = parts.setdefault(section, dict(getattr(rules, section)))
        found[key] = transform(found[key], change, _written_parts)
    return rules.with_parts(**parts)


KINDS = ("number", "condition", "comparison", "operator", "verb", "name", "step")
_COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
_OPERATORS = {
    "+": "-", "-": "+", "*": "+", "//": "*", "and": "or", "or": "and", "in": "not in", "not in": "in",
    "union": "intersection", "intersection": "union", "difference": "union",
}  # fmt: skip
_WORDS = {"min": "max", "max": "min", "any": "all", "all": "any", "first": "last", "last": "first"}
_EFFECTS = {
    "add": "times",
    "times": "add",
    "at_least": "at_most",
    "at_most": "at_least",
    "allow": "forbid",
    "forbid": "allow",
}
_CONDITIONS = ("condition", "where", "expression", "winner_if")
_ORDERS = ("ranked", "places")
"""What puts items in order, the most first."""


@frozen(eq=False)
class Mutant:
    """One change of the rules."""

    id: str
    kind: str
    old: str
    new: str
    span: Span
    address: str
    triggers: frozenset[Trigger]
    """What must be done so that it can be noticed: any of these."""
    _holders: frozenset[tuple[str, str]] = field(repr=False)
    _change: Callable[[Any], Any] = field(repr=False)

    def apply(self, rules: CheckedRules) -> CheckedRules:
        """Return the rules with this change."""
        return change_rules(rules, self._holders, self._change)

    def __str__(self) -> str:
        return f"{self.span.path}:{self.span.line}: {self.kind}: `{self.old}` -> `{self.new}` ({self.address})"


@frozen(eq=False)
class _Idea:
    """A way to change one node."""

    kind: str
    old: str
    new: str
    change: Callable[[Any], Any]


def mutants_of(rules: CheckedRules) -> list[Mutant]:
    """Return every mutant of some rules, always in the same order.

    What is written once and used in several places, such as a shared option, is changed in all of them.
    """
    return _MutantMaker(rules).mutants()


@define(eq=False)
class _MutationGroup:
    """The nodes that one place of the text became."""

    site: Site
    holders: set[tuple[str, str]] = field(factory=set)
    triggers: set[Trigger] = field(factory=set)


@define(eq=False)
class _MutantMaker:
    rules: CheckedRules
    _groups: dict[tuple[Any, ...], _MutationGroup] = field(factory=dict)
    _made: frozenset[tuple[Any, ...]] = frozenset()
    """The places of steps that were read as several: of what is made there nobody wrote the parts."""

    def mutants(self) -> list[Mutant]:
        sites = [site for site in sites_of(self.rules) if isinstance(getattr(site.node, "span", None), Span)]
        self._made = _places_of_several(sites)
        for site in sites:
            if site.node.span.source.text:
                self._gather(site, site.node.span)
        found = [mutant for group in self._groups.values() for mutant in self._of(group)]
        found.sort(key=lambda one: (one.span.sort_key, one.kind, one.new))
        return _number_mutants(found)

    def _gather(self, site: Site, span: Span) -> None:
        is_made = span.sort_key in self._made
        if is_made and not isinstance(site.node, STEPS):
            return
        key = (type(site.node), span.sort_key, site.role, _label(site.node)) if not is_made else (span.sort_key,)
        group = self._groups.setdefault(key, _MutationGroup(site))
        group.holders.add((site.section, site.key))
        group.triggers.add(site.trigger)

    def _of(self, group: _MutationGroup) -> Iterator[Mutant]:
        node, span = group.site.node, group.site.node.span
        if span.sort_key in self._made:
            yield self._without_all(group)
            return
        for idea in self._ideas(group.site):
            yield Mutant(
                f"{group.site.address} {idea.kind} `{idea.old}` -> `{idea.new}`",
                idea.kind,
                idea.old,
                idea.new,
                span,
                group.site.address,
                frozenset(group.triggers),
                frozenset(group.holders),
                _only_at(node, idea.change),
            )

    def _without_all(self, group: _MutationGroup) -> Mutant:
        """Return the mutant without all the steps that one was read as."""
        site, place = group.site, group.site.node.span.sort_key
        told = " ".join(site.node.span.source.line(site.node.span.line).split()).lstrip("- {")
        old = told.split(",")[0][:60]

        def change(node: Any) -> Any:
            return Gone() if type(node) in STEPS and node.span.sort_key == place else node

        id_, holders = f"{site.address} step `{old}` -> `nothing`", frozenset(group.holders)
        triggers = frozenset(group.triggers)
        return Mutant(id_, "step", old, "nothing", site.node.span, site.address, triggers, holders, change)

    def _ideas(self, site: Site) -> Iterator[_Idea]:
        node = site.node
        if isinstance(node, EXPRESSIONS):
            yield from self._of_expression(node)
            if site.role in _CONDITIONS and getattr(node, "type", None) == FLAG and _is_condition(node):
                yield _Idea("condition", _format_text(node), "true", lambda one: Const(FLAG, one.span, value=True))
        elif isinstance(node, STEPS):
            yield from self._of_step(node)
        elif isinstance(node, Modifier) and node.operation in _EFFECTS:
            new = _EFFECTS[node.operation]
            yield _Idea("verb", node.operation, new, lambda one: evolve(one, operation=new))
        elif isinstance(node, FieldPlace | FieldTarget):
            yield from self._other_field(node)
        elif isinstance(node, GameSection) and node.end is not None:
            yield _Idea("step", f"end: {node.end}", "nothing", lambda one: evolve(one, end=None))

    # Expressions.

    def _of_expression(self, node: Any) -> Iterator[_Idea]:
        if isinstance(node, Const):
            yield from self._of_constant(node)
        elif isinstance(node, Operation) and node.operator in _COMPARISONS and _is_written(node):
            yield _operator("comparison", node, _COMPARISONS[node.operator])
        elif isinstance(node, Operation) and node.operator in _OPERATORS and _is_written(node):
            yield _operator("operator", node, _OPERATORS[node.operator])
        elif isinstance(node, Operation) and node.operator == "listed" and len(node.operands) > 1:
            first = _format_text(node.operands[0])
            yield _Idea(
                "operator", _format_text(node), f"without {first}", lambda one: evolve(one, operands=one.operands[1:])
            )
        elif isinstance(node, Operation) and node.operator == "not":
            yield _Idea("condition", _format_text(node), "without not", lambda one: one.operands[0])
        elif isinstance(node, Comprehension) and node.gives in ("any", "all"):
            word = _WORDS[node.gives]
            yield _Idea("operator", node.gives, word, lambda one: evolve(one, gives=word))
        elif isinstance(node, Comprehension) and node.gives in _ORDERS:
            yield _Idea("operator", node.gives, "from the least", _turn_round)
        elif isinstance(node, BuiltinCall) and node.builtin in ("min", "max") and len(node.arguments) > 1:
            name = _WORDS[node.builtin]
            yield _Idea("operator", node.builtin, name, lambda one: evolve(one, builtin=name))
        elif isinstance(node, FieldRead):
            yield from self._other_field(node)

    def _of_constant(self, node: Const) -> Iterator[_Idea]:
        """A number becomes one more or one less, a member another of its kind, a flag the other one."""
        value = node.value
        if isinstance(value, bool):
            if text_of(node.span) == str(value).lower():
                yield _Idea(
                    "condition", str(value).lower(), str(not value).lower(), lambda one: _with_value(one, not value)
                )
        elif isinstance(node.type, Number) and isinstance(value, int) and text_of(node.span) == str(value):
            for new in (value + 1, value - 1):
                if new >= 0 or value < 0:
                    yield _Idea("number", str(value), str(new), partial(_with_value, value=new))
        elif isinstance(node.type, Member) and isinstance(value, int):
            yield from self._other_member(node, value)

    def _other_member(self, node: Const, value: int) -> Iterator[_Idea]:
        family = self.rules.family(node.type.kind)  # type: ignore[union-attr]  # asked only of members
        places = self.rules.kinds[node.type.kind].places  # type: ignore[union-attr]
        old = family.members[value]
        if text_of(node.span).split(".")[-1] == old and value in places and len(places) > 1:
            new = places[(places.index(value) + 1) % len(places)]
            yield _Idea("name", old, family.members[new], lambda one: _with_value(one, new))

    def _other_field(self, node: FieldRead | FieldPlace | FieldTarget) -> Iterator[_Idea]:
        """Read or change another field of the same type that the same thing has."""
        here = self.rules.fields.get(node.field)
        names = [] if here is None else [name for name, one in self.rules.fields.items() if _alike(one, here)]
        last = node.field.rsplit(".", maxsplit=1)[-1]
        if len(names) > 1 and last in text_of(node.span):
            new = names[(names.index(node.field) + 1) % len(names)]
            yield _Idea("name", last, new.rsplit(".", maxsplit=1)[-1], lambda one: evolve(one, field=new))

    # Steps.

    def _of_step(self, node: Any) -> Iterator[_Idea]:
        if isinstance(node, Call) and self.rules.verbs[node.verb].is_first_steps:
            return
        if not isinstance(node, Let) and getattr(node, "result", None) is None:
            yield _Idea("step", _name_of(node), "nothing", lambda _: Gone())
        if isinstance(node, If) and node.otherwise:
            yield _Idea("condition", "then, else", "else, then", _swap_branches)
        elif isinstance(node, AddTo):
            words = ("add", "take") if node.sign > 0 else ("take", "add")
            yield _Idea("verb", *words, lambda one: evolve(one, sign=-one.sign))
        elif isinstance(node, Call):
            yield from self._other_verb(node)

    def _other_verb(self, node: Call) -> Iterator[_Idea]:
        verb = self.rules.verbs[node.verb]
        written = {name: one for name, one in self.rules.verbs.items() if not one.is_first_steps}
        alike = sorted(name for name, one in written.items() if _takes(one) == _takes(verb))
        new = alike[(alike.index(node.verb) + 1) % len(alike)]
        if verb.parameters and new != node.verb:
            yield _Idea("verb", node.verb, new, lambda one: evolve(one, verb=new))


def _takes(verb: Verb) -> tuple[tuple[str, str], ...]:
    return tuple((parameter.name, str(parameter.type)) for parameter in verb.parameters)


def _alike(one: Field, other: Field) -> bool:
    one_traits, other_traits = (
        (each.type, each.dimensions, each.holds, each.secret, each.name.rpartition(".")[0]) for each in (one, other)
    )
    return one_traits == other_traits


def _operator(kind: str, node: Operation, new: str) -> _Idea:
    return _Idea(kind, f"{node.operator} in {_format_text(node)}", new, lambda one: evolve(one, operator=new))


def _swap_branches(one: If) -> If:
    return evolve(one, then=one.otherwise, otherwise=one.then)


def _turn_round(one: Comprehension) -> Comprehension:
    zero = Const(NUMBER, one.span, 0)
    return evolve(one, item=Operation(NUMBER, one.item.span, "-", (zero, one.item)))


def _places_of_several(sites: Iterable[Site]) -> frozenset[tuple[Any, ...]]:
    """Return the places of the text where one step was read as several."""
    found: dict[tuple[Any, ...], set[type]] = {}
    for site in sites:
        if type(site.node) in STEPS:
            found.setdefault(site.node.span.sort_key, set()).add(type(site.node))
    return frozenset(place for place, sorts in found.items() if len(sorts) > 1)


def _with_value(one: Const, value: Any) -> Const:
    return evolve(one, value=value)


def _is_condition(node: Any) -> bool:
    """Whether something is a condition that somebody wrote: not `true`, and no key of a table."""
    return not (isinstance(node, Const) and node.value is True) and any(sign.isalpha() for sign in _format_text(node))


def _is_written(node: Operation) -> bool:
    """Whether the sign of an operation stands in the text: tables and totals are made of operations too."""
    sign = {"union": "|", "intersection": "&", "difference": "-"}.get(node.operator, node.operator)
    text = text_of(node.span)
    return sign in text or (not text and node.span.line != node.span.end_line)


def _label(node: Any) -> tuple[Any, ...]:
    """Return what tells two nodes of one class at one place apart."""
    return tuple(
        getattr(node, name, None) for name in ("operator", "value", "field", "builtin", "gives", "verb", "operation")
    )


def _only_at(target: Any, change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a change of the nodes that came from one place of the text."""
    sort, key, label = type(target), target.span.sort_key, _label(target)

    def changed(node: Any) -> Any:
        is_it = type(node) is sort and node.span.sort_key == key and _label(node) == label
        return change(node) if is_it else node

    return changed


def _format_text(node: Any) -> str:
    return " ".join((text_of(node.span) or node.span.source.line(node.span.line)).split())[:60]


def _name_of(node: Any) -> str:
    name = "run" if type(node) is RunHook else type(node).__name__.lower()
    return f"{name}: {' '.join(node.span.source.line(node.span.line).split())[:60]}"


def _number_mutants(found: list[Mutant]) -> list[Mutant]:
    """Return mutants with ids of their own: equal ones of one declaration are counted."""
    seen: Counter[str] = Counter()
    result = []
    for mutant in found:
        seen[mutant.id] += 1
        result.append(mutant if seen[mutant.id] == 1 else evolve(mutant, id=f"{mutant.id} ({seen[mutant.id]})"))
    return result
