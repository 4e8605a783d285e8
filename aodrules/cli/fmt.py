"""`aodrules fmt`: documents in the house form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import unified_diff
from pathlib import Path

import click

from aodrules.authoring.formatting import format_document
from aodrules.cli.output import echo, show_report
from aodrules.source.diagnostics import Report
from aodrules.source.disk import is_folder, shown_path, yaml_files
from aodrules.source.files import read_file
from aodrules.source.wording import count


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--check", "only_check", is_flag=True, help="Write nothing; exit with 1 if a file would change.")
@click.option("--diff", "show_diff", is_flag=True, help="Write nothing; show what would change.")
def fmt(paths: tuple[Path, ...], only_check: bool, show_diff: bool) -> int:
    """Lay out documents in the house form: comments, order and meaning stay.

    What has a short form is written in it. PATH is a file, or a folder with all YAML files under it. A file that cannot
    be read is left as it is.

    Example: aodrules fmt --check .
    """
    report, changed, looked_at = Report(), 0, 0
    for path in _files(paths):
        looked_at += 1
        found = Report()
        source = read_file(path, found)
        text = None if source is None else format_document(source, found)
        for problem in found:
            report.add(problem)
        if source is None or text is None or text.encode("utf-8") == path.read_bytes():
            continue
        changed += 1
        if show_diff:
            shown = shown_path(path)
            echo("".join(unified_diff(_lines(source.text), _lines(text), shown, f"{shown} (house form)")), nl=False)
        elif only_check:
            echo(f"would change: {shown_path(path)}")
        else:
            path.write_bytes(text.encode("utf-8"))
            echo(f"changed: {shown_path(path)}")
    show_report(report, "text")
    verb = "would change" if only_check or show_diff else "changed"
    echo(f"{verb} {changed} of {count(looked_at, 'file')}")
    return 1 if len(report) or (changed and (only_check or show_diff)) else 0


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        yield from yaml_files(path) if is_folder(path) else [path]


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)
