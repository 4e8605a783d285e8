"""`aodrules test`, `clauses` and `mutate`: the tests of some rules, what they are about, and what they notice."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

import click

from aodrules.authoring.check_files import head_at, rules_words
from aodrules.cli.arguments import format_option, rules_of, selection_of
from aodrules.cli.output import echo
from aodrules.compose.library import parse_rules_word
from aodrules.testing import mutation
from aodrules.testing.accountability import with_blame
from aodrules.testing.clause_map import clause_map, format_map
from aodrules.testing.clause_page import clause_page
from aodrules.testing.reports import format_results, to_json, to_junit
from aodrules.testing.scenarios import format_vocabulary
from aodrules.testing.selecting import Wanted, by_words, standing_in
from aodrules.testing.suites import GAMES, Results, read_suite, run_suite

_word = click.argument("word", metavar="RULES")
_paths = click.argument("paths", metavar="[PATHS]...", nargs=-1, type=click.Path(exists=True, path_type=Path))


@click.command()
@_word
@_paths
@click.option("-k", "expression", metavar="EXPRESSION", help="Only what these words are found in; see below.")
@click.option("--only", type=click.Choice(["mine"]), help="Only what stands in the variants named, and in PATHS.")
@click.option("--properties", is_flag=True, help="Also test the properties, in random games.")
@click.option("--games", type=click.IntRange(min=1), help=f"How many games; {GAMES} if not given.")
@click.option("--seed", type=int, default=0, show_default=True, help="The seed of all games.")
@click.option("--both-engines", is_flag=True, help="Run scenarios on generated code as well as on the interpreter.")
@click.option("--junit", type=click.Path(path_type=Path, dir_okay=False), help="Also write JUnit XML to this file.")
@click.option("--save", type=click.Path(path_type=Path, file_okay=False), help="Write the games found to this folder.")
@click.option("--names", is_flag=True, help="Only list the steps, fields and actions that scenarios may name.")
@click.option("--verbose", "-v", is_flag=True, help="Name everything that passed or was left out, too.")
@format_option
def test(
    word: str,
    paths: tuple[Path, ...],
    *,
    properties: bool,
    games: int | None,
    names: bool,
    expression: str | None,
    only: str | None,
    **how: Any,
) -> int:
    """Run the scenarios of RULES, and of the YAML files and folders PATHS; with --properties, play games too.

    A property that breaks is shown with a short game that breaks it. Where a variant is the cause and does not say
    that it overrides the clause, its line is named. A scenario of the game that a variant keeps from being played as
    it is written (another question is asked, a step or an option is not there) is interrupted: it is listed, blames
    nobody and is no failure.

    The words of -k are looked for in names, files and clauses; `and`, `or`, `not` and parentheses join them.

    Example: aodrules test nim --properties --games 10
    """
    if names:
        echo(format_vocabulary(rules_of(word).book))
        return 0
    _check_paths(word, paths)
    wanted = _wanted(word, paths, expression, is_mine=only is not None)
    many = (games or GAMES) if properties or games else 0
    run = {name: how.pop(name) for name in ("seed", "both_engines")}
    results = with_blame(_run(word, paths, wanted, games=many, **run))
    _show(results, **how)
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
    first, *others = rules_words(word)
    if others:
        more = " and ".join(f"`aodrules test {each}`" for each in others)
        echo(f"played with {parse_rules_word(first).base}; for others that it is made for: {more}", err=True)


def _show(results: Results, *, junit: Path | None, save: Path | None, verbose: bool, form: str) -> None:
    if junit is not None:
        junit.write_text(to_junit(results), encoding="utf-8")
    if save is not None:
        _save(results, save)
    echo(to_json(results) if form == "json" else format_results(results, verbose=verbose), nl=False)


def _wanted(word: str, paths: tuple[Path, ...], expression: str | None, *, is_mine: bool) -> Wanted:
    """Return what tells whether a scenario or property is asked for."""
    tests: list[Wanted] = []
    if expression is not None:
        try:
            tests.append(by_words(expression))
        except ValueError as wrong:
            raise click.UsageError(f"-k {expression!r}: {wrong}") from None
    if is_mine:
        places = [*_named_variants(word), *paths]
        if not places:
            raise click.UsageError(f"`{word}` names no variant, so nothing is yours; name one, or give PATHS")
        tests.append(standing_in(places))
    return lambda statement: all(test(statement) for test in tests)


def _named_variants(word: str) -> list[Path]:
    """Return the files of the variants that a word names itself, not of those that they require."""
    asked = parse_rules_word(word)
    named = {each for name in (asked.base, *asked.variants) for each in (name, Path(name).stem)}
    heads = [(document.head, document) for document in rules_of(word).book.ruleset.documents]
    return [
        Path(document.source.path)
        for head, document in heads
        if head is not None and head.kind == "variant" and head.name.text in named
    ]


def _run(word: str, paths: tuple[Path, ...], wanted: Wanted, *, games: int, **how: Any) -> Results:
    suite = read_suite(rules_of(word), paths, wanted=wanted)
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


@click.command()
@_word
@_paths
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
        html.write_text(clause_page(found), encoding="utf-8")
    echo(format_map(found, verbose=verbose), nl=False)
    return 1 if found.gaps else 0


@click.command()
@_word
@_paths
@click.option(
    "--sample", type=click.IntRange(min=1), help="Try only this many, drawn from each document in proportion."
)
@click.option("--seed", type=int, default=0, show_default=True, help="The seed of the draw.")
@click.option(
    "--games",
    type=click.IntRange(min=0),
    default=mutation.GAMES,
    show_default=True,
    help="How many games test each property.",
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
@format_option
def mutate(word: str, paths: tuple[Path, ...], state: Path | None, exclusions: Path | None, **more: Any) -> int:
    """Change one number, condition, comparison, verb, name or step at a time and count what the tests notice.

    Scenarios and properties tied to the clauses of the changed place are tried first. Survivors are listed.

    Example: aodrules mutate nim --sample 10
    """
    form, at_least = more.pop("form"), more.pop("at_least")
    more["jobs"] = more["jobs"] or os.cpu_count() or 1
    asked = mutation.MutationRequest(word, tuple(path.as_posix() for path in paths), **more)
    reasons = mutation.read_exclusions(exclusions) if exclusions else {}
    bar: Any = click.progressbar(length=0, label="trying", file=sys.stderr)

    def begun(many: int) -> None:
        bar.length = many

    with bar:
        found = mutation.mutate(asked, state=state, reasons=reasons, begun=begun, progress=lambda: bar.update(1))
    echo(mutation.mutation_json(found) if form == "json" else mutation.format_mutation(found), nl=False)
    return 0 if found.score.share * 100 >= at_least and not found.wrongly_excluded else 1
