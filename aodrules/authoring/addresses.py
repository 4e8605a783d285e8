"""The address an author may have meant."""

from __future__ import annotations

from aodrules.compose.addresses import Missing, named_steps, resolve
from aodrules.source.suggestions import nearest
from aodrules.syntax.tree import Mapping


def nearest_address(root: Mapping, address: str) -> str | None:
    """Return the one address that exists and is near to one that does not, part by part."""
    for _ in address.split("."):
        found = resolve(root, address)
        if not isinstance(found, Missing):
            return address
        place, (wrong, *rest) = found.deepest, found.rest
        known = list(place.node.entries) if isinstance(place.node, Mapping) else []
        known += [step.parts[-1] for step in named_steps(place)] if place.has_steps else []
        near = nearest(wrong, known)
        if near is None:
            return None
        address = ".".join((*place.parts, near, *rest))
    return None
