"""The authoring schema of a whole game: what any of its editions declares can be completed and explained."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from aodrules.authoring.compositions import bases_of, words_of
from aodrules.compose.library import parse_rules_word, shipped_games, shipped_shelf
from aodrules.play.authoring import authoring_schema
from aodrules.rulebook import load

_ADDS_KINDS = re.compile(r"^  kinds:", re.MULTILINE)


def game_schema(game: str) -> dict[str, Any]:
    """Return the schema of a shipped game over all its editions, and over the kinds that its variants add.

    Raises:
        RulesError: There is no such game.
    """
    words = [*bases_of(game), *_with_kinds(game)]
    asked = [parse_rules_word(word) for word in words]
    return authoring_schema(*(load(each.base, each.variants).book for each in asked), own_verbs=True)


def _with_kinds(game: str) -> Iterator[str]:
    """Iterate over the compositions with those shipped variants that add kinds: house rules may add members to them."""
    for kind, _, path in shipped_shelf(game).named if game in shipped_games() else ():
        if kind == "variant" and _ADDS_KINDS.search(path.read_text(encoding="utf-8")):
            yield words_of(str(path))[0]


def schema_line(path: str) -> str:
    """Return the first line by which editors find the schema of a document."""
    return f"# yaml-language-server: $schema={path}"
