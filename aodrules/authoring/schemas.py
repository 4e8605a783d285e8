"""The authoring schema of a whole game: what any of its editions declares can be completed and explained."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from aodrules.arguments import RulesRequest
from aodrules.cache.keys import store_for
from aodrules.compose.library import parse_rules_word, shipped_files, shipped_games

_ADDS_KINDS = re.compile(r"^  kinds:", re.MULTILINE)
_SCHEMA = "schema"


def schema_text(game: str, making: AbstractContextManager[object] | None = None) -> str:
    """Return the schema of a shipped game as a line of JSON; it is kept in the cache, since it takes all editions.

    Args:
        game: Its name.
        making: What is entered while the schema is made, if it was not kept: that takes seconds.

    Raises:
        RulesError: There is no such game.
    """
    store = store_for(RulesRequest(game))
    kept = None if store is None else store.read(_SCHEMA)
    if isinstance(kept, str):
        return kept
    with making or nullcontext():
        text = json.dumps(game_schema(game), ensure_ascii=False) + "\n"
    if store is not None:
        store.write(_SCHEMA, text)
    return text


def game_schema(game: str) -> dict[str, Any]:
    """Return the schema of a shipped game over all its editions, and over the kinds that its variants add.

    Raises:
        RulesError: There is no such game.
    """
    # Lazy: what is kept needs none of the stages.
    from aodrules.authoring.check_files import bases_of
    from aodrules.play.authoring_schema import authoring_schema
    from aodrules.rulebook import load

    words = [*bases_of(game), *_with_kinds(game)]
    asked = [parse_rules_word(word) for word in words]
    return authoring_schema(*(load(each.base, each.variants).book for each in asked))


def _with_kinds(game: str) -> Iterator[str]:
    """Iterate over the compositions with those shipped variants that add kinds: house rules may add members to them."""
    from aodrules.authoring.check_files import rules_words

    for kind, name, path in shipped_files(game).named if game in shipped_games() else ():
        if kind == "variant" and _ADDS_KINDS.search(path.read_text(encoding="utf-8")):
            yield rules_words(name)[0]


def schema_line(path: str) -> str:
    """Return the first line by which editors find the schema of a document."""
    return f"# yaml-language-server: $schema={path}"
