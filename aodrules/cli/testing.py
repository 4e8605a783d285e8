"""`aodrules test`: run the scenarios of some rules and test their properties in many games."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import click

from aodrules.authoring.compositions import head_at, words_of
from aodrules.cli.output import echo
from aodrules.cli.words import rules_of, selection_of
from aodrules.compose.library import parse_rules_word
from aodrules.testing.accountability import with_blame
from aodrules.testing.reports import format_results, to_json, to_junit
from aodrules.testing.suites import GAMES, Results, read_suite, run_suite
from aodrules.testing.vocabulary import format_vocabulary


@click.command()
@click.argument("word", metavar="RULES")
@click.argument("paths", metavar="[PATHS]...", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--properties", is_flag=True, help="Also test the properties, in random games.")
@click.option("--games", type=click.IntRange(min=1), help=f"How many games; {GAMES} if not given.")
@click.option("--seed", type=int, default=0, show_default=True, help="The seed of all games.")
@click.option("--both-engines", is_flag=True, help="Run scenarios on generated code as well as on the interpreter.")
@click.option("--junit", type=click.Path(path_type=Path, dir_okay=False), help="Also write JUnit XML to this file.")
@click.option("--save", type=click.Path(path_type=Path, file_okay=False), help="Write the games found to this folder.")
@click.option("--names", is_flag=True, help="Only list the steps, fields and actions that scenarios may name.")
@click.option("--verbose", "-v", is_flag=True, help="Name everything that passed or was left out, too.")
@click.option(
    "--format", "form", type=click.Choice(("text", "json")), default="text", show_default=True, help="A text or data."
)
def test(
    word: str,
    paths: tuple[Path, ...],
    properties: bool,
    games: int | None,
    seed: int,
    both_engines: bool,
    names: bool,
    **output: Any,
) -> int:
    """Run the scenarios of RULES, and of the YAML files and folders PATHS; with --properties, play games too.

    A property that breaks is shown with a short game that breaks it. Where a variant is the cause and does not say
    that it overrides the clause, its line is named.

    Example: aodrules test nim --properties --games 10
    """
    if names:
        echo(format_vocabulary(rules_of(word).book))
        return 0
    _check_paths(word, paths)
    many = (games or GAMES) if properties or games else 0
    results = with_blame(_run(word, paths, games=many, seed=seed, both_engines=both_engines))
    _show(results, **output)
    _tell_editions(word)
    return 0 if results.is_fine else 1


def _check_paths(word: str, paths: tuple[Path, ...]) -> None:
    """Refuse files that look like scenarios only at a glance: variants that the rules are not played with."""
    asked = selection_of(word)
    for path in paths:
        head = head_at(path)
        is_variant = head is not None and head.kind == "variant"
        if is_variant and path.resolve() not in [Path(each).resolve() for each in asked.variants]:
            said = f"`{path.as_posix()}` is a variant that `{word}` is not played with"
            raise click.UsageError(f"{said}; test it by itself, or both together: `{word}+{path.as_posix()}`")


def _tell_editions(word: str) -> None:
    """Say which editions a variant alone was not tested with."""
    first, *others = words_of(word)
    if others:
        more = " and ".join(f"`aodrules test {each}`" for each in others)
        echo(f"played with {parse_rules_word(first).base}; for others that it is made for: {more}", err=True)


def _show(results: Results, *, junit: Path | None, save: Path | None, verbose: bool, form: str) -> None:
    if junit is not None:
        junit.write_text(to_junit(results), encoding="utf-8")
    if save is not None:
        _save(results, save)
    echo(to_json(results) if form == "json" else format_results(results, verbose=verbose), nl=False)


def _run(word: str, paths: tuple[Path, ...], *, games: int, **how: Any) -> Results:
    suite = read_suite(rules_of(word), paths)
    steps = len(suite.scenarios) + (games if suite.properties else 0)
    with click.progressbar(length=steps, label="testing", file=sys.stderr) as bar:
        return run_suite(suite, games=games, progress=lambda: bar.update(1), **how)


def _save(results: Results, folder: Path) -> None:
    """Write each game that breaks a law to a file of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    for each in results.wrong:
        if each.finding is not None:
            # An id may be any text: it must not lead out of the folder.
            name = re.sub(r"[^\w-]+", "-", each.id)[:100]
            (folder / f"{name}.record").write_text(each.finding.record, encoding="utf-8")
            if each.finding.scenario is not None:
                (folder / f"{name}.yaml").write_text(each.finding.scenario, encoding="utf-8")
