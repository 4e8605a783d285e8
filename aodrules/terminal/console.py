"""Where people read: a console that prints texts as they are."""

from __future__ import annotations

from typing import Any

from rich.console import Console


def text_console(**settings: Any) -> Console:
    """Return a console that takes no text for markup, emoji codes or something to highlight.

    Names and texts come from documents of anybody: `[/b]` in one is what its author wrote, and no style of ours.
    """
    return Console(markup=False, emoji=False, highlight=False, **settings)
