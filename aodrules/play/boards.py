"""Any position as tables of words: the table, the players, the members of each kind; as text and as HTML."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any, Protocol

from attrs import evolve, frozen

from aodrules.check.checked import SEAT, Field
from aodrules.lang.types import Type
from aodrules.play.labels import Labels
from aodrules.play.rules_context import RulesContext
from aodrules.play.states import Hidden, State, Thing
from aodrules.source.wording import printable

_WIDEST = 48
"""The most characters of a cell in a text."""


@frozen
class WordTable:
    """A table of words: a heading for each column, and rows of as many cells."""

    headings: tuple[str, ...]
    """Nothing where the first cell of each row says what the second is."""
    rows: tuple[tuple[str, ...], ...]


@frozen(eq=False)
class BoardWords:
    """What a position holds, in the words of a language."""

    context: RulesContext
    players: tuple[str, ...]
    language: str = "en"

    @property
    def labels(self) -> Labels:
        """What things are called."""
        return self.context.labels(self.language)

    def tables(self, state: State) -> Iterator[WordTable]:
        """Iterate over the tables of a position; what is empty is left out."""
        if rows := tuple(self.table_rows(state)):
            yield WordTable((), rows)
        if players := tuple((self.label(field), *cells) for field, cells in self.player_rows(state) if any(cells)):
            yield WordTable(("", *map(self.labels.seat, self.players)), players)
        for kind in self.context.checked.kinds.values():
            found = self.member_table(state, kind.name, kind.plural)
            if found is not None:
                yield found

    def table_rows(self, state: State) -> Iterator[tuple[str, str]]:
        """Iterate over what the fields of the table hold, each after what it is called."""
        for field in self.fields("table"):
            words = self.words(field, state[field.name.partition(".")[2]], field.dimensions)
            if words:
                yield self.label(field), words

    def player_rows(self, state: State) -> Iterator[tuple[Field, list[str]]]:
        """Iterate over the fields of players, each with what every player has there."""
        for field in self.fields("player"):
            name = field.name.partition(".")[2]
            yield field, [self.cell(field, state.players[seat], name) for seat in self.players]

    def member_table(
        self, state: State, kind: str, plural: str, fields: Sequence[Field] | None = None
    ) -> WordTable | None:
        """Return what the members of a kind hold, in all fields or in some; nothing if all is empty."""
        fields = self.fields(kind) if fields is None else fields
        if not fields:
            return None
        rows = {
            name: [self.cell(field, thing, field.name.partition(".")[2]) for field in fields]
            for name, thing in state[plural].items()
        }
        used = [number for number in range(len(fields)) if any(cells[number] for cells in rows.values())]
        if not used:
            return None
        headings = (self.labels.kind(kind), *(self.label(fields[number]) for number in used))
        held = ((self.labels.member(kind, name), *(cells[number] for number in used)) for name, cells in rows.items())
        return WordTable(headings, tuple(row for row in held if any(row[1:])))

    def label(self, field: Field) -> str:
        """Return what a field is called."""
        return self.labels.field(field.name)

    def fields(self, owner: str) -> list[Field]:
        """Return the fields of the table, of players or of a kind that are worth a look."""
        fields = self.context.checked.fields.values()
        kinds = self.context.checked.kinds
        is_owner = owner == "player" or (owner in kinds and self.context.checked.family(owner).is_side)
        holders = (owner, "owner") if is_owner else (owner,)
        mine = [each for each in fields if each.name.split(".")[0] in holders and each.name.count(".") == 1]
        return [each for each in mine if each.name != SEAT]  # a fact for rules, and nothing to look at

    def cell(self, field: Field, thing: Thing, name: str) -> str:
        """Return what a thing holds in a field."""
        return self.words(field, thing.fields().get(name), field.dimensions[1:])

    def words(self, field: Field, value: Any, dimensions: tuple[Type, ...]) -> str:
        """Return what a cell, or a table of cells by name, holds; nothing if that is nothing to look at."""
        if dimensions and isinstance(value, Mapping):
            inner = ((name, self.words(field, part, dimensions[1:])) for name, part in value.items())
            return "; ".join(f"{self.labels.index(dimensions[0], name)}: {words}" for name, words in inner if words)
        if isinstance(value, Counter):
            return ", ".join(f"{count} {self.labels.thing(field, name)}" for name, count in value.items())
        if isinstance(value, tuple):
            return self._several(field, value)
        if not value:
            return ""
        if isinstance(value, bool):
            return self.labels.phrase("yes")
        if isinstance(value, Hidden):
            return self._format_hidden(value)
        return self.labels.thing(field, value) if isinstance(value, str) else str(value)

    def _several(self, field: Field, items: tuple[Any, ...]) -> str:
        seen = [self.labels.thing(field, str(item)) for item in items if not isinstance(item, Hidden)]
        unseen: Counter[Hidden] = Counter()
        for item in items:
            if isinstance(item, Hidden):
                unseen[evolve(item, count=1)] += item.count
        hidden = [self._format_hidden(evolve(back, count=count)) for back, count in unseen.items()]
        return ", ".join([*seen, *hidden])

    def _format_hidden(self, what: Hidden) -> str:
        """Return how many hidden things there are and what their backs tell."""
        backs = self.labels.backs(what)
        return f"{what.count} {self.labels.phrase('hidden')}" + (f" ({', '.join(backs)})" if backs else "")


class Waiting(Protocol):
    """A question that waits."""

    @property
    def player(self) -> str:
        """The seat that decides."""

    def text(self, language: str = "en") -> str:
        """Return the question in the words of a language."""


def heading(context: RulesContext, question: Waiting | None) -> str:
    """Return a line about a game: what is played, and who is asked what."""
    name = context.summary.edition or context.summary.name
    if question is None:
        return f"{name}: {context.labels().phrase('over')}"
    return f"{name}: {context.labels().seat(question.player)}: {question.text()}"


def format_board(heading: str, tables: Iterator[WordTable]) -> str:
    """Return a position as text; long cells are cut."""
    return "\n\n".join([printable(heading), *map(_format_table, tables)])


def _format_table(table: WordTable) -> str:
    rows = [*([table.headings] if table.headings else []), *table.rows]
    cut = [[_cut(printable(cell)) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cut, strict=True)]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in cut)


def _cut(text: str) -> str:
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"


def board_html(heading: str, tables: Iterator[WordTable], picture: str) -> str:
    """Return a position as HTML: its picture and, to be unfolded, tables; no style or script, all texts escaped."""
    folded = ["<details>", f"<summary>{escape(heading)}</summary>", *map(_table_html, tables), "</details>"]
    return "\n".join(["<div>", picture, *folded, "</div>"])


def _table_html(table: WordTable) -> str:
    head = f"<thead>{_row_html(table.headings, 'th')}</thead>" if table.headings else ""
    return f"<table>{head}<tbody>{''.join(_row_html(row, 'td') for row in table.rows)}</tbody></table>"


def _row_html(cells: Sequence[str], tag: str) -> str:
    first, *rest = map(escape, cells)
    return f"<tr><th>{first}</th>{''.join(f'<{tag}>{cell}</{tag}>' for cell in rest)}</tr>"
