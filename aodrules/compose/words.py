"""Words in one language put into the tree: those of an edition, a variant or a module over those of the game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from aodrules.compose.declarations import by_language, merge_documents
from aodrules.source.diagnostics import Report
from aodrules.syntax.documents import Document
from aodrules.syntax.tree import Entry, Mapping


def words_for(names: Iterable[str], documents: Sequence[Document]) -> list[Document]:
    """Return the documents with words that count together with some others, in the order of their names."""
    return [each for name in names for each in documents if each.words_for is not None and each.words_for.text == name]


def add_words(root: Mapping, names: Iterable[str], documents: Sequence[Document], report: Report) -> Mapping:
    """Return a tree with the words for some editions, variants or modules over those that are there."""
    for name in names:
        own = words_for([name], documents)
        texts = merge_documents((each.declarations for each in own if each.declarations is not None), report)
        for text in texts.mapping("text"):
            root = _with_text(root, text)
    return root


def _with_text(root: Mapping, text: Entry) -> Mapping:
    texts = root.mapping("text")
    there = texts.entries.get(text.name)
    words = text.body if there is None else Mapping.of(there.value.span, [*by_language(there).body, *text.body])
    section = root.entries.get("text")
    key = text.key if section is None else section.key
    return root.with_entry(Entry(key, texts.with_entry(Entry(text.key if there is None else there.key, words))))
