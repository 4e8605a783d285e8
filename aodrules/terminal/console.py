"""Where people read: a console that prints texts as they are, and how far a long job has come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from attrs import define
from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn
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


@define(eq=False)
class Job:
    """A job that somebody waits for; without a bar only its parts are told, each on a line."""

    _console: Console
    _bar: tuple[Progress, TaskID] | None = None

    def advance(self) -> None:
        """One more is done."""
        if self._bar is not None:
            progress, task = self._bar
            progress.advance(task)

    def turn_to(self, part: str, total: int | None = None) -> None:
        """Begin another part of the job; without a total nobody knows how much it is."""
        if self._bar is None:
            self._console.print(f"{part} ...")
        else:
            progress, task = self._bar
            progress.reset(task, description=part, total=total)


@contextmanager
def job(part: str, total: int | None = None) -> Iterator[Job]:
    """Show on stderr how far a job has come while it is done: by a bar at a terminal, by plain lines elsewhere."""
    console = text_console(stderr=True)
    if not console.is_terminal:
        lines = Job(console)
        lines.turn_to(part)
        yield lines
        return
    counts = (MofNCompleteColumn(),) if total is not None else ()
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn(), *counts)
    with Progress(*columns, TimeElapsedColumn(), console=console, transient=True) as progress:
        yield Job(console, (progress, progress.add_task(part, total=total)))
