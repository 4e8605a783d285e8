"""The authoring schema of a whole game: what any of its editions declares can be completed and explained."""

from __future__ import annotations

from typing import Any

from aodrules.authoring.compositions import bases_of
from aodrules.play.authoring import authoring_schema
from aodrules.rulebook import load


def game_schema(game: str) -> dict[str, Any]:
    """Return the schema of a shipped game over all its editions.

    Raises:
        RulesError: There is no such game.
    """
    return authoring_schema(*(load(base).book for base in bases_of(game)))


def schema_line(path: str) -> str:
    """Return the first line by which editors find the schema of a document."""
    return f"# yaml-language-server: $schema={path}"
