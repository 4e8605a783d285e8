"""What stands on the cover of a ruleset: the few facts that are asked for before anything is played."""

from __future__ import annotations

from typing import NamedTuple


class RulesSummary(NamedTuple):
    """The facts on the cover. They are plain, so that reading them from the cache takes next to nothing."""

    name: str
    edition: str | None
    variants: tuple[str, ...]
    fingerprint: str
    players: tuple[int, int]
    seats: tuple[str, ...]
