"""`aodrules list`: the games that ship, and what each can be played with."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import click
from attrs import asdict

from aodrules.cli.output import echo
from aodrules.games import CatalogueEntry, CatalogueGame, catalogue
from aodrules.source.wording import count_range, join, nearest


@click.command("list")
@click.argument("game", required=False)
@click.option("--language", default="en", show_default=True, help="The language of names and reasons.")
@click.option("--json", "as_json", is_flag=True, help="Print all that is known of it as JSON.")
def list_(game: str | None, language: str, as_json: bool) -> int:
    """List the games that ship, or the editions, variants, house rules and rulings of one of them.

    Example: aodrules list aod
    """
    games = catalogue()
    if game is not None and game not in games:
        near = nearest(game, games)
        raise click.UsageError(
            f"there is no game `{game}`; " + (f"did you mean `{near}`?" if near else f"there are {join([*games])}")
        )
    shown = games if game is None else {game: games[game]}
    if as_json:
        echo(json.dumps({id_: _plain(each) for id_, each in shown.items()}, indent=2, ensure_ascii=False))
    else:
        for line in _games(shown.values(), language) if game is None else _game(games[game], language):
            echo(line)
    return 0


def _games(games: Iterable[CatalogueGame], language: str) -> Iterator[str]:
    for game in games:
        low, high = game.players()
        many = count_range(low, high, "player")
        yield f"{game.id}: {game.text(language)}, {many}; words in {join(game.languages)}"
    yield "\n`aodrules list GAME` tells what a game can be played with."


def _game(game: CatalogueGame, language: str) -> Iterator[str]:
    yield f"{game.id}: {game.text(language)}"
    for title, entries in (
        ("editions", game.editions),
        ("variants", game.variants),
        ("house rules", game.house_rules),
        ("other readings of the rulebooks", game.other_readings),
    ):
        if entries:
            yield f"\n{title}:"
            yield from _entries(entries, language)
    if game.rulings:
        yield f"\n{len(game.rulings)} open questions of the rulebooks are settled by rulings; --json tells them."


def _entries(entries: Sequence[CatalogueEntry], language: str) -> Iterator[str]:
    width = max(len(entry.id) for entry in entries)
    for entry in entries:
        yield f"  {entry.id:{width}}  {entry.text(language)}{_relations(entry)}"
        if entry.because(language):
            yield f"  {'':{width}}  {entry.because(language)}"


def _relations(entry: CatalogueEntry) -> str:
    """Return what an entry is for and goes together with, in brackets."""
    told = [
        f"{word} {join([*names])}"
        for word, names in (("for", entry.editions), ("needs", entry.needs), ("not with", entry.conflicts))
        if names
    ]
    return f" ({'; '.join(told)})" if told else ""


def _plain(game: CatalogueGame) -> dict[str, Any]:
    editions = [None, *(entry.id for entry in game.editions)]  # none: the game as it is without any
    return {
        "names": {language: game.text(language) for language in game.languages},
        "languages": game.languages,
        "players": {edition or game.id: game.players(edition) for edition in editions},
        "seats": {edition or game.id: game.seats(edition) for edition in editions},
        "entries": [asdict(entry) for entry in game.entries],
        "rulings": [asdict(ruling) for ruling in game.rulings.values()],
    }
