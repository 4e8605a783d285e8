"""`aodrules compile`: the Python that is generated from some rules."""

from __future__ import annotations

import click

from aodrules.cli.arguments import check_players, rules_of
from aodrules.cli.output import echo
from aodrules.play.explanations import format_python
from aodrules.source.wording import count


@click.command("compile")
@click.argument("word", metavar="RULES")
@click.option("--show", is_flag=True, help="Print the Python, with fields, members and variables by name.")
@click.option("--raw", is_flag=True, help="Print the Python exactly as it runs.")
@click.option("--players", type=click.IntRange(min=1), help="For how many players; the fewest if not given.")
@click.option("--log/--no-log", default=True, show_default=True, help="Whether the code notes events.")
def compile_(word: str, show: bool, raw: bool, players: int | None, log: bool) -> None:
    """Compile rules to Python.

    What `--show` prints is for reading: `player.cards[player_9] has queen` stands for a test of bits. What `--raw`
    prints is what Python runs.

    Example: aodrules compile nim --show
    """
    rules = rules_of(word)
    check_players(rules, players)
    many = players or rules.players[0]
    text = format_python(rules.book, many, log=log, raw=raw or not show)
    if show or raw:
        echo(text, nl=False)
        return
    lines = text.splitlines()
    functions = sum(line.startswith("def ") for line in lines)
    echo(f"{word}: {count(functions, 'function')}, {count(len(lines), 'line')} for {count(many, 'player')}")
