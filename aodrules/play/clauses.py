"""What a ruleset says beside what is played: its clauses, and which document a place belongs to."""

from __future__ import annotations

from aodrules.compose.addresses import MissingAddress, TreePlace, resolve
from aodrules.compose.ruleset import Ruleset
from aodrules.source.spans import Span
from aodrules.syntax.tree import Mapping, Scalar, Sequence


def clauses_of(ruleset: Ruleset) -> dict[str, Mapping]:
    """Return the clauses the ruleset declares, by id."""
    section = ruleset.root.get("clause")
    entries = section if isinstance(section, Mapping) else ()
    return {entry.name: entry.value for entry in entries if isinstance(entry.value, Mapping)}


def clauses_at(ruleset: Ruleset, address: str) -> tuple[str, ...]:
    """Return the clauses that a node models: its own, else those of what encloses it."""
    place = resolve(ruleset.root, address)
    if isinstance(place, MissingAddress):
        place = place.deepest
    for cut in range(len(place.parts), 0, -1):
        around = resolve(ruleset.root, ".".join(place.parts[:cut]))
        found = _clauses(around) if isinstance(around, TreePlace) else ()
        if found:
            return found
    return ()


def said(body: Mapping, language: str, key: str = "says") -> str | None:
    """Return what a clause or ruling says in a language, or in another."""
    words = body.get(key)
    if isinstance(words, Scalar):
        return words.text
    if not isinstance(words, Mapping):
        return None
    texts = {entry.name: entry.value.text for entry in words if isinstance(entry.value, Scalar)}
    return texts.get(language) or texts.get("en") or next(iter(texts.values()), None)


def layer_of(ruleset: Ruleset, span: Span) -> tuple[str, str]:
    """Return the name and kind of the document that a place belongs to: game, module, edition or variant."""
    kinds = {
        document.source.path: (document.head.name.text, document.head.kind)
        for document in ruleset.documents
        if document.head is not None
    }
    return kinds.get(span.path, (ruleset.name, "game"))


def _clauses(place: TreePlace) -> tuple[str, ...]:
    node = place.node.get("clauses") if isinstance(place.node, Mapping) else None
    items = node.items if isinstance(node, Sequence) else ()
    return tuple(item.text for item in items if isinstance(item, Scalar))
