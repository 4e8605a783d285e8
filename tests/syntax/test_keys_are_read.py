"""Every key that the language fixes is read by the program, and by the stage that should read it."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from tests.syntax.language_keys import language_keys

PACKAGE = Path(__file__).parent.parent.parent / "aodrules"
STAGES = ("syntax", "compose", "check")
LATER = {
    "statements.schema.json": "clauses, rulings, properties and scenarios are read by what tests rules",
    "layout.schema.json": "how things look is read by what draws them",
    "exclusions.schema.json": "what mutants are left alone is read by what counts them",
}
"""Schemas whose keys the three stages need not read, with the reason."""

BY_TOOLS = {"because": "why one would play a variant is told in rule texts"}
"""Keys that only the tools for authors read, with the reason."""

LATER_STAGES = ("testing", "play", "picture", "authoring")
LATER_KEYS = sorted({key.name for key in language_keys() if key.place.partition("#")[0] in LATER})
KEYS = sorted({key.name for key in language_keys() if key.place.partition("#")[0] not in LATER})


@cache
def words(*stages: str) -> frozenset[str]:
    """Return every text constant in some stages, docstrings left out."""
    found: set[str] = set()
    for stage in stages:
        for path in sorted((PACKAGE / stage).rglob("*.py")):
            found |= _constants(ast.parse(path.read_text(encoding="utf-8")))
    return frozenset(found)


def _constants(tree: ast.Module) -> set[str]:
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs
    }


@pytest.mark.parametrize("key", KEYS)
def test_a_key_of_the_language_is_read(key: str) -> None:
    assert key in words(*(("authoring",) if key in BY_TOOLS else STAGES))


@pytest.mark.parametrize("key", LATER_KEYS)
def test_a_key_of_what_tests_or_draws_rules_is_read(key: str) -> None:
    assert key in words(*STAGES, *LATER_STAGES)
