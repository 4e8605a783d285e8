"""`aodrules types`: TypeScript types of what front ends are sent and send."""

from __future__ import annotations

from pathlib import Path

import click

from aodrules.cli.arguments import rules_of
from aodrules.cli.output import echo
from aodrules.exchange.typescript import typescript


@click.command()
@click.argument("word", metavar="RULES")
@click.option("-o", "--out", type=click.Path(path_type=Path, dir_okay=False), help="Write them to this file.")
def types(word: str, out: Path | None) -> None:
    """Print TypeScript types of the views, actions, decisions and events of some rules, with their ids.

    Example: aodrules types nim -o nim.ts
    """
    text = typescript(rules_of(word).json_schema())
    if out is None:
        echo(text, nl=False)
    else:
        out.write_text(text, encoding="utf-8")
