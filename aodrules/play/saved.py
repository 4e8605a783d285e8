"""A saved game, as it stands in its text."""

from __future__ import annotations

from typing import Any

from attrs import define, field


@define
class Save:
    """A saved game, as it stands in its text."""

    format: str
    game: str
    """What was loaded: a name or a path."""
    edition: str | None
    variants: list[str]
    """The names of all variants in use."""
    documents: dict[str, str]
    """The texts of the documents that do not ship with the package, by path."""
    fingerprint: str
    players: list[str]
    seed: int
    actions: list[str]
    state: dict[str, Any]
    settings: dict[str, Any] = field(factory=dict)
    notes: dict[str, str] = field(factory=dict)
    """What a front end wants to find again; nothing of it has to do with the game."""
