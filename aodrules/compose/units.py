"""Units of composition: a document's edits, and apart from them those that count only together with another."""

from __future__ import annotations

from collections.abc import Container, Iterator

from attrs import frozen

from aodrules.source.spans import Source
from aodrules.syntax.documents import Document, Edits, Head, Insertion
from aodrules.syntax.tree import Mapping, Node, Scalar, Sequence

_PLACES = ("before", "after", "first", "last")


@frozen(eq=False)
class EditSet:
    """Edits that are done together, and the document they stand in."""

    head: Head
    source: Source
    edits: Edits
    declarations: Mapping | None = None
    partner: str | None = None
    """The document together with which they count: `with: {PARTNER: edits}`."""

    @property
    def name(self) -> str:
        """The name of the document."""
        return self.head.name.text

    @property
    def key(self) -> str:
        """A name of its own, that sorts behind the document's."""
        return self.name if self.partner is None else f"{self.name} with {self.partner}"


def edit_sets_of(document: Document, active: Container[str]) -> Iterator[EditSet]:
    """Iterate over the units of a document, given the names of all documents in use."""
    if document.head is None:
        return
    yield EditSet(document.head, document.source, document.edits, document.declarations)
    for entry in document.edits.with_ or ():
        if entry.name in active and isinstance(entry.value, Mapping):
            yield EditSet(document.head, document.source, edits_from(entry.value), partner=entry.name)


def edits_from(body: Mapping) -> Edits:
    """Return the edits that stand in a mapping."""
    return Edits(
        add=_mapping(body.get("add")),
        change=_mapping(body.get("change")),
        remove=body.get("remove"),
        insert=tuple(_insertions(body.get("insert"))),
        effects=_mapping(body.get("effects")),
    )


def _mapping(node: Node | None) -> Mapping | None:
    return node if isinstance(node, Mapping) else None


def _insertions(node: Node | None) -> Iterator[Insertion]:
    for item in node if isinstance(node, Sequence) else ():
        if not isinstance(item, Mapping):
            continue
        where = next((place for place in _PLACES if place in item), None)
        address, steps = item.get(where or ""), item.get("do")
        if where is not None and isinstance(address, Scalar) and steps is not None:
            yield Insertion(where, address, steps, item.span)
