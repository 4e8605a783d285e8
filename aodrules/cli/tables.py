"""Tables for people to read."""

from __future__ import annotations

from collections import Counter

from rich.table import Table

from aodrules.game import Game
from aodrules.play.scores import Score
from aodrules.play.words import FALLBACK, Words
from aodrules.terminal.console import text_console


def print_scores(game: Game, title: str, words: Words) -> None:
    """Print the score sheet of a game: a line for each source and what it is made of, a column for each player."""
    scores = game.scores
    table = Table(title=title, title_justify="left")
    table.add_column("")
    for player in game.players:
        table.add_column(words.find(f"player.{player}", FALLBACK) or player, justify="right")
    sources = [line.source for line in next(iter(scores.values())).lines]
    for source in sources:
        name = words.find(f"game.points.{source}", FALLBACK) or source
        table.add_row(name, *(str(scores[player].sources[source]) for player in game.players))
        for member, points in _members(scores, source).items():
            row = (str(points[player]) if player in points else "" for player in game.players)
            table.add_row(f"  {words.find(member, FALLBACK) or member}", *row, style="dim")
    table.add_section()
    table.add_row("total", *(str(scores[player].total) for player in game.players), style="bold")
    places = {standing.player: standing for standing in game.ranking}
    table.add_row("place", *(_place(places[player].place, shared=places[player].shared) for player in game.players))
    text_console().print(table)
    if not any(standing.won for standing in game.ranking):
        text_console().print("nobody wins")
    for standing in game.ranking:
        if standing.decided_by and standing.judged and standing.decided_by != standing.judged[0][0]:
            text_console().print(f"place {standing.place} was decided by: {standing.decided_by}")


def _members(scores: dict[str, Score], source: str) -> dict[str, Counter[str]]:
    """Return what each member gives to each player in one line of the sheet, by address."""
    found: dict[str, Counter[str]] = {}
    for player, score in scores.items():
        for line in score.lines:
            for share in line.shares if line.source == source else ():
                if share.member is not None:
                    found.setdefault(f"{share.kind}.{share.member}", Counter())[player] += share.points
    return {member: found[member] for member in sorted(found)}


def _place(place: int, *, shared: bool) -> str:
    return f"{place} (shared)" if shared else str(place)
