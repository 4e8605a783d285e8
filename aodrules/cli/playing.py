"""`aodrules play`: a game on the terminal, against people beside you and bots."""

from __future__ import annotations

from pathlib import Path
from random import Random

import click

from aodrules.cli.words import check_players, look_for_bots_here, rules_of
from aodrules.game import Game
from aodrules.play.settings import parse_settings
from aodrules.records import open_game
from aodrules.simulate.bots import bot_of
from aodrules.simulate.turns import Turn
from aodrules.terminal.console import text_console
from aodrules.terminal.session import Chooser, Session


@click.command()
@click.argument("word", metavar="RULES|SAVE")
@click.option("--players", type=click.IntRange(min=1), help="How many play; the fewest if not given.")
@click.option("--bots", default="", help="Seats that bots play: `blue,green=greedy`; `all`, or `all=search:100`.")
@click.option("--seed", type=int, help="The number from which all chance comes; any number if not given.")
@click.option("--setting", "given", multiple=True, metavar="NAME=VALUE", help="A fact that the rules ask for.")
@click.option("--lang", "language", default="en", show_default=True, help="The language of names and questions.")
def play(word: str, players: int | None, bots: str, seed: int | None, given: tuple[str, ...], language: str) -> int:
    """Play a game on the terminal, or go on with one that was saved: type `help` there.

    Example: aodrules play harbour --players 3 --bots all=greedy --seed 7
    """
    game = _game(word, players, seed, given)
    console = text_console()
    session = Session(game, _choosers(bots, game), console, _typed, language)
    if not session.run():
        goes_on = "" if session.saved is None else f"; `aodrules play {session.saved.as_posix()}` goes on with it"
        click.echo(f"the game is not over{goes_on}")
    return 0


def _game(word: str, players: int | None, seed: int | None, given: tuple[str, ...]) -> Game:
    if word.endswith(".json"):
        return open_game(Path(word))
    rules = rules_of(word)
    check_players(rules, players)
    try:
        return rules.new_game(players=players, seed=seed, settings=parse_settings(" ".join(given)))
    except ValueError as wrong:
        raise click.UsageError(str(wrong)) from wrong


def _choosers(text: str, game: Game) -> dict[str, Chooser]:
    """Return what chooses for each seat that a bot plays."""
    chance = Random(game.seed)  # noqa: S311 - games, not secrets
    found: dict[str, Chooser] = {}
    for part in (part for part in text.split(",") if part):
        seat, _, bot = part.partition("=")
        if seat not in (*game.players, "all"):
            raise click.UsageError(f"there is no seat `{seat}`; seated are {', '.join(game.players)}")
        for each in game.players if seat == "all" else (seat,):
            found[each] = _chooser(bot or "random", chance)
    return found


def _chooser(word: str, chance: Random) -> Chooser:
    look_for_bots_here()
    try:
        bot = bot_of(word)
    except ValueError as wrong:
        raise click.UsageError(str(wrong)) from wrong
    return lambda game, seat: bot.choose(Turn(game, seat, chance))


def _typed(prompt: str) -> str:
    """Return a line that is typed, with the history and editing that the terminal offers."""
    return input(prompt)
