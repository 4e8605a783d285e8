"""Units of composition: a document's edits, and apart from them those that count only together with another."""

from __future__ import annotations

from collections.abc import Container, Iterator

from attrs import frozen

from aodrules.source.spans import Source
from aodrules.syntax.documents import Document, Edits, Head
from aodrules.syntax.tree import Mapping


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
    for partner, edits in document.edits.with_.items():
        if partner in active:
            yield EditSet(document.head, document.source, edits, partner=partner)
