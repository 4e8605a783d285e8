"""How far a long job has come, on stderr: a bar at a terminal, a plain line for each part of it elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from attrs import define
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from aodrules.terminal.console import text_console


class Job(Protocol):
    """A job that somebody waits for."""

    def advance(self) -> None:
        """One more is done."""

    def turn_to(self, part: str, total: int | None = None) -> None:
        """Begin another part of the job; without a total nobody knows how much it is."""


@contextmanager
def job(part: str, total: int | None = None) -> Iterator[Job]:
    """Show how far a job has come while it is done."""
    console = text_console(stderr=True)
    if not console.is_terminal:
        console.print(f"{part} ...")
        yield _ProgressLines()
        return
    counts = (MofNCompleteColumn(),) if total is not None else ()
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn(), *counts)
    with Progress(*columns, TimeElapsedColumn(), console=console, transient=True) as progress:
        yield _Bar(progress, progress.add_task(part, total=total))


@define(eq=False)
class _Bar:
    """A bar that moves."""

    _progress: Progress
    _task: TaskID

    def advance(self) -> None:
        self._progress.advance(self._task)

    def turn_to(self, part: str, total: int | None = None) -> None:
        self._progress.reset(self._task, description=part, total=total)


class _ProgressLines:
    """A line for each part."""

    def advance(self) -> None:
        """Nothing is said of single steps."""

    def turn_to(self, part: str, total: int | None = None) -> None:  # noqa: ARG002 - a line does not count
        text_console(stderr=True).print(f"{part} ...")
