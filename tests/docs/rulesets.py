"""What the stages say about a block of YAML."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from aodrules.check.from_ruleset import check
from aodrules.compose.declarations import merge_documents
from aodrules.compose.from_documents import compose
from aodrules.compose.library import find, parse_rules_word
from aodrules.compose.sections import spread_document
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Source
from aodrules.syntax.documents import Document
from aodrules.syntax.from_source import read
from aodrules.syntax.schema_check import check_shape
from aodrules.syntax.tree import Mapping
from tests.docs.blocks import ROOT

_OTHERS = {"small_game": "tests/diagnostics/small_game.yaml", "sample": "tests/lang/sample.yaml"}


@cache
def documents_of(word: str) -> tuple[tuple[Document, ...], str | None, tuple[str, ...]]:
    """Return the documents that a word of rules stands for, the edition and the variants."""
    selection = parse_rules_word(word)
    report = Report()
    documents, edition, variants = find(_path(selection.base), selection.variants, report, read)
    assert list(report) == []
    return tuple(documents), edition, tuple(variants)


def _path(base: str) -> str:
    if base in _OTHERS:
        return str(ROOT / _OTHERS[base])
    small = [path for path in (f"tests/games/{base}.yaml", f"tests/games/{base}") if (ROOT / path).exists()]
    return str(ROOT / small[0]) if small else base


def problems_of(text: str, word: str | None = None) -> list[str]:
    """Return what is wrong with a document: as a game of its own, or together with the rules of a word."""
    report = Report()
    document = read(Source("block.yaml", text), report)
    documents, edition, variants = documents_of(word) if word is not None else ((), None, ())
    if document is not None and not report.has_errors:
        edition, variants = _in_use(document, edition, variants)
        _check([*documents, document], edition, variants, report)
    return [f"{each.code}: {each.message} ({each.line}:{each.column})" for each in report]


def _in_use(document: Document, edition: str | None, variants: Sequence[str]) -> tuple[str | None, tuple[str, ...]]:
    """Return the edition and variants with the document itself, if it is one."""
    head = document.head
    if head is None or head.kind == "module":
        return edition, tuple(variants)
    if head.kind == "edition":
        return head.name.text, tuple(variants)
    return edition, (*variants, head.name.text)


def _check(documents: Sequence[Document], edition: str | None, variants: Sequence[str], report: Report) -> None:
    ruleset = compose(documents, edition, variants, report)
    check_shape(ruleset.root, "ruleset", report)
    check(ruleset, report)


def missing_in(text: str, word: str) -> list[str]:
    """Return the addresses of an excerpt that do not stand in the rules of a word, or stand there otherwise."""
    report = Report()
    excerpt = read(Source("block.yaml", text), report)
    assert excerpt is not None, list(report)
    documents, _, _ = documents_of(word)
    if excerpt.head is not None:
        named = [each for each in documents if each.head and each.head.name.text == excerpt.head.name.text]
        return list(_missing(excerpt.root.plain(), named[0].root.plain(), ""))
    whole = _declared(each for each in documents if each.head is None)
    parts = _declared([excerpt])
    return list(_missing(parts.plain(), whole.plain(), ""))


def _declared(documents: Iterable[Document]) -> Mapping:
    report = Report()
    declared = (spread_document(each.declarations, report) for each in documents if each.declarations)
    return merge_documents(declared, report)


def _missing(part: Any, whole: Any, address: str) -> list[str]:
    if isinstance(part, dict) and isinstance(whole, dict):
        found = []
        for key, value in part.items():
            inner = f"{address}.{key}".lstrip(".")
            found += _missing(value, whole[key], inner) if key in whole else [inner]
        return found
    return [] if part == whole else [address]
