"""Tables for people to read."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from aodrules.game import Game


def print_scores(game: Game, title: str) -> None:
    """Print the score sheet of a game: a line for each source, a column for each player."""
    scores = game.scores
    table = Table(title=title, title_justify="left")
    table.add_column("")
    for player in game.players:
        table.add_column(player, justify="right")
    sources = [line.source for line in next(iter(scores.values())).lines]
    for source in sources:
        table.add_row(source, *(str(scores[player].sources[source]) for player in game.players))
    table.add_section()
    table.add_row("total", *(str(scores[player].total) for player in game.players), style="bold")
    places = {standing.player: standing for standing in game.ranking}
    table.add_row("place", *(_place(places[player].place, shared=places[player].shared) for player in game.players))
    Console().print(table)
    for standing in game.ranking:
        if standing.decided_by and standing.judged and standing.decided_by != standing.judged[0][0]:
            Console().print(f"place {standing.place} was decided by: {standing.decided_by}", markup=False)


def _place(place: int, *, shared: bool) -> str:
    return f"{place} (shared)" if shared else str(place)
