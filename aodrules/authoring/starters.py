"""What an author begins with: a document that works, with their name for it put in, and the schema of a whole game.

By the schema an editor completes and explains what any edition of the game declares.
"""

from __future__ import annotations

import json
import keyword
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from attrs import frozen

from aodrules.arguments import RulesRequest
from aodrules.cache.keys import store_for
from aodrules.compose.library import STARTERS, parse_rules_word, shipped_files, shipped_games
from aodrules.source.shipped import shipped
from aodrules.source.wording import did_you_mean

USUAL = "number"
"""The starter that is used if none is asked for."""
_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_PLACEHOLDERS = ("my-rule", "my_rule", "My rule")


class StarterError(ValueError):
    """A starter that does not exist, or a name that cannot be one."""


@frozen
class Starter:
    """A document to begin with."""

    name: str
    game: str
    about: str
    """What it is for, from its first line."""
    text: str

    def named(self, name: str) -> str:
        """Return the document under another name; ids and titles in it follow.

        Raises:
            StarterError: It is no name for a document.
        """
        if not _NAME.fullmatch(name) or keyword.iskeyword(name):
            raise StarterError(f"`{name}` is not a name: use small letters, digits and hyphens, such as `long-night`")
        words = name.replace("-", " ")
        forms = (name, name.replace("-", "_"), words[0].upper() + words[1:])
        return re.sub("|".join(_PLACEHOLDERS), lambda found: forms[_PLACEHOLDERS.index(found[0])], self.text)


def games_with_starters() -> list[str]:
    """Return the shipped games that have starters."""
    return [game for game in shipped_games() if (shipped("content") / game / STARTERS).is_dir()]


def starters(game: str) -> dict[str, Starter]:
    """Return the starters of a shipped game by name."""
    paths = sorted((shipped("content") / game / STARTERS).glob("*.yaml"))
    return {path.stem: _starter(path, game) for path in paths}


def _starter(path: Path, game: str) -> Starter:
    text = path.read_text(encoding="utf-8")
    first, _, rest = text.partition("\n")
    about = first.removeprefix("#").strip()
    return Starter(path.stem, game, about.partition(": ")[2] or about, rest)


def starter(game: str, name: str) -> Starter:
    """Return a starter of a game.

    Raises:
        StarterError: There is no such starter.
    """
    known = starters(game)
    if name not in known:
        more = did_you_mean(name, known) or f"there are {', '.join(known)}"
        raise StarterError(f"there is no starter `{name}`; {more}")
    return known[name]


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
