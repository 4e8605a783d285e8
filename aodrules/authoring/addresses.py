"""The address an author may have meant."""

from __future__ import annotations

from aodrules.compose.addresses import MissingAddress, named_steps, resolve
from aodrules.source.wording import nearest
from aodrules.syntax.tree import Mapping


def nearest_address(root: Mapping, address: str) -> str | None:
    """Return the one address that exists and is near to one that does not, part by part, or that only ends with it."""
    longer = [f"{entry.name}.{address}" for entry in root]
    whole = [each for each in longer if not isinstance(resolve(root, each), MissingAddress)]
    if len(whole) == 1:
        return whole[0]
    for _ in address.split("."):
        found = resolve(root, address)
        if not isinstance(found, MissingAddress):
            return address
        place, (wrong, *rest) = found.deepest, found.rest
        known = list(place.node.entries) if isinstance(place.node, Mapping) else []
        known += [step.parts[-1] for step in named_steps(place)] if place.has_steps else []
        near = nearest(wrong, known)
        if near is None:
            return None
        address = ".".join((*place.parts, near, *rest))
    return None


def enclosing_address(root: Mapping, address: str) -> str | None:
    """Return the address of what would hold a node that is not there, if that is more than a declaration kind."""
    found = resolve(root, address)
    parts = found.deepest.parts if isinstance(found, MissingAddress) else ()
    return ".".join(parts) if len(parts) > 1 else None
