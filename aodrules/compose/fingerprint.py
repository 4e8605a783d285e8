"""A hash of what play depends on: equal for equal rules, whatever their words, sources and order of files."""

from __future__ import annotations

import hashlib
import json

from aodrules.compose.id_mappings import PARAMETER_LISTS, UNPLAYED_KINDS, is_meta
from aodrules.syntax.tree import Mapping, Node, Plain, Scalar

LANGUAGE_VERSION = 1
"""The version of the rules language: another version gives another fingerprint to the same text."""


def fingerprint(root: Mapping) -> str:
    """Return the fingerprint of a composed tree."""
    rules = {
        entry.name: _played(entry.value, (entry.name,), root) for entry in root if entry.name not in UNPLAYED_KINDS
    }
    kept: Plain = {name: body for name, body in rules.items() if body not in ({}, [])}
    text = json.dumps(kept, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(f"{LANGUAGE_VERSION}\n{text}".encode()).hexdigest()[:32]


def _played(node: Node, path: tuple[str, ...], root: Mapping) -> Plain:
    if isinstance(node, Scalar):
        return node.value
    if not isinstance(node, Mapping):
        return [_played(item, (*path, ""), root) for item in node]
    pairs = [
        (entry.name, _played(entry.value, (*path, entry.name), root))
        for entry in node
        if not is_meta(entry.name, entry.value, path, root)
    ]
    # The order of parameters is that of positional arguments and of an action's text; no other order is read.
    if path[-1] in PARAMETER_LISTS and len(path) > 2:
        return [[name, body] for name, body in pairs]
    return dict(pairs)
