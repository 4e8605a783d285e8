"""Wrong copies of the rules of a game, each with the properties that must notice."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from attrs import frozen

import aodrules
from aodrules.testing import read_suite
from aodrules.testing.playing import TEMPERS, Line, play

_KILLS = Path(__file__).with_name("property_kills.yaml")
_GAMES = 60


@frozen
class WrongCopy:
    """Rules with edits that are wrong, and the properties which break by them."""

    rules: str
    edits: dict[str, Any]
    breaks: tuple[str, ...]
    game: str = "aod"

    def document(self) -> str:
        """Return the edits as a variant."""
        variants = self.rules.split("+")[1:]
        head = {"variant": "wrong-copy", "game": self.game, "house": True, **({"after": variants} if variants else {})}
        return yaml.safe_dump({**head, **self.edits}, sort_keys=False)

    def unnoticed(self, folder: Path) -> set[str]:
        """Return the properties that should break and do not in a number of games."""
        path = folder / "wrong-copy.yaml"
        path.write_text(self.document(), encoding="utf-8")
        base, *variants = self.rules.split("+")
        rules = aodrules.load(base, [*variants, path], cache=False)
        waiting = [law for law in read_suite(rules).properties if law.id in self.breaks]
        missing = set(self.breaks) - {law.id for law in waiting}
        for line in _lines(rules):
            while waiting and (broken := {each.law.id for each in play(rules.book, line, waiting).breaches}):
                waiting = [law for law in waiting if law.id not in broken]
        return missing | {law.id for law in waiting}


def _lines(rules: aodrules.Rules) -> Iterator[Line]:
    """Iterate over games, those of many players first: more happens in them."""
    low, high = rules.players
    for seed in range(_GAMES):
        yield Line(high - seed % (high - low + 1), seed, TEMPERS[seed % len(TEMPERS)])


@cache
def wrong_copies(path: Path = _KILLS, game: str = "aod") -> tuple[WrongCopy, ...]:
    """Return all wrong copies that a file lists."""
    listed: list[dict[str, Any]] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return tuple(
        WrongCopy(each["rules"], _merged(each["edits"], each.get("helped", {})), tuple(each["breaks"]), game)
        for each in listed
    )


def _merged(edits: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    merged = dict(edits)
    for key, added in more.items():
        if isinstance(added, list):
            merged[key] = [*merged.get(key, []), *added]
        else:
            merged[key] = {**added, **merged.get(key, {})}
    return merged
