"""Places in checked rules that a mutation can change, and how one of them is changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from attrs import evolve, frozen

from aodrules.check.checked import (
    CheckedRules,
    DecisionDef,
    EnterLeaveEffect,
    Hook,
    Modifier,
    Option,
    Reaction,
    Sets,
    Value,
    Verb,
)
from aodrules.check.steps import Reveal
from aodrules.check.visit import PARTS, STEPS, transform
from aodrules.source.spans import Span

Trigger: TypeAlias = tuple[str, object]
"""What must have been done for a place to count: `step` at a place, `value`, `decision`, `event`, or `any`."""
SECTIONS = ("values", "modifiers", "verbs", "hooks", "decisions", "options", "reactions", "passages", "sets")
GAME = "game"
_SKIPPED = frozenset({"parameters", "given", "scope", "after"})


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
            for each in declared if isinstance(declared, tuple) else (declared,):
                address, trigger = _declared_at(each)
                yield from _in(each, Site(each, section, key, address, trigger, section))
    yield from _in(rules.game, Site(rules.game, GAME, "", GAME, ("any", None), GAME))


def _declared_at(each: Any) -> tuple[str, Trigger]:
    """Return the address of a declaration and what must be done for it to count."""
    kinds: dict[type, Callable[[Any], tuple[str, Trigger]]] = {
        Value: lambda one: (f"value.{one.name}", ("value", one.name)),
        Modifier: lambda one: (one.address, ("value", one.value)),
        Verb: lambda one: (f"verb.{one.name}", ("any", None)),
        Hook: lambda one: (one.name, ("any", None)),
        DecisionDef: lambda one: (one.address, ("decision", one.address)),
        Option: lambda one: (one.address, ("any", None)),
        Reaction: lambda one: (one.address, ("event", one.event)),
        EnterLeaveEffect: lambda one: (one.address, ("any", None)),
        Sets: lambda one: (f"sets.{one.name}", ("any", None)),
    }
    return kinds[type(each)](each)


def _in(thing: Any, around: Site) -> Iterator[Site]:
    """Iterate over a thing and everything inside it."""
    if isinstance(thing, tuple):
        for each in thing:
            yield from _in(each, around)
    elif isinstance(thing, dict):
        for each in thing.values():
            yield from _in(each, around)
    elif type(thing) in PARTS:
        here = _site(thing, around)
        yield here
        for name in _written(thing):
            yield from _in(getattr(thing, name), evolve(here, role=name))


def _site(thing: Any, around: Site) -> Site:
    span = getattr(thing, "span", None)
    if isinstance(thing, STEPS) and isinstance(span, Span):
        # A step counts if it is done; what is written inside it counts if it itself is.
        return evolve(around, node=thing, trigger=("step", span.sort_key), role="step")
    address = thing.address if isinstance(thing, Option) else around.address
    return evolve(around, node=thing, address=address)


_PARTS = {of: tuple(name for name in names if name not in _SKIPPED) for of, names in PARTS.items()}


def _written(thing: Any) -> tuple[str, ...]:
    """Return the parts of a thing that somebody wrote: where a revealed name lies the checker has found out."""
    names = _PARTS[type(thing)]
    return tuple(name for name in names if name != "place") if isinstance(thing, Reveal) and thing.what else names


def changed_rules(
    rules: CheckedRules, holders: frozenset[tuple[str, str]], change: Callable[[Any], Any]
) -> CheckedRules:
    """Return rules in which every node of some declarations was put through `change`; `Gone` leaves a step out."""
    parts: dict[str, Any] = {}
    for section, key in sorted(holders):
        if section == GAME:
            parts[GAME] = transform(rules.game, change, _written)
            continue
        found = parts.setdefault(section, dict(getattr(rules, section)))
        found[key] = transform(found[key], change, _written)
    return rules.with_parts(**parts)
