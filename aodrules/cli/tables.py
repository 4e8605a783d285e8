"""Tables for people to read."""

from __future__ import annotations

import re
from collections import Counter

from rich.table import Table

from aodrules.game import Game
from aodrules.play.labels import FALLBACK, Labels, phrase
from aodrules.play.scores import Score, Standing
from aodrules.terminal.console import text_console


def print_scores(game: Game, title: str | None = None, language: str = FALLBACK) -> None:
    """Print the score sheet of a game: a line for each source and what it is made of, a column for each player."""
    scores, labels, words = game.scores, game.book.labels(language), game.book.words
    table = Table(title=title, title_justify="left")
    table.add_column("")
    for player in game.players:
        table.add_column(labels.seat(player), justify="right")
    sources = [line.source for line in next(iter(scores.values())).lines]
    for source in sources:
        name = words.say(f"game.points.{source}", language)
        table.add_row(name, *(str(scores[player].sources[source]) for player in game.players))
        for member, points in _members(scores, source).items():
            row = (str(points[player]) if player in points else "" for player in game.players)
            table.add_row(f"  {words.say(member, language)}", *row, style="dim")
    table.add_section()
    table.add_row(phrase("total", language), *(str(scores[player].total) for player in game.players), style="bold")
    places = {standing.player: standing for standing in game.ranking}
    table.add_row(phrase("place", language), *(_place(places[player], language) for player in game.players))
    text_console().print(table)
    if not any(standing.won for standing in game.ranking):
        text_console().print(phrase("nobody-wins", language))
    for standing in game.ranking:
        if standing.decided_by and standing.judged and standing.decided_by != standing.judged[0][0]:
            criterion = _criterion(labels, standing.decided_by)
            text_console().print(phrase("decided-by", language).format(place=standing.place, criterion=criterion))


def _criterion(labels: Labels, written: str) -> str:
    """Return what decided a place in words, if it is no more than a field of the player; else as it is written."""
    found = re.fullmatch(r"player\.(?P<field>\w+)(?:\[(?P<index>\w+)\])?", written)
    field = labels.rules.fields.get(f"player.{found['field']}") if found else None
    if found is None or field is None:
        return written
    index = labels.index(field.dimensions[1], found["index"]) if found["index"] and len(field.dimensions) > 1 else None
    return labels.field(field.name) + (f" ({index})" if index else "")


def _members(scores: dict[str, Score], source: str) -> dict[str, Counter[str]]:
    """Return what each member gives to each player in one line of the sheet, by address."""
    found: dict[str, Counter[str]] = {}
    for player, score in scores.items():
        for line in score.lines:
            for share in line.shares if line.source == source else ():
                if share.member is not None:
                    found.setdefault(f"{share.kind}.{share.member}", Counter())[player] += share.points
    return {member: found[member] for member in sorted(found)}


def _place(standing: Standing, language: str) -> str:
    return f"{standing.place} ({phrase('shared', language)})" if standing.shared else str(standing.place)
