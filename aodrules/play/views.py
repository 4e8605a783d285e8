"""A game as one seat may see it, and the question that waits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cached_property
from typing import Any

from attrs import define, field, frozen

from aodrules.arguments import check_text
from aodrules.errors import NotationError
from aodrules.facts.state import Question, UnderWay
from aodrules.lang.types import HiddenPiece as HiddenType
from aodrules.lang.types import ListOf, Type
from aodrules.play.actions import Action, ActionTable
from aodrules.play.boards import BoardWords, board_html, format_board, heading
from aodrules.play.choices import Choices
from aodrules.play.event_types import Event
from aodrules.play.ids import SPECTATOR
from aodrules.play.labels import fill, plain_words
from aodrules.play.reason import Reason
from aodrules.play.rules_context import RulesContext
from aodrules.play.states import Hidden, SeatReader, State
from aodrules.play.surroundings import Surroundings, surroundings
from aodrules.play.values import seat_value
from aodrules.source.wording import quote


@frozen
class Decision:
    """A question that waits: who is asked what.

    Examples:
        >>> import aodrules
        >>> game = aodrules.load("nim").new_game(players=2, seed=1)
        >>> assert game.decision
        >>> game.decision.player, game.decision.id, game.decision.text("en")
        ('first', 'take', 'Take stones from a heap')
    """

    id: str
    """What the rules call it."""
    address: str
    """Where it is written, and where its words are found."""
    player: str
    """The seat that decides."""
    args: dict[str, Any] = field(hash=False)
    """What the question is about, by name, as people read it."""
    step: str | None
    """The address of the innermost named step that is active."""
    _around: Callable[[], Surroundings] = field(default=Surroundings, eq=False, repr=False)
    _clauses: Callable[[], tuple[str, ...]] = field(default=tuple, eq=False, repr=False)
    _words: Callable[[str], str] | None = field(default=None, eq=False, repr=False)

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses of the rulebook that it models."""
        return self._clauses()

    @property
    def around(self) -> Surroundings:
        """The named steps and loops in which it is asked, the outermost first, with the names that are known there."""
        return self._around()

    def text(self, language: str = "en") -> str:
        """Return the question in the words of a language; one that no game made has only its id."""
        check_text("a language", language)
        return plain_words(self.id) if self._words is None else self._words(language)

    def __str__(self) -> str:
        return f"{self.player}: {self.id}"


@frozen
class Played:
    """An action that was taken, as a seat may see it: of a hidden one only the option.

    Examples:
        >>> import aodrules
        >>> game = aodrules.load("caravan").new_game(players=["amber", "jade"], seed=5)
        >>> game.push("swear 1")
        >>> [played.text for seat in game.players for played in game.view(seat).played]
        ['swear', 'swear 1']
    """

    player: str
    text: str
    """What it answered."""


class View(State):
    """The state with its secrets hidden from one seat, and what that seat may do and has noticed.

    A spectator's view, that of nobody, holds what everybody may know. A view stays as it is when the game goes on.

    Examples:
        >>> import aodrules
        >>> view = aodrules.load("caravan").new_game(players=2, seed=1).view(None)
        >>> print(view.seat, view.actions, [str(card) for card in view.players.amber.hand][:1])
        None () ['hidden card']
    """

    __slots__ = ("_parts", "_seat_reader")

    def __init__(self, reader: SeatReader, parts: ViewParts) -> None:
        super().__init__(reader)
        self._seat_reader = reader
        self._parts = parts

    @property
    def seat(self) -> str | None:
        """Whose view it is; none for that of spectators."""
        reader = self._seat_reader
        return None if reader.seat == SPECTATOR else reader.names.seats[reader.seat]

    @property
    def decision(self) -> Decision | None:
        """The question that waits, whoever is asked."""
        return self._parts.decision

    @property
    def actions(self) -> tuple[Action, ...]:
        """What this seat may do now; nothing while others decide."""
        return self._parts.actions

    @property
    def choices(self) -> Choices | None:
        """An answer to be made part by part; nothing while others decide."""
        return self._parts.choices

    def why_not(self, action: Action | str | int, language: str = "en") -> tuple[Reason, ...]:
        """Return every reason why an action of whoever decides is not possible now, as far as this seat may know.

        Nothing if it is possible. The sentences speak to who decides.

        Raises:
            SecretError: It depends on what the seat may not know.
        """
        return self._parts.why_not(action, check_text("a language", language))

    def value(self, name: str, /, **arguments: Any) -> Any:
        """Return what a value of the rules is worth, as far as this seat may know.

        Whether it is told depends on nothing that the seat does not know: as soon as anything is read that is hidden
        from it, the answer is refused.

        Raises:
            ArgumentError: There is no such value, or it is given something else.
            SecretError: It depends on what the seat may not know.
        """
        reader = self._seat_reader
        return seat_value(reader.names, reader.state, reader.seat, name, arguments)

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened since the last decision, as far as this seat may know."""
        return self._parts.events

    @property
    def played(self) -> tuple[Played, ...]:
        """All actions taken so far, as far as this seat may know."""
        return self._parts.played

    def __repr__(self) -> str:
        return f"<View of {self._parts.context.checked.game.name} for {self.seat or 'spectators'}>"

    def __str__(self) -> str:
        return format_board(self._heading(), self._board().tables(self))

    def _repr_html_(self) -> str:
        return board_html(self._heading(), self._board().tables(self), self._parts.draw_inside(self))

    def _repr_svg_(self) -> str:
        return self._parts.draw(self)

    def _heading(self) -> str:
        return heading(self._parts.context, self.decision)

    def _board(self) -> BoardWords:
        return BoardWords(self._parts.context, self._seat_reader.names.seats)

    def snapshot(self) -> Snapshot:
        """Return all of it as plain data: what is sent to where this seat is shown, and read there again."""
        return Snapshot(self.seat, self.plain(), self.decision, self.actions, self.events, self.played)

    def inside(self, path: str) -> Counter[str]:
        """Return the pieces this seat knows to be somewhere in a field, wherever they lie in it.

        Spectators are told of those alone of which everybody knows which they are.
        """
        found = self.cell(check_text("a path of the state", path))
        if found is None:
            raise NotationError(f"{quote(path)} is no single field of the state")
        return self._seat_reader.inside(*found)


@frozen(repr=False)
class Snapshot:
    """A view as plain data: `to_json` writes it, `from_json` reads it, and nothing in it is hidden from its seat.

    Examples:
        >>> import aodrules
        >>> snapshot = aodrules.load("nim").new_game(players=2, seed=1).view("first").snapshot()
        >>> snapshot.decision and snapshot.decision.player, len(snapshot.actions), snapshot.state["heaps"]["low_heap"]
        ('first', 12, {'lying': {'pebble': 3}})
    """

    seat: str | None
    """Whose view it is; none for that of spectators."""
    state: dict[str, Any] = field(hash=False)
    """The state as `View.plain` gives it."""
    decision: Decision | None
    """The question that waits; none when the game is over."""
    actions: tuple[Action, ...] = ()
    """What this seat may do now."""
    events: tuple[Event, ...] = ()
    """What happened since the last decision, as far as it may know."""
    played: tuple[Played, ...] = ()
    """All actions taken so far, as far as it may know."""

    def __repr__(self) -> str:
        return f"<Snapshot for {self.seat or 'spectators'}: {self.decision.id if self.decision else 'over'}>"


@define(eq=False, slots=False)
class ViewParts:
    """What a view has beside the state; what nobody reads is not worked out."""

    context: RulesContext
    decision: Decision | None
    actions: tuple[Action, ...]
    choices: Choices | None
    draw: Callable[[View], str]
    """Draws it as SVG for a page of its own."""
    draw_inside: Callable[[View], str]
    """Draws it as SVG for a page that holds other pictures."""
    _events: Callable[[], tuple[Event, ...]]
    _played: Callable[[], tuple[Played, ...]]
    why_not: Callable[[Action | str | int, str], tuple[Reason, ...]]
    """Says in a language why an answer is not possible, as far as who looks may know."""

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """What happened since the last decision."""
        return self._events()

    @cached_property
    def played(self) -> tuple[Played, ...]:
        """All actions taken so far."""
        return self._played()


def make_decision(
    context: RulesContext,
    action_table: ActionTable,
    question: Question,
    step: str | None,
    under_way: tuple[UnderWay, ...],
    seat: int | None = None,
) -> Decision:
    """Return a question as it is; for a seat, or a spectator, without what it may not know."""
    declared = context.checked.decisions.get(question.decision)
    types = _types(context, action_table, question)
    args = {name: _argument(action_table, types[name], value, seat) for name, value in question.arguments}
    id_ = question.decision if declared is None else declared.id

    def words(language: str) -> str:
        context.words.check(language)
        template = context.words.find(question.decision, language) or context.words.say(id_, language)
        labels = context.labels(language)
        return fill(template, {name: labels.value(types[name], args[name]) for name, _ in question.arguments})

    player = action_table.names.seats[question.player]

    def around() -> Surroundings:
        return surroundings(context, action_table.names, under_way, seat)

    return Decision(
        id_, question.decision, player, args, step, around, lambda: context.clauses_at(question.decision), words
    )


def _types(context: RulesContext, action_table: ActionTable, question: Question) -> dict[str, Type]:
    declared = context.checked.decisions.get(question.decision)
    if declared is not None:
        return {parameter.name: parameter.type for parameter in declared.parameters}
    (item,) = action_table.spaces[question.decision].choices[0].types
    return {"items": ListOf(item)}  # type: ignore[arg-type] # what is put in order is always an item


def _argument(action_table: ActionTable, type_: Type, value: Any, seat: int | None) -> Any:
    if seat is not None and isinstance(type_, HiddenType):
        return Hidden(str(type_.of))
    return action_table.names.readable(type_, value)
