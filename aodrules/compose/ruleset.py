"""One composed ruleset: a tree in long form whose every node still knows the file and line it came from."""

from __future__ import annotations

import hashlib
import json

from attrs import field, frozen

from aodrules.compose.addresses import PARAMETER_LISTS, UNPLAYED_KINDS, is_meta
from aodrules.source.spans import Source, Span
from aodrules.syntax.documents import Document
from aodrules.syntax.tree import Mapping, Node, Plain, Scalar

LANGUAGE_VERSION = 1
"""The version of the rules language: another version gives another fingerprint to the same text."""


@frozen(eq=False)
class OriginEntry:
    """One layer's hand in a node: who declared, changed, added to or removed it, and where."""

    address: str
    layer: str
    """The name of the document's head, or of the game."""
    kind: str
    """`game`, `module`, `edition` or `variant`."""
    action: str
    """`declare`, `add`, `change`, `remove`, `insert`, `move` or `effect`."""
    span: Span
    clauses: tuple[str, ...] = ()
    """The clauses that stand for what was there before."""
    says: frozenset[str] = frozenset()
    """The clauses that what is there now cites."""


@frozen(eq=False)
class Ruleset:
    """Game + edition + variants as one tree: declaration kind → id → body, in long form, edits done.

    Effects of the whole game stand under `effects` → document name → id.
    Nodes keep the spans of the file they were written in.
    """

    name: str
    """The name of the game: its folder's or file's name, or what `game.id` says."""
    root: Mapping
    edition: str | None = None
    variants: tuple[str, ...] = ()
    """Sorted by name, so that naming order never shows."""
    documents: tuple[Document, ...] = ()
    overrides: frozenset[str] = frozenset()
    """The clauses that editions and variants say they replace."""
    origins: tuple[OriginEntry, ...] = field(default=(), repr=False)
    layers: dict[Source, str] = field(factory=dict, repr=False)
    """Which document (by name) each source belongs to."""
    house: frozenset[str] = frozenset()
    """Names of documents that need no clauses."""
    fingerprint: str = ""
    """A hash of what play depends on: names, texts, clauses, properties, scenarios and layout are left out."""

    def origin(self, address: str) -> tuple[OriginEntry, ...]:
        """Return every layer's hand in the node at an address, in what is inside it and in what encloses it.

        They come in the order of the layers.
        """
        return tuple(entry for entry in self.origins if _encloses(entry.address, address))

    def layer_of(self, span: Span) -> str:
        """Return the name of the document a place belongs to."""
        return self.layers.get(span.source, self.name)


def _encloses(one: str, other: str) -> bool:
    """Return whether one of two addresses is the other's or a beginning of it."""
    shorter, longer = sorted((f"{one}.", f"{other}."), key=len)
    return longer.startswith(shorter)


def fingerprint(root: Mapping) -> str:
    """Return a hash of what play depends on: equal for equal rules, whatever their words, sources and files."""
    rules = {entry.name: _strip(entry.value, (entry.name,), root) for entry in root if entry.name not in UNPLAYED_KINDS}
    kept: Plain = {name: body for name, body in rules.items() if body not in ({}, [])}
    text = json.dumps(kept, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(f"{LANGUAGE_VERSION}\n{text}".encode()).hexdigest()[:32]


def _strip(node: Node, path: tuple[str, ...], root: Mapping) -> Plain:
    """Return a node as plain data, without what play does not depend on."""
    if isinstance(node, Scalar):
        return node.value
    if not isinstance(node, Mapping):
        return [_strip(item, (*path, ""), root) for item in node]
    pairs = [
        (entry.name, _strip(entry.value, (*path, entry.name), root))
        for entry in node
        if not is_meta(entry.name, entry.value, path, root)
    ]
    # The order of parameters is that of positional arguments and of an action's text; no other order is read.
    if path[-1] in PARAMETER_LISTS and len(path) > 2:
        return [[name, body] for name, body in pairs]
    return dict(pairs)
