"""Which mappings of a composed tree are families (id → body), told by their address alone."""

from __future__ import annotations

from aodrules.syntax.tree import Mapping, Node, Scalar

DOTTED_KINDS = frozenset({"clause", "property", "scenario", "text"})
"""Declaration kinds whose ids may contain dots."""
UNPLAYED_KINDS = frozenset({"text", "clause", "ruling", "property", "scenario", "layout"})
"""Declaration kinds that play does not depend on."""
FIXED_KINDS = UNPLAYED_KINDS | {
    "game", "kinds", "state", "value", "verb", "decision", "option", "event", "sets", "graph", "grid", "effects",
}  # fmt: skip
"""Declaration kinds that the language knows; every other one is a kind of the game."""
PARAMETER_LISTS = frozenset({"given", "main", "for"})
META_KEYS = frozenset({"name", "text", "clauses", "needs"})
"""What may stand on any body."""
NEVER_IDS = frozenset({"clauses", "needs"})
"""Those of them that are no ids even in a family."""

_FAMILIES_OF_FAMILIES = frozenset({"state", "text", "effects"})
_FAMILIES_OF_BODIES = PARAMETER_LISTS | {"remembers", "options"}
_FAMILIES_OF_KINDS = frozenset({"attributes", "hooks", "effects"})
_FAMILIES_OF_GAME = frozenset({"points", "settings"})


def is_id_mapping(path: tuple[str, ...], root: Mapping) -> bool:
    """Return whether what stands at an address is a family: ids that documents add one by one."""
    match path:
        case ():
            return True
        case (kind,):
            return kind != "game"
        case (kind, part):
            return kind in _FAMILIES_OF_FAMILIES or (kind == "game" and part in _FAMILIES_OF_GAME)
        case (kind, *_, part) if part in _FAMILIES_OF_BODIES:
            return kind not in UNPLAYED_KINDS
        case (kind, _, part):
            return part in _FAMILIES_OF_KINDS if kind == "kinds" else has_effects(root, kind, part)
    return False


def has_effects(root: Mapping, kind: str, hook: str) -> bool:
    """Return whether a hook of a kind holds effects by their ids."""
    body = at(root, "kinds", kind, "hooks", hook)
    mark = body.get("effects") if isinstance(body, Mapping) else None
    return isinstance(mark, Scalar) and mark.value is True


def at(node: Node | None, *keys: str) -> Node | None:
    """Return what stands under a path of keys, or nothing."""
    for key in keys:
        node = node.get(key) if isinstance(node, Mapping) else None
    return node


def is_meta(key: str, value: Node, path: tuple[str, ...], root: Mapping) -> bool:
    """Return whether a key of the body at a path is one that may stand on any body, and not the id of something."""
    if key not in META_KEYS or (isinstance(value, Mapping) and ("is" in value or "do" in value)):
        return False
    return key in NEVER_IDS or not is_id_mapping(path, root)
