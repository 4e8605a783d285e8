"""`aodrules clauses`: the two-way map between rules text and rules data."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from aodrules.cli.arguments import rules_of
from aodrules.cli.output import echo
from aodrules.testing.clause_map import clause_map
from aodrules.testing.clause_pages import format_map, to_html
from aodrules.testing.suites import read_suite


@click.command()
@click.argument("word", metavar="RULES")
@click.argument("paths", metavar="[PATHS]...", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--games", type=click.IntRange(min=0), default=0, show_default=True, help="Play this many random games, and count."
)
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), help="Also write a page to this file.")
@click.option("--verbose", "-v", is_flag=True, help="Show every clause with its nodes and tests.")
def clauses(word: str, paths: tuple[Path, ...], games: int, html: Path | None, verbose: bool) -> int:
    """Map each clause of the rulebook to the nodes that model it and to the scenarios and properties that test it.

    Gaps both ways are errors: a rule that nothing models or tests, a prohibition without a property, a ruling that no
    scenario shows and that does not say why, a citation of a clause that does not exist or is of other editions.

    Example: aodrules clauses nim --games 10
    """
    suite = read_suite(rules_of(word), paths)
    suite.check()
    with click.progressbar(length=games, label="playing", file=sys.stderr) as bar:
        found = clause_map(suite, games, lambda: bar.update(1))
    if html is not None:
        html.write_text(to_html(found), encoding="utf-8")
    echo(format_map(found, verbose=verbose), nl=False)
    return 1 if found.gaps else 0
