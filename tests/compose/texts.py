"""Small documents written in tests, and the rulesets they make."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import dedent

from attrs import frozen

from aodrules.compose.from_documents import compose
from aodrules.compose.ruleset import Ruleset
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Source
from aodrules.syntax.documents import Document
from aodrules.syntax.from_source import read
from aodrules.syntax.tree import Mapping, Node, Plain
from aodrules.syntax.yaml_reader import read_yaml


def tree(text: str, path: str = "game.yaml") -> Mapping:
    report = Report()
    root = read_yaml(Source(path, dedent(text).strip() + "\n"), report)
    assert not report.diagnostics
    assert root is not None
    return root


def document(text: str, path: str = "") -> Document:
    """Return a document of any shape; one with a head is named after it unless a path is given."""
    found = read(Source(path or "game.yaml", dedent(text).strip() + "\n"), Report())
    assert found is not None
    if found.head is not None and not path:
        return document(text, f"{found.head.name.text}.yaml")
    return found


@frozen(eq=False)
class Composed:
    """A ruleset and what was said about it."""

    rules: Ruleset
    report: Report

    @property
    def codes(self) -> list[str]:
        return [each.code for each in self.report]

    @property
    def messages(self) -> list[str]:
        return [each.message for each in self.report]

    def plain(self, *keys: str) -> Plain:
        node: Node | None = self.rules.root
        for key in keys:
            node = node.get(key) if isinstance(node, Mapping) else None
        return None if node is None else node.plain()


def names_in(documents: Iterable[Document]) -> tuple[str | None, list[str]]:
    """Return the edition that no other is based on, and all variants."""
    heads = [each.head for each in documents if each.head is not None]
    bases = {head.based_on.text for head in heads if head.based_on is not None}
    editions = [head.name.text for head in heads if head.kind == "edition"]
    last = [name for name in editions if name not in bases] or editions
    return last[-1] if last else None, [head.name.text for head in heads if head.kind == "variant"]


def composed(*texts: str, edition: str | None = None, variants: Sequence[str] | None = None) -> Composed:
    """Return what documents make; without `variants` all variants among them are used."""
    documents = [document(text, "") for text in texts]
    heads = [each.head for each in documents if each.head is not None]
    names = [head.name.text for head in heads if head.kind == "variant"] if variants is None else variants
    report = Report()
    return Composed(compose(documents, edition, names, report), report)


def correct(*texts: str, edition: str | None = None) -> Composed:
    """Return what documents make that go together."""
    made = composed(*texts, edition=edition)
    assert made.messages == []
    return made
