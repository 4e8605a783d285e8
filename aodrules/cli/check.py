"""`aodrules check`: every problem of some rules, certain cures applied, and random games on both engines."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click

from aodrules.authoring.check_files import (
    Checked,
    Part,
    check_game,
    check_rules,
    documents_used,
    fix_files,
    join_problems,
    named_files,
    shipped_documents,
    watch_files,
)
from aodrules.cli.arguments import check_players, rules_of
from aodrules.cli.output import FORMATS, echo, show_report
from aodrules.compose.library import is_path, shipped_games
from aodrules.game import Game
from aodrules.play.comparison import ODD, Course, compare
from aodrules.rulebook import Rules
from aodrules.source.disk import shown_path
from aodrules.source.wording import count, count_range
from aodrules.terminal.board import print_scores
from aodrules.testing.statements import statements_of

_MOST_ROUNDS = 20
_PAUSE = 0.3


@click.command()
@click.argument("words", metavar="[RULES...]", nargs=-1)
@click.option("--shipped", is_flag=True, help="Check every document that ships with the package.")
@click.option(
    "--play", "games", type=click.IntRange(min=0), default=0, help="Play this many random games on both engines."
)
@click.option("--players", type=click.IntRange(min=1), help="How many play; if not given, every number in turn.")
@click.option("--seed", type=int, default=0, show_default=True, help="The seed of the first game.")
@click.option("--fix", is_flag=True, help="Apply cures that are certain to the files that are named.")
@click.option("--watch", is_flag=True, help="Check again whenever a file that is named is saved.")
@click.option(
    "--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="How problems look."
)
def check(words: tuple[str, ...], shipped: bool, fix: bool, watch: bool, **settings: Any) -> int:
    """Find every mistake in the rules; with --play, also play them.

    A variant alone, by its file or its name, is checked with each edition that it is made for.

    Example: aodrules check harbour+dear-timber --play 10
    """
    if bool(words) is shipped:
        raise click.UsageError("name the rules, or say --shipped")
    if shipped:
        return _check_shipped(settings["form"])
    code = _check(words, fix=fix, **settings)
    if watch:
        files = partial(named_files, words)
        echo(f"watching {count(len(files()), 'file')}; Ctrl-C ends it", err=True)
        try:
            for changed in watch_files(files, _wait):
                echo(f"\n{', '.join(path.as_posix() for path in changed)} changed", err=True)
                code = _check(words, fix=fix, **settings)
        except KeyboardInterrupt:
            echo("", err=True)
    return code


def _wait() -> None:
    time.sleep(_PAUSE)


def _check(words: tuple[str, ...], *, fix: bool, games: int, players: int | None, seed: int, form: str) -> int:
    found = _fix(words, form) if fix else _check_words(words)
    report = join_problems(found)
    show_report(report, form)
    for each in found:
        if each.rules is None:
            continue
        if form == "text":
            echo(_summary(each.word, each.rules))
        if games:
            _play(each.word, each.rules, games, players, seed, form)
    return 1 if report.has_errors else 0


def _check_shipped(form: str) -> int:
    """Check all that ships, with a line for each game and edition."""
    parts: list[Part] = []
    documents: frozenset[Path] = frozenset()
    for game in shipped_games():
        documents |= shipped_documents(game)
        with click.progressbar(length=len(documents), label="checking", file=sys.stderr) as bar:
            for part in check_game(game, _check_once):
                parts.append(part)
                bar.update(len(documents_used(parts)) - bar.pos)
    report = join_problems(part.checked for part in parts)
    show_report(report, form)
    unused = sorted(shown_path(path) for path in documents - documents_used(parts))
    if form == "text":
        _tell_compositions(parts)
    if form in ("text", "short"):
        echo(f"{len(documents) - len(unused)} of {count(len(documents), 'shipped document')} without errors")
        for path in unused:
            echo(f"  in no rules without errors: {path}")
    return 1 if report.has_errors or unused else 0


def _tell_compositions(parts: list[Part]) -> None:
    for base in dict.fromkeys(part.base for part in parts):
        mine = [part for part in parts if part.base == base]
        variants = len({name for part in mine for name in part.variants if not is_path(name)})
        echo(f"{base}: {count(len(mine), 'composition')}, with {count(variants, 'variant')} in all")


def _check_once(word: str) -> Checked:
    (found,) = check_rules(word, rules_of)
    return found


def _check_words(words: tuple[str, ...]) -> list[Checked]:
    return [each for word in words for each in check_rules(word, rules_of)]


def _fix(words: tuple[str, ...], form: str) -> list[Checked]:
    """Check, cure, and check again until nothing more can be cured; return what is left."""
    found = _check_words(words)
    for _ in range(_MOST_ROUNDS):
        done = fix_files(join_problems(found), named_files(words))
        if not done:
            break
        for each in done:
            said = f"fixed {each.problem.primary.span}: `{each.before}` is now `{each.after}` ({each.problem.code})"
            echo(said, err=form != "text")
        found = _check_words(words)
    return found


def _summary(word: str, rules: Rules) -> str:
    low, high = rules.players
    many = count_range(low, high, "player")
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
    echo(f"{word}: {count(games, 'random game')} played on both engines, {count(decisions, 'decision')}, no difference")
    for sort, where in sorted({odd for course in courses for odd in course.odd}):
        echo(f"  worth a look: {ODD[sort]} at {where}")
    last = courses[-1]
    game = _replay(rules, last)
    echo()
    print_scores(game, f"{rules.edition or rules.name}, seed {last.seed}")


def _courses(rules: Rules, games: int, players: int | None, seed: int) -> Iterator[Course]:
    """Play the games, with a bar where somebody is looking."""
    low, high = rules.players
    check_players(rules, players)
    bar = click.progressbar(range(games), label="playing", file=sys.stderr)
    with bar as numbers:
        for number in numbers:
            many = low + number % (high - low + 1) if players is None else players
            yield compare(rules.book, many, seed + number)


def _replay(rules: Rules, course: Course) -> Game:
    game = rules.new_game(players=course.players, seed=course.seed, undo=False)
    for answer in course.answers:
        game.push(answer)
    return game
