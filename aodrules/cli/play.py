"""`aodrules play`: a game on the terminal, against people beside you and bots."""

from __future__ import annotations

import shlex
from pathlib import Path
from random import Random

import click
from attrs import frozen

from aodrules.bots.turns import Turn
from aodrules.bots.words import bot_of, is_own_bot
from aodrules.cli.arguments import check_language, check_players, is_save, look_for_bots_here, rules_of
from aodrules.cli.output import echo
from aodrules.game import Game
from aodrules.play.saves import parse_save
from aodrules.play.settings import parse_settings
from aodrules.records import open_game, read_text
from aodrules.terminal.console import text_console
from aodrules.terminal.lines import prompting
from aodrules.terminal.session import Chooser, Session

_BOTS, _LANGUAGE = "bots", "lang"
"""What a save of a session tells, by the names of the options."""


@frozen
class _Opened:
    """A game to be played, and what is known about the session it is played in."""

    game: Game
    bots: str = ""
    language: str = "en"


@click.command()
@click.argument("word", metavar="RULES|SAVE")
@click.option("--players", type=click.IntRange(min=1), help="How many play; the fewest if not given.")
@click.option("--bots", help="Seats that bots play: `blue,green=greedy`; `all`, or `all=search:100`.")
@click.option("--seed", type=int, help="The number from which all chance comes; any number if not given.")
@click.option("--setting", "given", multiple=True, metavar="NAME=VALUE", help="A fact that the rules ask for.")
@click.option("--lang", "language", help="The language of names and questions; en if not given.")
def play(
    word: str, players: int | None, bots: str | None, seed: int | None, given: tuple[str, ...], language: str | None
) -> int:
    """Play a game on the terminal, or go on with one that was saved: type `help` there.

    A saved game goes on with its bots and its language, unless others are given.

    Example: aodrules play harbour --players 3 --bots all=greedy --seed 7
    """
    if is_save(word):
        if players is not None or seed is not None or given:
            raise click.UsageError("a saved game has its players, its seed and its settings already")
        opened = _open_save(word, is_given=bots is not None)
    else:
        opened = _Opened(_new(word, players, seed, given))
    bots = opened.bots if bots is None else bots
    if language is not None:
        check_language(opened.game.book.words, language)
    language = language or opened.language
    notes = {_BOTS: bots, _LANGUAGE: language}
    session = Session(opened.game, _choosers(bots, opened.game), text_console(), input, language, notes)
    with prompting(session.completions):
        is_over = session.run()
    if not is_over:
        saved = None if session.saved is None else shlex.quote(session.saved.as_posix())
        echo(f"the game is not over{f'; `aodrules play {saved}` goes on with it' if saved else ''}")
    return 0


def _open_save(word: str, *, is_given: bool) -> _Opened:
    """Return the game that a save holds, with the bots and the language of its session."""
    text = read_text(Path(word))
    notes = parse_save(text).notes
    bots = "" if is_given else notes.get(_BOTS, "")
    for part in bots.split(","):
        # A save may come from anybody: it must not have code run that nobody asked for.
        if is_own_bot(part.rpartition("=")[2]):
            said = "a bot of this save is a class in Python; if you trust it, name it yourself"
            raise click.UsageError(f"{said}: --bots {shlex.quote(bots)}")
    return _Opened(open_game(text), bots, notes.get(_LANGUAGE, "en"))


def _new(word: str, players: int | None, seed: int | None, given: tuple[str, ...]) -> Game:
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
