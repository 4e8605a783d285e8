"""`aodrules check`: every problem of some rules, and random games on both engines."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click

from aodrules.cli.failures import FORMATS, show_report
from aodrules.cli.tables import print_scores
from aodrules.cli.words import rules_of
from aodrules.errors import RulesError
from aodrules.game import Game
from aodrules.play.comparison import Course, compare
from aodrules.rulebook import Rules
from aodrules.source.diagnostics import Report
from aodrules.source.wording import count
from aodrules.testing.statements import statements_of
from aodrules.testing.suites import check_statements


@click.command()
@click.argument("words", metavar="RULES...", nargs=-1, required=True)
@click.option(
    "--play", "games", type=click.IntRange(min=0), default=0, help="Play so many random games on both engines."
)
@click.option("--players", type=click.IntRange(min=1), help="How many play; if not given, every number in turn.")
@click.option("--seed", type=int, default=0, show_default=True, help="The seed of the first game.")
@click.option(
    "--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="How problems look."
)
def check(words: tuple[str, ...], games: int, players: int | None, seed: int, form: str) -> int:
    """Find every mistake in the rules; with --play, also play them.

    Example: aodrules check tests/games/harbour+dear-timber --play 10
    """
    whole = Report()
    fine: list[tuple[str, Rules]] = []
    for word in words:
        rules, found = _checked(word)
        if rules is not None:
            fine.append((word, rules))
        for diagnostic in found:
            whole.add(diagnostic)
    show_report(whole, form)
    for word, rules in fine:
        if form == "text":
            click.echo(_summary(word, rules))
        if games:
            _play(word, rules, games, players, seed, form)
    return 1 if whole.has_errors else 0


def _checked(word: str) -> tuple[Rules | None, Report]:
    """Return the rules, if they and their scenarios and properties are without errors, and what was found."""
    try:
        rules = rules_of(word)
    except RulesError as wrong:
        return None, wrong.report
    found = Report(list(rules.warnings))
    check_statements(rules.book, found)
    return None if found.has_errors else rules, found


def _summary(word: str, rules: Rules) -> str:
    low, high = rules.players
    many = count(low, "player") if low == high else f"{low} to {high} players"
    decisions = count(len(rules.book.checked.decisions), "decision")
    lines = [f"{word}: no errors; {many}, {decisions}, fingerprint {rules.fingerprint}"]
    lines += [
        f"  left out: {each.statement.sort} {each.statement.id}, because {each.why}"
        for each in statements_of(rules.book.ruleset).left_out
        if each.is_overridden
    ]
    return "\n".join(lines)


def _play(word: str, rules: Rules, games: int, players: int | None, seed: int, form: str) -> None:
    courses = list(_courses(rules, games, players, seed))
    if form != "text":
        return
    decisions = sum(len(course.answers) for course in courses)
    click.echo(f"{word}: {count(games, 'random game')} played on both engines, {decisions:,} decisions, no difference")
    for sort, where in sorted({odd for course in courses for odd in course.odd}):
        click.echo(f"  worth a look: {_ODD[sort]} at {where}")
    last = courses[-1]
    game = _replayed(rules, last)
    click.echo()
    print_scores(game, f"{rules.name}, seed {last.seed}", rules.book.words)


_ODD = {
    "cut": "something did not fit and was cut",
    "bound": "a loop reached its bound",
    "stuck": "nothing was possible",
}


def _courses(rules: Rules, games: int, players: int | None, seed: int) -> Iterator[Course]:
    """Play the games, with a bar where somebody is looking."""
    low, high = rules.players
    if players is not None and not low <= players <= high:
        raise click.UsageError(f"{players} cannot play `{rules.name}`: it is for {low} to {high}")
    bar = click.progressbar(range(games), label="playing", file=sys.stderr)
    with bar as numbers:
        for number in numbers:
            many = low + number % (high - low + 1) if players is None else players
            yield compare(rules.book, many, seed + number)


def _replayed(rules: Rules, course: Course) -> Game:
    game = rules.new_game(players=course.players, seed=course.seed, undo=False)
    for answer in course.answers:
        game.push(answer)
    return game
