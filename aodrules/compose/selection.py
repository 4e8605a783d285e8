"""Which documents take part in a ruleset, and in which layer: editions along their bases and modules, then variants."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import define, field, frozen

from aodrules.compose import problems
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Source, Span
from aodrules.syntax.documents import Document, Head
from aodrules.syntax.tree import Scalar


@frozen(eq=False)
class Selected:
    """The documents in use, layer by layer."""

    layers: tuple[tuple[Document, ...], ...]

    def without(self, names: set[str]) -> Selected:
        """Return the same without some documents."""
        return Selected(tuple(tuple(each for each in layer if _name(each) not in names) for layer in self.layers))

    @property
    def heads(self) -> list[Head]:
        """Their heads, in the order of the layers."""
        return [head_of(document) for document in self.documents]

    @property
    def documents(self) -> tuple[Document, ...]:
        """All of them, in the order of their layers."""
        return tuple(document for layer in self.layers for document in layer)

    @property
    def names(self) -> frozenset[str]:
        """Their names."""
        return frozenset(head.name.text for head in self.heads)


def head_of(document: Document) -> Head:
    """Return the head of a document that is known to have one."""
    if document.head is None:
        raise ValueError(document.source.path)
    return document.head


def select(documents: Sequence[Document], edition: str | None, variants: Sequence[str], report: Report) -> Selected:
    """Return the documents that an edition and variants bring into use; what does not go together is reported."""
    names = sorted(set(variants))
    word = rules_word(edition, names)
    selecting = _Selecting([each for each in documents if each.head is not None], edition, report)
    layers = _edition_layers(selecting, word)
    chosen = {_name(each): each for name in names for each in _bases(selecting, "variant", word[name])}
    layers += [selecting.modules(chosen.values()), list(chosen.values())]
    selected = Selected(tuple(tuple(sorted(layer, key=_name)) for layer in layers if layer))
    return selected.without(_check_relations(selected, report))


def rules_word(edition: str | None, variants: Iterable[str]) -> dict[str, Scalar]:
    """Return the names a ruleset is asked for by, each with its place in the word `edition+variant+variant`."""
    names = [*([] if edition is None else [edition]), *variants]
    source = Source(problems.RULES_WORD, "+".join(names))
    found, column = {}, 1
    for name in names:
        found[name] = Scalar(Span(source, 1, column, 1, column + len(name)), name, name)
        column += len(name) + 1
    return found


def _name(document: Document) -> str:
    return head_of(document).name.text


@define(eq=False)
class _Selecting:
    """The documents there are, the edition asked for, and the modules already in use."""

    documents: list[Document]
    edition: str | None
    report: Report
    included: set[str] = field(factory=set)

    def pick(self, kind: str, name: Scalar, wanted_by: str | None = None) -> Document | None:
        """Return the document of a kind and name that fits the edition."""
        named = [each for each in self.of_kind(kind) if _name(each) == name.text]
        fitting = [each for each in named if _fits(head_of(each), self.edition)]
        if not named:
            self._report_unknown(kind, name, wanted_by)
            return None
        if not fitting:
            self.report.add(problems.wrong_edition(head_of(named[0]), self.edition, name.span))
            return None
        if len(fitting) > 1:
            first, second = (head_of(each).name for each in fitting[:2])
            self.report.add(problems.duplicate_document(first, second, self.edition))
        return fitting[0]

    def _report_unknown(self, kind: str, name: Scalar, wanted_by: str | None) -> None:
        """Report a name that no document bears, unless who looked for documents has done so."""
        known = [_name(each) for each in self.of_kind(kind)]
        problem = problems.unknown_variant(kind, name.text, name.span, known, wanted_by)
        if not any((each.code, each.primary.span) == (problem.code, name.span) for each in self.report.diagnostics):
            self.report.add(problem)

    def of_kind(self, kind: str) -> list[Document]:
        """Return the documents of a kind, sorted by path."""
        found = [each for each in self.documents if head_of(each).kind == kind]
        return sorted(found, key=lambda each: each.source.path)

    def modules(self, documents: Iterable[Document]) -> list[Document]:
        """Return the modules that documents include, and those that these include, if they are not yet in use."""
        found: list[Document] = []
        waiting = list(documents)
        while waiting:
            head = head_of(waiting.pop())
            for name in head.includes:
                if name.text in self.included:
                    continue
                self.included.add(name.text)
                module = self.pick("module", name, head.name.text)
                if module is not None:
                    found.append(module)
                    waiting.append(module)
        return found


def _fits(head: Head, edition: str | None) -> bool:
    return head.kind == "edition" or not head.editions or edition in [each.text for each in head.editions]


def _edition_layers(selecting: _Selecting, word: dict[str, Scalar]) -> list[list[Document]]:
    """Return the layers of the edition: for each along its bases its modules, then itself."""
    if selecting.edition is None:
        return []
    layers: list[list[Document]] = []
    for document in _bases(selecting, "edition", word[selecting.edition]):
        layers += [selecting.modules([document]), [document]]
    return layers


def _bases(selecting: _Selecting, kind: str, name: Scalar) -> list[Document]:
    """Return a document and what it is based on, the base first."""
    chain: list[Document] = []
    links: list[Scalar] = []
    wanted: Scalar | None = name
    while wanted is not None:
        document = selecting.pick(kind, wanted, None if not chain else _name(chain[-1]))
        if document in chain:
            circle = [_name(each) for each in chain[chain.index(document) :]]
            spans = [link.span for link in links[chain.index(document) :]]
            selecting.report.add(problems.variant_cycle(circle, spans, "is based on"))
            break
        if document is None:
            break
        chain.append(document)
        wanted = head_of(document).based_on
        links += [] if wanted is None else [wanted]
    return chain[::-1]


def _check_relations(selected: Selected, report: Report) -> set[str]:
    """Report what a document requires and misses, and what it does not go together with; return what is left out."""
    names = {head.name.text: head.name for head in selected.heads}
    left_out, told = set(), set()
    for head in selected.heads:
        if names[head.name.text] is not head.name:
            report.add(problems.duplicate_document(head.name, names[head.name.text], None))
        for required in head.requires:
            # A name that is misspelt was told when documents were looked for.
            if required.text not in names and not any(each.primary.span == required.span for each in report):
                report.add(problems.missing_requirement(head, required))
            if required.text not in names:
                left_out.add(head.name.text)  # what it builds on is not there: its edits would only say that again
        for other in head.conflicts:
            if other.text in names:
                if (other.text, head.name.text) in told:
                    continue
                told.add((head.name.text, other.text))
                report.add(problems.conflicting_variants(head, names[other.text], other.span))
                # Their edits would only repeat that they do not go together.
                left_out.add(max(head.name.text, other.text))
    return _add_dependants(selected, left_out)


def _add_dependants(selected: Selected, names: set[str]) -> set[str]:
    """Return names of documents with those of all that require them."""
    more = {head.name.text for head in selected.heads if any(each.text in names for each in head.requires)}
    return names if more <= names else _add_dependants(selected, names | more)
