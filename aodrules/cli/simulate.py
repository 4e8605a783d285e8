"""`aodrules simulate` and `aodrules balance`: many games by bots, and what a change does to a game."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from statistics import fmean
from typing import Any

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from aodrules.arguments import RulesRequest
from aodrules.bots.words import bot_of
from aodrules.cli.arguments import check_players, look_for_bots_here, rules_of, selection_of
from aodrules.cli.output import echo
from aodrules.play.titles import whole_title
from aodrules.rulebook import Rules
from aodrules.simulate.balance import HELD, USED, Balance, FigureNames, compare, won, worth_of_things
from aodrules.simulate.balance_page import balance_page
from aodrules.simulate.matches import Match, MatchSetting
from aodrules.simulate.runs import FORMATS, Run, RunFolder, check_format, in_order, play_on_cluster, play_run
from aodrules.simulate.statistics import mean, share
from aodrules.source.wording import count
from aodrules.terminal.console import text_console


class _Rate(ProgressColumn):
    """How many games are played in a second."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:.1f}/s" if task.speed else "")


def _bots_of(_context: click.Context, _option: click.Parameter, value: str) -> tuple[str, ...]:
    """Return the words of the bots, each of which there must be."""
    look_for_bots_here()
    words = tuple(value.split(","))
    for word in words:
        try:
            bot_of(word)
        except ValueError as wrong:
            raise click.BadParameter(str(wrong)) from wrong
    return words


_players = click.option("--players", type=click.IntRange(min=1), help="How many play; the fewest if not given.")
_games = click.option("--games", type=click.IntRange(min=1), default=100, show_default=True, help="How many games.")
_bots = click.option(
    "--bots",
    callback=_bots_of,
    default="random",
    show_default=True,
    help="A bot for each seat, in turn, moved on by a seat with each game: random, greedy, search:100, mybots.Clever.",
)
_seed = click.option("--seed", type=int, default=0, show_default=True, help="The seed of the first game.")
_workers = click.option("--workers", type=click.IntRange(min=1), help="How many processes; all cores if not given.")


@click.command()
@click.argument("word", metavar="RULES")
@_players
@_games
@_bots
@_seed
@_workers
@click.option(
    "--out", type=click.Path(path_type=Path), help="A folder for the rows; a run that was interrupted goes on there."
)
@click.option(
    "--format", "form", type=click.Choice(FORMATS), default="jsonl", show_default=True, help="The format of the rows."
)
@click.option("--dask", "address", metavar="ADDRESS", help="Play on the Dask cluster there, such as tcp://host:8786.")
def simulate(
    word: str, *, workers: int | None, out: Path | None, form: str, address: str | None, **setting: Any
) -> int:
    """Let bots play many games, and show who won and how.

    Example: aodrules simulate harbour --games 20 --bots greedy,random
    """
    rules = rules_of(word)
    run = _run(selection_of(word), rules, **setting)
    if out:
        check_format(form)
    folder = RunFolder(out) if out else None
    known = folder.begin(run, rules.fingerprint) if folder else []
    matches = [*known, *_play(run, known, workers, folder, address)]
    _print_run(word, in_order(matches))
    for path in folder.finish(matches, form) if folder else ():
        echo(f"written: {path}")
    return 0


def _run(asked: RulesRequest, rules: Rules, players: int | None, games: int, bots: tuple[str, ...], seed: int) -> Run:
    check_players(rules, players)
    setting = MatchSetting(players or rules.players[0], bots)
    return Run(asked.base, tuple(asked.variants), setting, seed, games)


def _play(
    run: Run, known: Iterable[Match], workers: int | None, folder: RunFolder | None, address: str | None = None
) -> list[Match]:
    """Play what is left of a run behind a progress bar; a stop keeps what was played."""
    done = [match.seed for match in known]
    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn())
    games = play_on_cluster(run, address, done) if address else play_run(run, done=done, workers=workers)
    found: list[Match] = []
    with Progress(*columns, console=text_console(stderr=True), transient=True) as progress:
        bar = progress.add_task("games", total=run.games, completed=len(done))
        for match in games:
            found.append(match)
            if folder:
                folder.add(match)
            progress.advance(bar)
    return found


def _print_run(word: str, matches: list[Match]) -> None:
    table = Table()
    for column in ("seat", "share of wins", "points"):
        table.add_column(column)
    for seat in matches[0].seats:
        name = seat["seat"]
        own = [each for match in matches for each in match.seats if each["seat"] == name]
        table.add_row(
            name, str(share(_wins(matches, "seat", name), len(matches))), str(mean([e["total"] for e in own]))
        )
    table.add_section()
    for bot in sorted({seat["bot"] for match in matches for seat in match.seats}):
        # Seats of one game are not independent, so a game counts once.
        totals = [[each["total"] for each in match.seats if each["bot"] == bot] for match in matches]
        points = mean([fmean(own) for own in totals if own])
        table.add_row(f"bot {bot}", str(share(_wins(matches, "bot", bot), sum(map(len, totals)))), str(points))
    # Beside the table and not in it: there they would be folded to its width.
    echo(f"{word}: {count(len(matches), 'game')}")
    text_console().print(table)
    echo(f"{mean([match.length for match in matches])} decisions in a game; intervals of 95 %")


def _wins(matches: list[Match], key: str, name: str) -> float:
    return sum(won(match, seat) for match in matches for seat in match.seats if seat[key] == name)


@click.command()
@click.argument("base", metavar="BASE")
@click.argument("changed", metavar="CHANGED")
@_players
@_games
@_bots
@_seed
@_workers
@click.option("--html", type=click.Path(path_type=Path), help="Write the comparison as one page with charts.")
@click.option(
    "--format", "form", type=click.Choice(("text", "json")), default="text", show_default=True, help="A table or data."
)
def balance(base: str, changed: str, *, workers: int | None, html: Path | None, form: str, **setting: Any) -> int:
    """Compare two rulesets over the same seeds, and say what differs beyond chance.

    Example: aodrules balance harbour harbour+dear-timber --games 20
    """
    sides = [rules_of(base), rules_of(changed, base)]
    # The fewest that can play both.
    setting["players"] = setting["players"] or max(rules.players[0] for rules in sides)
    asked = [selection_of(base), selection_of(changed, base)]
    runs = [_run(each, rules, **setting) for each, rules in zip(asked, sides, strict=True)]
    before, after = (_play(run, (), workers, None) for run in runs)
    names = FigureNames(*reversed(sides))
    found = compare(base, changed, before, after, names)
    if form == "json":
        echo(json.dumps(found.plain(), indent=2, ensure_ascii=False))
    else:
        _print_balance(found)
    if html:
        titles = (whole_title(sides[0].book, "en"), whole_title(sides[1].book, "en"))
        html.write_text(balance_page(found, worth_of_things(after, names), titles), encoding="utf-8")
        echo(f"written: {html}", err=form == "json")
    return 0


def _print_balance(found: Balance) -> None:
    table = Table()
    for column in ("", "before", "after", "change", "effect", "verdict"):
        table.add_column(column, justify="left" if column in ("", "verdict") else "right")
    for line in (each for each in found.lines if each.group not in (USED, HELD) or each.change.excludes_zero):
        style = "bold" if line.change.excludes_zero else None
        reach = f" ± {line.change.reach:.2f}" if line.change.is_bounded else ""
        cells = (line.before.shown, line.after.shown, f"{line.change.value:+.2f}{reach}", f"{line.effect:+.2f}")
        table.add_row(f"{line.group}: {line.name}", *cells, line.verdict, style=style)
    echo(f"{found.base} → {found.changed}: {found.sample}")
    text_console().print(table)
    echo(f"{found.verdict} (95 % for all figures together).")
    echo(found.sensitivity)
