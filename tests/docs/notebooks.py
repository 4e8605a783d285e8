"""Runs a notebook as people do, cell by cell in IPython, and returns what each cell shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
from attrs import frozen
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from traitlets.config import Config


@frozen
class Shown:
    """What a cell shows: what it prints, and the value of its last line in all forms that IPython asks for."""

    source: str
    printed: str
    forms: dict[str, Any]


def cells_of(path: Path) -> list[Any]:
    """Return the cells of a notebook that is well formed."""
    notebook = nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)  # type: ignore[no-untyped-call]
    nbformat.validate(notebook)
    return list(notebook.cells)


def run_notebook(path: Path) -> list[Shown]:
    """Run all cells of code; what fails is an AssertionError."""
    InteractiveShell.clear_instance()
    ipython = InteractiveShell.instance(config=Config({"HistoryManager": {"enabled": False}}))
    try:
        return [_run(ipython, cell.source) for cell in cells_of(path) if cell.cell_type == "code"]
    finally:
        InteractiveShell.clear_instance()


def _run(ipython: InteractiveShell, source: str) -> Shown:
    with capture_output() as printed:
        done = ipython.run_cell(source)  # type: ignore[no-untyped-call]
    assert done.success, f"{source}\n{done.error_before_exec or done.error_in_exec!r}"
    assert ipython.display_formatter is not None
    forms = {}
    if done.result is not None:
        forms, _ = ipython.display_formatter.format(done.result)  # type: ignore[no-untyped-call]
    return Shown(source, printed.stdout, forms)
