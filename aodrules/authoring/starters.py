"""New documents from starters: a document that works, with the author's name for it put in."""

from __future__ import annotations

import keyword
import re
from pathlib import Path

from attrs import frozen

from aodrules.compose.library import STARTERS, shipped_games
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
