"""What is shown when something is wrong: problems in the rules, or a bug of ours with a log ready to paste."""

from __future__ import annotations

from pathlib import Path

import click

from aodrules.source.diagnostics import Report

FORMATS = ("text", "short", "json", "sarif")
_COLOURS = {"error[": "red", "warning[": "yellow", "help:": "cyan", "note:": "blue"}


def show_report(report: Report, form: str) -> None:
    """Print problems in one of the forms."""
    # Lazy: most commands have nothing to show.
    from aodrules.source.rendering import format_json, format_lines, format_report

    if form == "json":
        click.echo(format_json(report), nl=False)
    elif form == "sarif":
        # Lazy: only reports for machines need it.
        from aodrules.authoring.sarif import format_sarif

        click.echo(format_sarif(report), nl=False)
    elif form == "short":
        click.echo(format_lines(report), nl=False)
    else:
        for line in format_report(report).splitlines():
            click.echo(_coloured(line))


def _coloured(line: str) -> str:
    """Return a line with its first word in colour; click drops the colour where it is not wanted."""
    for start, colour in _COLOURS.items():
        if line.startswith(start):
            head, sign, rest = line.partition(":")
            return click.style(head + sign, fg=colour, bold=True) + rest
    return line


def internal(bug: BaseException, arguments: list[str]) -> int:
    """Say that the bug is ours, and write a log that can be pasted into a report. Returns the exit code."""
    # Lazy: all this is for bugs only.
    import platform
    import shlex
    import tempfile
    import traceback
    from importlib.metadata import version

    text = "\n".join(
        [
            f"aodrules {version('aodrules')}, Python {platform.python_version()}, {platform.platform()}",
            f"command: aodrules {shlex.join(arguments)}",
            "",
            "".join(traceback.format_exception(bug)),
        ]
    )
    click.echo(f"aodrules: this is a mistake of ours, not of the rules: {bug}", err=True)
    with tempfile.NamedTemporaryFile("w", prefix="aodrules-", suffix=".log", delete=False, encoding="utf-8") as log:
        log.write(text)
    click.echo(f"the log, ready to paste into a report, is in {Path(log.name).as_posix()}:\n\n{text}", err=True)
    return 3
