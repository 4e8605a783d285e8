"""What the command line prints: every text goes through here, so that none can take hold of the terminal."""

from __future__ import annotations

import click

from aodrules.source.wording import harmless


def echo(text: object = "", *, err: bool = False, nl: bool = True) -> None:
    """Print a text without signs that control a terminal. It may come from a document, a save or the name of a file."""
    click.echo(harmless(str(text)), err=err, nl=nl)


def echo_styled(text: str, rest: str, colour: str) -> None:
    """Print a line that begins in colour; click drops the colour where it is not wanted."""
    click.echo(click.style(harmless(text), fg=colour, bold=True) + harmless(rest))
