"""Rulings: which reading of an open question is played."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from aodrules.compose.ruleset import Ruleset
from aodrules.syntax.tree import Mapping, Scalar


def declared_rulings(ruleset: Ruleset) -> dict[str, Mapping]:
    """Return the rulings that a ruleset declares, by id."""
    section = ruleset.root.get("ruling")
    entries = section if isinstance(section, Mapping) else ()
    return {entry.name: entry.value for entry in entries if isinstance(entry.value, Mapping)}


def chosen_reading(ruling: Mapping) -> str:
    """Return the reading that is played unless a variant plays another."""
    chosen = ruling.get("chosen")
    return chosen.text if isinstance(chosen, Scalar) else ""


def other_reading(ruling: Mapping, active: AbstractSet[str]) -> str | None:
    """Return the reading that a document in use plays instead of the chosen one: its name is that of the document."""
    readings = ruling.get("readings")
    names = [entry.name for entry in readings] if isinstance(readings, Mapping) else []
    return next((name for name in names if name in active and name != chosen_reading(ruling)), None)
