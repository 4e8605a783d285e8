"""`aodrules picture`: a position as an SVG file."""

from __future__ import annotations

from pathlib import Path

import click

from aodrules.cli.arguments import check_language, check_players, is_save, rules_of
from aodrules.cli.output import echo
from aodrules.game import Game
from aodrules.picture.theme import THEMES
from aodrules.records import open_game
from aodrules.svg import render


@click.command()
@click.argument("word", metavar="RULES|SAVE")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Write it to this file.")
@click.option("--players", type=click.IntRange(min=1), help="How many play; the fewest if not given.")
@click.option("--seed", type=int, default=0, show_default=True, help="The number from which all chance comes.")
@click.option("--lang", "--language", "language", default="en", show_default=True, help="The language.")
@click.option("--seat", help="Who looks at it; those who have no seat if not given.")
@click.option(
    "--theme", type=click.Choice(THEMES), default="light", show_default=True, help="For a light or dark page."
)
def picture(
    word: str, *, out: Path | None, players: int | None, seed: int, language: str, seat: str | None, theme: str
) -> int:
    """Draw a saved game, or the first position of rules, as SVG.

    Example: aodrules picture nim --theme dark -o nim.svg
    """
    if is_save(word) and players is not None:
        raise click.UsageError("a saved game has its players already")
    game = open_game(Path(word)) if is_save(word) else _first_position(word, players, seed)
    check_language(game.book.words, language)
    text = render(game, language, seat, theme)
    if out is None:
        echo(text, nl=False)
    else:
        out.write_text(text, encoding="utf-8")
        echo(f"written: {out}")
    return 0


def _first_position(word: str, players: int | None, seed: int) -> Game:
    rules = rules_of(word)
    check_players(rules, players)
    return rules.new_game(players=players or rules.players[0], seed=seed)
