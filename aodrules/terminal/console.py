"""Where people read: a console that prints texts as they are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from aodrules.source.wording import harmless, has_controls


class _TextConsole(Console):
    """A console on which no text can take hold of the terminal: only styles do, and they are ours."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Iterate over what is printed, with signs that control a terminal replaced."""
        for segment in super().render(renderable, options):
            is_text = segment.control is None and has_controls(segment.text)
            yield Segment(harmless(segment.text), segment.style) if is_text else segment


def text_console(**settings: Any) -> Console:
    """Return a console that takes no text for markup, emoji codes or something to highlight.

    Names and texts come from documents of anybody: `[/b]` in one is what its author wrote, and no style of ours.
    """
    return _TextConsole(markup=False, emoji=False, highlight=False, **settings)
