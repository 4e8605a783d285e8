"""Limits: counters of how often something may be used, as fields of the state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from attrs import evolve

from aodrules.check import problems
from aodrules.check.checked import Field, Limit
from aodrules.check.context import Context, KnownLimit
from aodrules.check.resolve.expressions import read_expression
from aodrules.check.resolve.scope import Scope
from aodrules.lang.types import NUMBER, PLAYER, Number
from aodrules.syntax.tree import Mapping, Node, Scalar, Sequence

MOST_USES = 10_000
Whose = Literal["owner", "decider", "game"]


def read_limit(context: Context, node: Node | None, address: str, whose: Whose, names: Scope) -> Limit | None:
    """Return the limit a node declares, and make its counters."""
    if not isinstance(node, Mapping):
        return None
    shared = node.get("shared")
    base = f"limit.{shared.text}" if isinstance(shared, Scalar) else f"{address}.limit"
    periods = []
    for entry in node:
        if entry.name == "shared":
            continue
        counter = f"{base}.{entry.name}"
        times = read_expression(context, entry.value, names, NUMBER)
        periods.append((entry.name, counter, times))
        _declare(context, counter, whose, entry.key)
    return Limit(tuple(periods), whose)


def _declare(context: Context, counter: str, whose: Whose, key: Scalar) -> None:
    dimensions = () if whose == "game" else (PLAYER,)
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
    for name, address, body, node in _limited(context.root, "", ""):
        shared = node.get("shared")
        base = f"limit.{shared.text}" if isinstance(shared, Scalar) else f"{address}.limit"
        period = next((entry for entry in node if entry.name != "shared"), None)
        if period is None:
            continue
        found = KnownLimit(f"{base}.{period.name}", period.key.span, _is_for_all(context, address, body))
        for word in {name, shared.text if isinstance(shared, Scalar) else name}:
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
    word = place.text if isinstance(place, Scalar) else ""
    field = context.fields.get(word) or context.fields.get(f"table.{word}")
    return field is None or PLAYER not in field.dimensions


def _limited(node: Node, name: str, address: str) -> Iterator[tuple[str, str, Mapping, Mapping]]:
    if isinstance(node, Mapping):
        limit = node.get("limit")
        if isinstance(limit, Mapping):
            yield name, address, node, limit
        for entry in node:
            yield from _limited(entry.value, entry.name, f"{address}.{entry.name}" if address else entry.name)
    elif isinstance(node, Sequence):
        for item in node:
            yield from _limited(item, name, address)
