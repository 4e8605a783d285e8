"""What an author wrote: one document per file, its head read, its declarations and edits as trees."""

from __future__ import annotations

from attrs import field, frozen

from aodrules.source.spans import Source, Span
from aodrules.syntax.tree import Mapping, Node, Scalar

HEAD_KINDS = ("edition", "variant", "module")
EFFECTS = {"modify": "values", "offer": "options", "upon": "steps", "entering": "steps", "leaving": "steps"}
"""The keys by which an effect is known, and what each adds to or changes."""


@frozen(eq=False)
class Head:
    """The head of an edition, a variant or a module: what it is and how it stands to others."""

    kind: str
    """One of `edition`, `variant`, `module`."""
    name: Scalar
    game: Scalar | None = None
    """The game an edition or variant belongs to, where it says so."""
    editions: tuple[Scalar, ...] = ()
    based_on: Scalar | None = None
    includes: tuple[Scalar, ...] = ()
    requires: tuple[Scalar, ...] = ()
    conflicts: tuple[Scalar, ...] = ()
    after: tuple[Scalar, ...] = ()
    overrides: tuple[Scalar, ...] = ()
    keeps: tuple[Scalar, ...] = ()
    """Clauses that still hold although something that stands for them is changed."""
    clauses: tuple[Scalar, ...] = ()
    house: bool = False


@frozen(eq=False)
class Insertion:
    """One entry of `insert`: steps put before, after, first or last at an address."""

    where: str
    """One of `before`, `after`, `first`, `last`."""
    address: Scalar
    steps: Node
    span: Span


@frozen(eq=False)
class StepMove:
    """One entry of `move`: a named step that goes before, after, first or last at an address."""

    step: Scalar
    where: str
    """One of `before`, `after`, `first`, `last`."""
    address: Scalar
    span: Span


@frozen(eq=False)
class Edits:
    """The edits of a document, as written. `add` and `change` are trees; addresses inside them are dotted or nested."""

    add: Mapping | None = None
    change: Mapping | None = None
    remove: Node | None = None
    insert: tuple[Insertion, ...] = ()
    move: tuple[StepMove, ...] = ()
    effects: Mapping | None = None
    with_: dict[str, Edits] = field(factory=dict)
    """Further edits, under the name of the variant they count together with."""


@frozen(eq=False)
class Document:
    """One file. A document without a head declares; one with a head edits (and may hold scenarios and properties)."""

    source: Source
    root: Mapping
    head: Head | None = None
    edits: Edits = field(factory=Edits)
    declarations: Mapping | None = None
    """Declaration kind → id → body: the whole root of a plain document; beside a head only `scenario`, `position`,
    `property`, `text` and `ruling`."""
    language: Scalar | None = None
    """Of a document with words: the language they are in. What it declares is `text` by address and language."""
    words_for: Scalar | None = None
    """The document that these words count together with, if it is not the game."""

    @property
    def is_addition(self) -> bool:
        """Whether it belongs to a game that other documents declare."""
        return self.head is not None or self.language is not None
