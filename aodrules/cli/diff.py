"""`aodrules diff`: what differs between two compositions, and a game that shows it."""

from __future__ import annotations

import json
from pathlib import Path

import click

from aodrules.authoring.differences import differences, format_differences, plain_differences
from aodrules.authoring.disagreements import Disagreement, Matter, disagreements, distinguishing_scenario, play_moves
from aodrules.cli.arguments import format_option, rules_of
from aodrules.cli.output import echo
from aodrules.rulebook import Rules
from aodrules.source.wording import count
from aodrules.terminal.console import Job, job

_LONGEST_SHOWN = 40


@click.command()
@click.argument("one", metavar="RULES")
@click.argument("other", metavar="OTHER")
@click.option("--play", is_flag=True, help="Also find the shortest games in which they disagree.")
@click.option("--games", type=click.IntRange(min=1), default=60, show_default=True, help="How many games to play.")
@click.option("--seed", type=int, default=0, show_default=True, help="The seed of the first game.")
@click.option("--words", is_flag=True, help="Also show differences in texts, clauses and other words.")
@click.option("--save", type=click.Path(path_type=Path, file_okay=False), help="Write the scenarios to this folder.")
@format_option
def diff(one: str, other: str, play: bool, games: int, seed: int, words: bool, save: Path | None, form: str) -> int:
    """Show what differs between two compositions: values, components, options and steps, each with its cause.

    Example: aodrules diff harbour harbour+dear-timber --play --games 5
    """
    before, after = rules_of(one), rules_of(other, one)
    found = differences(before.book.ruleset, after.book.ruleset, words=words)
    if form == "json":
        echo(json.dumps(plain_differences(found), indent=2, ensure_ascii=False))
    else:
        told = format_differences(found)
        echo(told or f"{one} and {other} are the same game\n", nl=False)
    if play:
        _play(before, after, games, seed, save, to_stderr=form == "json")
    return 0


def _play(one: Rules, other: Rules, games: int, seed: int, save: Path | None, *, to_stderr: bool) -> None:
    with job("playing both", games) as at_work:
        try:
            found = _disagreements(one, other, games, seed, at_work)
        except ValueError as wrong:
            raise click.UsageError(str(wrong)) from wrong
        scenarios = {}
        for matter, each in found.items():
            at_work.turn_to(f"writing a scenario about {matter}")
            scenarios[matter] = distinguishing_scenario(one, other, each)
    if not found:
        echo(f"\n{count(games, 'game')} played on both, no disagreement", err=to_stderr)
    for matter, each in found.items():
        echo(f"\n{matter}: they disagree after {count(len(each.moves), 'action')}", err=to_stderr)
        for line in each.told:
            echo(f"  {line}", err=to_stderr)
        told, suffix = scenarios[matter], "yaml"
        if told is None:
            # Some differences show only when the game goes on: then the game itself is told.
            told, suffix = play_moves(one, each.setting, each.moves).record(), "record"
        if suffix == "record" and len(each.moves) > _LONGEST_SHOWN:
            echo("  the game is long and no short scenario tells it; --save FOLDER writes it down", err=to_stderr)
        else:
            echo(f"\n{told}", nl=False, err=to_stderr)
        if save is not None:
            save.mkdir(parents=True, exist_ok=True)
            (save / f"differs-{matter}.{suffix}").write_text(told, encoding="utf-8")


def _disagreements(one: Rules, other: Rules, games: int, seed: int, at_work: Job) -> dict[Matter, Disagreement]:
    def shortening() -> None:
        at_work.turn_to("making the games shorter")

    return disagreements(one, other, games=games, seed=seed, progress=at_work.advance, shortening=shortening)
