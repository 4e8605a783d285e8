"""There is an example of every building, every nation and every variant: counted from the data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from aodrules.source.shipped import shipped
from aodrules.syntax.tree import Mapping, Node, Scalar, walk, words
from aodrules.testing import Suite, read_suite
from aodrules.testing.statements import Statement
from tests.content.compositions import EDITIONS, heads, rules_of

WHOLE = {
    "aoe3-pl": (),
    "aoe3-ru": (),
    "empires": ("builders", "national-advantages"),
}
"""Each edition with the modules that bring members of their own."""
KINDS = ("building", "nation")
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _suite(edition: str) -> Suite:
    return read_suite(rules_of(edition, WHOLE[edition]))


def _members(suite: Suite) -> Iterator[tuple[str, frozenset[str]]]:
    """Iterate over the members that bring rules of their own, each with the clauses that it cites."""
    for kind in KINDS:
        section = suite.book.ruleset.root.get(kind)
        for entry in section if isinstance(section, Mapping) else ():
            yield entry.name, frozenset(_cited(entry.value))


def _cited(node: Node) -> Iterator[str]:
    for each in walk(node):
        if isinstance(each, Mapping):
            yield from words(each.get("clauses"))


def _mentioned(statement: Statement) -> set[str]:
    """Return all words of an example."""
    texts = [each.text for each in walk(statement.body) if isinstance(each, Scalar)]
    keys = [entry.name for each in walk(statement.body) if isinstance(each, Mapping) for entry in each]
    return {word for text in (*texts, *keys) for word in text.replace(".", " ").split()}


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_building_and_nation_has_an_example_of_one_of_its_clauses(edition: str) -> None:
    suite = _suite(edition)
    examples = [(_mentioned(each.statement), set(each.clauses)) for each in suite.scenarios]
    missing = [
        name
        for name, clauses in _members(suite)
        if not any(name in mentioned and clauses & cited for mentioned, cited in examples)
    ]
    assert missing == []


def test_there_is_something_to_count() -> None:
    counts = {edition: len(dict(_members(_suite(edition)))) for edition in EDITIONS}
    assert all(count > 30 for count in counts.values())


def _asked(scenario: dict[str, Any]) -> set[str]:
    """Return the variants that an example asks for."""
    return {*scenario.get("rules", {}).get("variants", ()), *scenario.get("with", ())}


def test_every_variant_and_other_reading_has_an_example() -> None:
    folders = (shipped("content") / "aod" / "scenarios", shipped("variants") / "aod")
    paths = [path for folder in folders for path in folder.rglob("*.yaml")]
    shown: set[str] = set()
    for document in (yaml.load(path.read_text(encoding="utf-8"), LOADER) for path in paths):
        examples = document.get("scenario", {})
        shown |= {name for each in examples.values() for name in _asked(each)}
        shown |= {document["variant"]} if examples and "variant" in document else set()
    assert [head.name for head in heads() if head.name not in shown] == []
