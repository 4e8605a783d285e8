"""Everything that a declaration, a step or an expression is made of."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import fields as attribute_fields
from attrs import has

from aodrules.check import checked, steps
from aodrules.lang import expressions
from aodrules.source.spans import Span

_PARTS: dict[type, tuple[str, ...]] = {
    of: tuple(one.name for one in attribute_fields(of) if one.name not in {"span", "type"})
    for module in (checked, steps, expressions)
    for of in vars(module).values()
    if isinstance(of, type) and has(of) and of is not Span
}
"""The attributes of what declarations, steps and expressions are made of."""


def all_parts(part: object) -> Iterator[object]:
    """Return a declaration, step or expression and everything in it, spans left out."""
    if isinstance(part, dict):
        for key in part:
            yield from all_parts(part[key])
    elif isinstance(part, tuple | frozenset):
        for one in part:
            yield from all_parts(one)
    elif type(part) in _PARTS:
        yield part
        for name in _PARTS[type(part)]:
            yield from all_parts(getattr(part, name))
