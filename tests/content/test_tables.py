"""Plain tables are what they were: nothing but this digest guards most of their numbers."""

from __future__ import annotations

import os

import pytest
import yaml
from attrs import evolve

from aodrules.lang.expressions import Const
from aodrules.testing.mutants import mutants_of
from tests.content.tables import DIGEST, OTHERS, WHOLE, checked_rules, digest, lines_of, write

REWRITE = os.environ.get("AODRULES_REWRITE") == "1"


def test_the_tables_are_those_of_the_digest() -> None:
    if REWRITE:
        write()
    kept = yaml.safe_load(DIGEST.read_text(encoding="utf-8"))
    assert list(kept) == [WHOLE, *OTHERS]
    for word, lines in digest().items():
        assert lines == kept[word], f"{word}: see `tests/content/tables.py` for how the digest is made anew"


@pytest.mark.parametrize("name", ["building.points", "discovery.plunder", "good.copies", "worker.each_player"])
def test_a_number_that_changes_is_seen(name: str) -> None:
    checked = checked_rules(WHOLE)
    attribute = checked.attributes[name]
    first = attribute.values[0]
    assert isinstance(first, Const)
    assert isinstance(first.value, int)
    values = (evolve(first, value=first.value + 1), *attribute.values[1:])
    changed = checked.with_parts(attributes={**checked.attributes, name: evolve(attribute, values=values)})
    assert dict(lines_of(changed)) != dict(lines_of(checked))


def test_texts_and_tables_are_no_mutants() -> None:
    found = mutants_of(checked_rules(WHOLE))
    assert not [one.id for one in found if "words" in one.span.path]
    assert not {one.address.split(".")[0] for one in found} & {"text", "state", "graph", "sets", "good", "discovery"}
