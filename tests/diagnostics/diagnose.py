"""What the golden cases run: every stage there is, on all documents of a case."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from aodrules.source.diagnostics import Report
from aodrules.source.files import read_file
from aodrules.syntax.from_source import read


def diagnose(paths: Sequence[Path]) -> Report:
    """Return what the stages have to say about some documents."""
    report = Report()
    for path in paths:
        source = read_file(path, report)
        if source is not None:
            read(source, report)
    return report
