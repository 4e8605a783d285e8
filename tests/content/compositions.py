"""Which documents of Age of Discovery go together, and few sets of them in which every pair of them meets."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations
from typing import Any

import yaml
from attrs import frozen

import aodrules
from aodrules.source.shipped import shipped

EDITIONS = ("aoe3-pl", "aoe3-ru", "empires")
_TRIES = 600


@frozen
class Head:
    """What the head of a variant says about others."""

    name: str
    editions: frozenset[str]
    requires: frozenset[str]
    conflicts: frozenset[str]
    is_ruling: bool


@cache
def heads() -> tuple[Head, ...]:
    """Return the heads of all variants and rulings, sorted."""
    found = []
    for path in (shipped("variants") / "aod").rglob("*.yaml"):
        body: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
        if "variant" in body and not body.get("house"):
            editions, requires, conflicts = (
                frozenset[str](body.get(key, ())) for key in ("editions", "requires", "conflicts")
            )
            found.append(Head(body["variant"], editions, requires, conflicts, path.parent.name == "rulings"))
    return tuple(sorted(found, key=lambda head: (head.name, sorted(head.editions))))


@cache
def fitting(edition: str) -> dict[str, Head]:
    """Return the variants and rulings of an edition, by name."""
    return {head.name: head for head in heads() if not head.editions or edition in head.editions}


def closed(edition: str, names: Iterable[str]) -> frozenset[str]:
    """Return names with all that they require."""
    known, found, waiting = fitting(edition), set[str](), list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += known[name].requires
    return frozenset(found)


def is_sound(edition: str, names: frozenset[str]) -> bool:
    """Return whether names go together: nothing that is required is missing, nothing is in conflict."""
    known = fitting(edition)
    return all(known[name].requires <= names and not known[name].conflicts & names for name in names)


def cover(edition: str) -> list[tuple[str, ...]]:
    """Return sets of variants and rulings in which every pair that can meet does, and is missing, at least once."""
    pool = [names for names in dict.fromkeys(_samples(edition)) if is_sound(edition, names)]
    wanted = {pair for names in pool for pair in _pairs(edition, names)}
    rows = []
    while wanted:
        best = max(pool, key=lambda names: len(wanted & _pairs(edition, names)))
        rows.append(tuple(sorted(best)))
        wanted -= _pairs(edition, best)
    return rows


def _samples(edition: str) -> Iterator[frozenset[str]]:
    names = sorted(fitting(edition))
    yield frozenset()
    for one, other in combinations(names, 2):
        yield closed(edition, (one, other))
    chance = random.Random(edition)
    for _ in range(_TRIES):
        chosen = frozenset[str]()
        for name in chance.sample(names, len(names)):
            more = closed(edition, (*chosen, name))
            if chance.random() < 0.6 and is_sound(edition, more):
                chosen = more
        yield chosen


@cache
def _pairs(edition: str, names: frozenset[str]) -> frozenset[tuple[tuple[str, bool], ...]]:
    marked = [(name, name in names) for name in sorted(fitting(edition))]
    return frozenset(combinations(marked, 2))


def player_counts(rules: aodrules.Rules) -> range:
    """Return how many can play."""
    low, high = rules.players
    return range(low, high + 1)


@cache
def rules_of(edition: str, variants: tuple[str, ...] = ()) -> aodrules.Rules:
    """Return the rules of an edition with variants, loaded once."""
    return aodrules.load(edition, variants, cache=False)
