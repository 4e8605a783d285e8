"""Places in checked rules that a mutation can change, and how one of them is changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import attrs
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
from aodrules.check.visit import STEPS
from aodrules.source.spans import Span

Trigger: TypeAlias = tuple[str, object]
"""What must have been done for a place to count: `step` at a place, `value`, `decision`, `event`, or `any`."""
SECTIONS = ("values", "modifiers", "verbs", "hooks", "decisions", "options", "reactions", "passages", "sets")
GAME = "game"
_SKIPPED = frozenset({"span", "type", "parameters", "given", "scope", "address", "id", "name", "after"})


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
    elif attrs.has(type(thing)) and not isinstance(thing, Span):
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


_KNOWN_PARTS: dict[type, tuple[str, ...]] = {}


def _parts(type_: type) -> tuple[str, ...]:
    if type_ not in _KNOWN_PARTS:
        _KNOWN_PARTS[type_] = tuple(each.name for each in attrs.fields(type_) if each.name not in _SKIPPED)
    return _KNOWN_PARTS[type_]


def _written(thing: Any) -> tuple[str, ...]:
    """Return the parts of a thing that somebody wrote: where a revealed name lies the checker has found out."""
    names = _parts(type(thing))
    return tuple(name for name in names if name != "place") if isinstance(thing, Reveal) and thing.what else names


class Gone:
    """Stands for a step that is left out."""


def changed_rules(
    rules: CheckedRules, holders: frozenset[tuple[str, str]], change: Callable[[Any], Any]
) -> CheckedRules:
    """Return rules in which every node of some declarations was put through `change`; `Gone` leaves a step out."""
    parts: dict[str, Any] = {}
    for section, key in sorted(holders):
        if section == GAME:
            parts[GAME] = _changed(rules.game, change)
            continue
        found = parts.setdefault(section, dict(getattr(rules, section)))
        found[key] = _changed(found[key], change)
    return rules.with_parts(**parts)


def _changed(thing: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(thing, tuple):
        items = tuple(new for each in thing if not isinstance(new := _changed(each, change), Gone))
        return thing if _same(thing, items) else items
    if isinstance(thing, dict):
        return {key: _changed(value, change) for key, value in thing.items()}
    if not attrs.has(type(thing)) or isinstance(thing, Span):
        return thing
    news = {name: _changed(getattr(thing, name), change) for name in _written(thing)}
    different = {name: new for name, new in news.items() if new is not getattr(thing, name)}
    return change(evolve(thing, **different) if different else thing)


def _same(old: tuple[Any, ...], new: tuple[Any, ...]) -> bool:
    return len(old) == len(new) and all(one is other for one, other in zip(old, new, strict=True))
