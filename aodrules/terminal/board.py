"""Any game as tables: the position (table, players, members of each kind), what happened since, the score sheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property

from attrs import frozen
from rich import box
from rich.color import Color, ColorParseError
from rich.columns import Columns
from rich.console import RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

from aodrules.check.checked import Field
from aodrules.game import Game
from aodrules.lang.types import Number
from aodrules.play.boards import BoardWords
from aodrules.play.event_types import HappenEvent
from aodrules.play.labels import FALLBACK, Labels, phrase
from aodrules.play.rules_context import RulesContext
from aodrules.play.scores import Score, Standing
from aodrules.play.states import State
from aodrules.terminal.console import text_console
from aodrules.terminal.grid_map import GridMap

_PALETTE = ("cyan", "magenta", "green", "yellow", "blue", "red")


@frozen(eq=False)
class Board:
    """How the positions of some rules are shown in a language."""

    context: RulesContext
    players: tuple[str, ...]
    language: str = "en"

    def shown(
        self,
        state: State,
        before: Mapping[tuple[str, str], int] | None = None,
        chosen: Collection[str] = (),
        width: int = 80,
    ) -> Iterator[RenderableType]:
        """Iterate over the tables that show a position, and maps of its grids; what is empty is left out.

        Args:
            state: The position, as somebody sees it.
            before: The numbers of the players when they were last shown; by how much they changed is told.
            chosen: The members that an answer may name: they are marked on maps.
            width: How many letters a line has.
        """
        for grid in self._maps:
            yield grid.shown(state, chosen, width)
        yield from self._table(state)
        yield from self._players(state, before or {})
        kinds = [kind for kind in self.context.checked.kinds.values() if self._words.fields(kind.name)]
        yield Columns([part for kind in kinds for part in self._members(state, kind.name, kind.plural)], padding=(0, 4))

    def numbers(self, state: State) -> dict[tuple[str, str], int]:
        """Return the plain numbers of the players, by seat and field."""
        fields = [each.name.partition(".")[2] for each in self._words.fields("player") if _is_number(each)]
        found = {(seat, name): state.players[seat].fields().get(name) for seat in self.players for name in fields}
        return {key: value for key, value in found.items() if isinstance(value, int)}

    def colour(self, seat: str) -> Style:
        """Return the colour of a seat: its own name where that is one."""
        try:
            return Style(color=Color.parse(seat))
        except ColorParseError:
            return Style(color=_PALETTE[self.players.index(seat) % len(_PALETTE)])

    def seat(self, seat: str) -> Text:
        """Return the name of a seat in its colour."""
        return Text(self.labels.seat(seat), self.colour(seat) + Style(bold=True))

    @cached_property
    def _maps(self) -> tuple[GridMap, ...]:
        rules = self.context.checked
        grids = [rules.kinds[each.kind] for each in rules.graphs.values() if each.around]
        return tuple(GridMap(self._words, kind, {seat: self.colour(seat) for seat in self.players}) for kind in grids)

    @property
    def labels(self) -> Labels:
        """What things are called."""
        return self.context.labels(self.language)

    @property
    def _words(self) -> BoardWords:
        return BoardWords(self.context, self.players, self.language)

    def _table(self, state: State) -> Iterator[RenderableType]:
        table = _grid()
        for row in self._words.table_rows(state):
            table.add_row(*row)
        if table.row_count:
            yield table

    def _players(self, state: State, before: Mapping[tuple[str, str], int]) -> Iterator[RenderableType]:
        now = self.numbers(state)
        changes = {key: f" ({now[key] - old:+})" for key, old in before.items() if now.get(key, old) != old}
        table = _grid("", *(self.seat(seat) for seat in self.players))
        for field, cells in self._words.player_rows(state):
            name = field.name.partition(".")[2]
            if any(cells) or any((seat, name) in changes for seat in self.players):
                told = [changes.get((seat, name), "") for seat in self.players]
                both = zip(cells, told, strict=True)
                table.add_row(self._words.label(field), *((cell or _nothing(field)) + change for cell, change in both))
        if table.row_count:
            yield table

    def _members(self, state: State, kind: str, plural: str) -> Iterator[RenderableType]:
        grid = next((each for each in self._maps if each.kind.name == kind), None)
        found = self._words.member_table(state, kind, plural, None if grid is None else grid.left)
        if found is None:
            return
        table = _grid(*found.headings)
        for row in found.rows:
            table.add_row(*row)
        yield table

    def contents(self, state: State, kind: str, id_: str) -> Iterator[tuple[str, str]]:
        """Iterate over what the fields of a member hold, each after what it is called; what is empty is left out."""
        for field in self._words.fields(kind):
            words = self._words.cell(
                field, state[self.context.checked.kinds[kind].plural][id_], field.name.partition(".")[2]
            )
            if words:
                yield self._words.label(field), words


def _nothing(field: Field) -> str:
    return "0" if _is_number(field) else "-"


def _is_number(field: Field) -> bool:
    """Whether a field of the players holds one plain number each."""
    return isinstance(field.type, Number) and len(field.dimensions) == 1


def _grid(*columns: str | Text) -> Table:
    """Return an empty table that takes little room."""
    table = Table(box=box.SIMPLE_HEAD if columns else None, pad_edge=False, show_header=bool(columns))
    for column in columns or ("", ""):
        table.add_column(column)
    table.columns[0].style = "dim"
    return table


@frozen(eq=False)
class Teller:
    """Tells what happened to those who sit at the terminal."""

    board: Board
    people: tuple[str, ...]
    """The seats that no bot plays."""

    def lines(self, game: Game) -> Iterator[str]:
        """Iterate over what happened since the last question, as far as the game has words for it."""
        words, language = self.board.context.words, self.board.language
        for event in self._known_events(game):
            if words.find(f"event.{event.event}", language) is not None:
                yield event.text(language)

    def _known_events(self, game: Game) -> Iterable[HappenEvent]:
        """Return the events that all people at the terminal may know of; a game between bots is open."""
        happened = [event for event in game.events if isinstance(event, HappenEvent)]
        for seat in self.people if happened else ():
            seen = list(game.view(seat).events)
            happened = [event for event in happened if event in seen]
        return happened

    def may_know(self, seat: str, *, is_hidden: bool) -> bool:
        """Whether what a seat chose may be shown: a secret answer only to the one person who gave it."""
        return not is_hidden or not self.people or self.people == (seat,)


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
            kind, _, id_ = member.partition(".")
            table.add_row(f"  {labels.member(kind, id_)}", *row, style="dim")
    table.add_section()
    table.add_row(phrase("total", language), *(str(scores[player].total) for player in game.players), style="bold")
    places = {standing.player: standing for standing in game.ranking}
    table.add_row(phrase("place", language), *(_place(places[player], language) for player in game.players))
    text_console().print(table)
    if not any(standing.won for standing in game.ranking):
        text_console().print(phrase("nobody-wins", language))
    for standing in game.ranking:
        if standing.decided_by and standing.judged and standing.decided_by != standing.judged[0][0]:
            criterion = labels.criterion(standing.decided_by)
            text_console().print(phrase("decided-by", language, place=standing.place, criterion=criterion))


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
