"""From a source to a document: strict YAML, the schema of its kind, head and edits told apart."""

from __future__ import annotations

from aodrules.source.diagnostics import Report
from aodrules.source.spans import Source
from aodrules.source.wording import nearest
from aodrules.syntax import problems
from aodrules.syntax.documents import HEAD_KINDS, Document, Edits, Head, Insertion, StepMove
from aodrules.syntax.schema_check import check_shape
from aodrules.syntax.tree import Entry, Mapping, Node, Scalar, items_of, word_of
from aodrules.syntax.yaml_reader import read_yaml

_EDITS = ("add", "change", "remove", "insert", "move", "effects", "with")
_BESIDE = ("editions",)  # a word of heads that is near to another
_BESIDE_A_HEAD = ("scenario", "position", "property", "text", "ruling")
_LISTS = ("editions", "includes", "requires", "conflicts", "after", "overrides", "keeps", "clauses")
WORDS = "words"
"""The key of documents with words in one language."""
_PLACES = ("before", "after", "first", "last")


def read(source: Source, report: Report) -> Document | None:
    """Read one document and check its shape; what does not fit is reported.

    Returns nothing where no document can be made. A document that is returned may have gaps if the report has errors.
    """
    root = read_yaml(source, report)
    if root is None:
        return None
    if isinstance(root.get(WORDS), Scalar):
        return _words_document(root, report)
    if not any(kind in root for kind in HEAD_KINDS):
        return _plain_document(root, report)
    check_shape(root, "variant", report)
    declarations = Mapping(root.span, {name: entry for name, entry in root.entries.items() if name in _BESIDE_A_HEAD})
    return Document(root.span.source, root, _head(root), _edits(root), declarations)


def _words_document(root: Mapping, report: Report) -> Document:
    """Return a document with words, as one that declares texts in a language."""
    check_shape(root, "words", report)
    language = root.need(WORDS)
    assert isinstance(language, Scalar)
    texts = [
        Entry(each.key, Mapping.of(each.value.span, [Entry(language, each.value)])) for each in root.mapping("text")
    ]
    declared = [Entry(root.key("text"), Mapping.of(root.mapping("text").span, texts))] if texts else []
    source, words_for = root.span.source, _word(root.get("for"))
    return Document(source, root, declarations=Mapping.of(root.span, declared), language=language, words_for=words_for)


def _plain_document(root: Mapping, report: Report) -> Document:
    """Return a document that declares; one with edits lacks its head."""
    edits = [entry for entry in root if entry.name in _EDITS]
    if edits:
        misspelt = [entry.key for entry in root if entry.name not in _BESIDE and nearest(entry.name, HEAD_KINDS)]
        problem = problems.unknown_key(misspelt[0], "this document", HEAD_KINDS) if misspelt else None
        report.add(problem or problems.missing_head(edits[0].key))
        return Document(root.span.source, root)
    check_shape(root, "rules", report)
    return Document(root.span.source, root, declarations=root)


def _head(root: Mapping) -> Head | None:
    kind = next(kind for kind in HEAD_KINDS if kind in root)
    name = root.get(kind)
    if not isinstance(name, Scalar):
        return None
    house = root.get("house")
    return Head(
        kind,
        name,
        game=_word(root.get("game")),
        based_on=_word(root.get("based_on")),
        # What is neither is reported once, by the schema.
        house=isinstance(house, Scalar) and house.value is not False,
        **{list_: _words(root, list_) for list_ in _LISTS},
    )


def _edits(root: Mapping) -> Edits:
    return Edits(
        add=_group(root.get("add")),
        change=_group(root.get("change")),
        remove=root.get("remove"),
        insert=tuple(found for item in root.sequence("insert") if (found := _insertion(item)) is not None),
        move=tuple(step for item in root.sequence("move") if (step := _step_move(item)) is not None),
        effects=_group(root.get("effects")),
        with_={entry.name: _edits(entry.value) for entry in root.mapping("with") if isinstance(entry.value, Mapping)},
    )


def _insertion(item: Node) -> Insertion | None:
    place, steps = _place(item), item.get("do") if isinstance(item, Mapping) else None
    return None if place is None or steps is None else Insertion(*place, steps, item.span)


def _step_move(item: Node) -> StepMove | None:
    place, step = _place(item), _word(item.get("step")) if isinstance(item, Mapping) else None
    return None if place is None or step is None else StepMove(step, *place, item.span)


def _place(item: Node) -> tuple[str, Scalar] | None:
    """Return where steps go: `before`, `after`, `first` or `last`, and the address."""
    where = next((name for name in _PLACES if name in item), None) if isinstance(item, Mapping) else None
    address = _word(item.get(where)) if isinstance(item, Mapping) and where is not None else None
    return None if where is None or address is None else (where, address)


def _group(node: Node | None) -> Mapping | None:
    return node if isinstance(node, Mapping) else None


def _word(node: Node | None) -> Scalar | None:
    return node if isinstance(node, Scalar) and not node.is_empty else None


def _words(root: Mapping, name: str) -> tuple[Scalar, ...]:
    """Return the words of a list, or one word; `all` alone is the same as nothing said."""
    node = root.get(name)
    items = () if node is None or word_of(node) == "all" else items_of(node)
    return tuple(item for item in items if isinstance(item, Scalar) and not item.is_empty)
