"""What the command line prints: texts that cannot take hold of the terminal, problems, and a bug of ours."""

from __future__ import annotations

from pathlib import Path

import click

from aodrules.source.diagnostics import Report
from aodrules.source.wording import harmless


def echo(text: object = "", *, err: bool = False, nl: bool = True) -> None:
    """Print a text without signs that control a terminal. It may come from a document, a save or the name of a file."""
    click.echo(harmless(str(text)), err=err, nl=nl)


def echo_styled(text: str, rest: str, colour: str) -> None:
    """Print a line that begins in colour; click drops the colour where it is not wanted."""
    click.echo(click.style(harmless(text), fg=colour, bold=True) + harmless(rest))


FORMATS = ("text", "short", "json", "sarif")
_COLOURS = {"error[": "red", "warning[": "yellow", "help:": "cyan", "note:": "blue"}


def show_report(report: Report, form: str) -> None:
    """Print problems in one of the forms."""
    # Lazy: most commands have nothing to show.
    from aodrules.source.rendering import format_json, format_lines, format_report

    if form == "json":
        echo(format_json(report), nl=False)
    elif form == "sarif":
        # Lazy: only reports for machines need it.
        from aodrules.authoring.sarif import format_sarif

        echo(format_sarif(report), nl=False)
    elif form == "short":
        echo(format_lines(report), nl=False)
    else:
        for line in format_report(report).splitlines():
            _show_line(line)


def _show_line(line: str) -> None:
    """Print a line, with its first word in colour where it has one."""
    for start, colour in _COLOURS.items():
        if line.startswith(start):
            head, sign, rest = line.partition(":")
            echo_styled(head + sign, rest, colour)
            return
    echo(line)


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
    echo(f"aodrules: this is a mistake of ours, not of the rules: {bug}", err=True)
    with tempfile.NamedTemporaryFile("w", prefix="aodrules-", suffix=".log", delete=False, encoding="utf-8") as log:
        log.write(text)
    echo(f"the log, ready to paste into a report, is in {Path(log.name).as_posix()}:\n\n{text}", err=True)
    return 3
