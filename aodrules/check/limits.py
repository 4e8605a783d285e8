"""Limits: counters of how often something may be used, as fields of the state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from aodrules.check import problems
from aodrules.check.checked import Field, Limit
from aodrules.check.context import Context
from aodrules.check.expressions import read_expression
from aodrules.check.names import Names
from aodrules.lang.types import NUMBER, PLAYER, Number
from aodrules.syntax.tree import Mapping, Node, Scalar, Sequence

MOST_USES = 10_000
Whose = Literal["owner", "decider", "game"]


def read_limit(context: Context, node: Node | None, address: str, whose: Whose, names: Names) -> Limit | None:
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
        if entry.name != "game" and entry.name not in step_names(context):
            context.add(problems.unknown_name(entry.name, entry.key.span, [*step_names(context), "game"], "named step"))
        _declare(context, counter, whose, entry.key, None if entry.name == "game" else entry.name)
    return Limit(tuple(periods), whose)


def _declare(context: Context, counter: str, whose: Whose, key: Scalar, resets: str | None) -> None:
    dimensions = () if whose == "game" else (PLAYER,)
    if counter not in context.fields:
        context.fields[counter] = Field(counter, dimensions, Number(0, MOST_USES), key.span, resets=resets)


def collect_limits(context: Context) -> None:
    """Learn the names under which `used(...)` may ask, before any body is read."""
    for name, address, node in _limited(context.root, "", ""):
        shared = node.get("shared")
        base = f"limit.{shared.text}" if isinstance(shared, Scalar) else f"{address}.limit"
        counters = [f"{base}.{entry.name}" for entry in node if entry.name != "shared"]
        for word in {name, shared.text if isinstance(shared, Scalar) else name}:
            context.limits.setdefault(word, counters)


def _limited(node: Node, name: str, address: str) -> Iterator[tuple[str, str, Mapping]]:
    if isinstance(node, Mapping):
        limit = node.get("limit")
        if isinstance(limit, Mapping):
            yield name, address, limit
        for entry in node:
            yield from _limited(entry.value, entry.name, f"{address}.{entry.name}" if address else entry.name)
    elif isinstance(node, Sequence):
        for item in node:
            yield from _limited(item, name, address)


def step_names(context: Context) -> list[str]:
    """Return the names of all named steps of the ruleset."""
    if not context.steps:
        context.steps.extend(dict.fromkeys(_steps(context.root)))
    return context.steps


def _steps(node: Node) -> Iterator[str]:
    if isinstance(node, Mapping):
        word = node.get("step")
        if isinstance(word, Scalar) and "do" in node:
            yield word.text
        for entry in node:
            yield from _steps(entry.value)
    elif isinstance(node, Sequence):
        for item in node:
            yield from _steps(item)
