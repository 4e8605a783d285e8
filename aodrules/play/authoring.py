"""The authoring schema of one game."""

from __future__ import annotations

from typing import Any

from aodrules.play.book import Book


def authoring_schema(book: Book) -> dict[str, Any]:
    """Return it."""
    return {}
