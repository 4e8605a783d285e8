"""`aodrules mutate`: change the rules one place at a time and see whether their tests notice."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

from aodrules.cli.output import echo
from aodrules.testing.mutation import GAMES, Mutation, MutationRequest, format_mutation, mutation_json, read_exclusions
from aodrules.testing.mutation import mutate as tried


@click.command()
@click.argument("word", metavar="RULES")
@click.argument("paths", metavar="[PATHS]...", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--sample", type=click.IntRange(min=1), help="Try only this many, drawn from each document in proportion."
)
@click.option("--seed", type=int, default=0, show_default=True, help="The seed of the draw.")
@click.option(
    "--games", type=click.IntRange(min=0), default=GAMES, show_default=True, help="How many games test each property."
)
@click.option("--jobs", type=click.IntRange(min=1), help="How many processes; all cores if not given.")
@click.option(
    "--state", type=click.Path(path_type=Path, dir_okay=False), help="Keep verdicts in this file, and go on from it."
)
@click.option(
    "--exclusions",
    type=click.Path(exists=True, path_type=Path),
    help="A file that says which mutants do not count, and why.",
)
@click.option(
    "--at-least", type=click.FloatRange(0, 100), default=0, help="Fail if fewer percent than this are noticed."
)
@click.option(
    "--format", "form", type=click.Choice(("text", "json")), default="text", show_default=True, help="A text or data."
)
def mutate(word: str, paths: tuple[Path, ...], state: Path | None, exclusions: Path | None, **more: Any) -> int:
    """Change one number, condition, comparison, verb, name or step at a time and count what the tests notice.

    Scenarios and properties tied to the clauses of the changed place are tried first. Survivors are listed.

    Example: aodrules mutate nim --sample 10
    """
    form, at_least = more.pop("form"), more.pop("at_least")
    more["jobs"] = more["jobs"] or os.cpu_count() or 1
    plan = MutationRequest(word, tuple(path.as_posix() for path in paths), **more)
    found = _run(plan, state, read_exclusions(exclusions) if exclusions else {})
    echo(mutation_json(found) if form == "json" else format_mutation(found), nl=False)
    return 0 if found.score.share * 100 >= at_least and not found.wrongly_excluded else 1


def _run(plan: MutationRequest, state: Path | None, reasons: dict[str, str]) -> Mutation:
    bar: Any = click.progressbar(length=0, label="trying", file=sys.stderr)
    with bar:

        def begun(many: int) -> None:
            bar.length = many

        return tried(plan, state=state, reasons=reasons, begun=begun, progress=lambda: bar.update(1))
