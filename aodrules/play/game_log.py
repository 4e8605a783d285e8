"""The whole log of a game for somebody: what happened, by named step and by answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from attrs import define, evolve, field, frozen

from aodrules.arguments import check_text
from aodrules.play.actions import Action, ActionTable
from aodrules.play.event_types import Event, StepEvent
from aodrules.play.events import EventTexts, events, events_for
from aodrules.play.history import Moment, Replay


@frozen
class LogTurn:
    """What happened upon one answer, as far as one named step goes.

    Examples:
        >>> import aodrules
        >>> game = aodrules.load("nim").new_game(players=2, seed=1)
        >>> game.push("take low_heap 1")
        >>> turn = game.log(since=0)[0].turns[0]
        >>> turn.number, turn.player, turn.label("en"), len(turn.events)
        (1, 'first', 'Take: Low heap, 1', 2)
    """

    number: int
    """How many answers had been given then; 0 for the set-up."""
    player: str | None
    """The seat that answered; none for the set-up, and for what its answer did in later steps."""
    action: str | None
    """What it answered; of a hidden action of somebody else only the option."""
    events: tuple[Event, ...]
    """What happened, without bookkeeping unless that was asked for."""
    _label: Callable[[str], str] | None = field(default=None, eq=False, repr=False)

    def label(self, language: str = "en") -> str:
        """Return what was answered, in the words of a language; nothing where nobody answered."""
        check_text("a language", language)
        return (self.action or "") if self._label is None else self._label(language)


@frozen
class LogGroup:
    """What happened while a named step was the innermost one, or outside of all.

    Examples:
        >>> import aodrules
        >>> game = aodrules.load("harbour").new_game(players=2, seed=1)
        >>> [(group.title(), len(group.turns)) for group in game.log()][:2]
        [('Order', 1), ('Town', 1)]
    """

    step: str | None
    """Its address."""
    continued: bool
    """Whether it began before, and other steps inside it have been told since."""
    turns: tuple[LogTurn, ...]
    """What happened there, by answer."""
    _title: Callable[[str], str] | None = field(default=None, eq=False, repr=False)

    def title(self, language: str = "en") -> str:
        """Return what the step is called in a language; nothing outside of all steps."""
        check_text("a language", language)
        return (self.step or "") if self._title is None or self.step is None else self._title(language)


class LogReader(NamedTuple):
    """For whom a log is, and what of it."""

    seat: int
    """A seat, or `SPECTATOR`."""
    noise: bool
    secrets: bool


@frozen(eq=False)
class LogPart:
    """Events of one answer in one step."""

    step: str | None
    begun: bool
    """Whether the step begins with it."""
    turn: LogTurn

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to tell."""
        return not self.turn.events and self.turn.player is None


@frozen(eq=False)
class _Told:
    """One moment of a game as somebody is told it, and the step that is shown after it."""

    moment: Moment
    parts: tuple[LogPart, ...]
    step: str | None


@define(eq=False)
class GameLog:
    """Tells the past of a game; what was told once is kept until it is taken back."""

    _texts: EventTexts
    _actions: ActionTable
    _replay: Replay
    _first: int = 0
    """How many answers had been given before."""
    _told: dict[LogReader, list[_Told]] = field(factory=dict, init=False)

    def parts(self, answers: Sequence[int], reader: LogReader) -> list[LogPart]:
        """Return all parts of the log."""
        moments = self._replay.moments(answers)
        told = self._told.setdefault(reader, [])
        while told and (len(told) > len(moments) or told[-1].moment is not moments[len(told) - 1]):
            told.pop()
        for number in range(len(told), len(moments)):
            told.append(self._tell(moments[number], number, told[-1].step if told else None, reader))
        return [part for one in told for part in one.parts]

    def _tell(self, moment: Moment, number: int, step: str | None, reader: LogReader) -> _Told:
        happenings = moment.happenings.merged()
        made = events(self._texts, happenings) if reader.secrets else events_for(self._texts, happenings, reader.seat)
        parts = [LogPart(step, begun=False, turn=self._answered(moment, self._first + number, reader))]
        for event in made:
            if isinstance(event, StepEvent) and not event.noise:
                parts.append(LogPart(event.step, begun=True, turn=LogTurn(self._first + number, None, None, ())))
            if reader.noise or not (event.noise or isinstance(event, StepEvent)):
                turn = evolve(parts[-1].turn, events=(*parts[-1].turn.events, event))
                parts[-1] = evolve(parts[-1], turn=turn)
        shown = parts[-1].step
        if moment.step is None or not self._texts.is_nameless(moment.step, "verb."):
            shown = moment.step
        return _Told(moment, tuple(part for part in parts if part.begun or not part.is_empty), shown)

    def _answered(self, moment: Moment, number: int, reader: LogReader) -> LogTurn:
        if moment.question is None or moment.answer is None:
            return LogTurn(number, None, None, ())
        action = self._actions.action(moment.question.decision, moment.answer)
        player = self._actions.names.seats[moment.question.player]
        if reader.secrets or not action.hidden or moment.question.player == reader.seat:
            return LogTurn(number, player, action.text, (), action.label)
        return LogTurn(number, player, action.text.split()[0], (), self._label_of_option(action))

    def _label_of_option(self, action: Action) -> Callable[[str], str]:
        def label(language: str) -> str:
            labels = self._texts.context.labels(language)
            return labels.find(f"{action.address}.alone") or labels.say(action.option)

        return label

    def grouped(self, parts: Iterable[LogPart], since: int | None = None) -> tuple[LogGroup, ...]:
        """Return parts by step, those after so many answers."""
        found: list[tuple[str | None, bool, list[LogTurn]]] = []
        step, begun = None, False
        for part in parts:
            begun = part.begun or (begun and part.step == step)
            is_new = begun or part.step != step or not found
            step = part.step
            if part.is_empty:
                continue
            if since is not None and part.turn.number <= since:
                begun = False  # Whoever asks for what came since has seen it.
                continue
            if is_new:
                found.append((step, step is not None and not begun, []))
            found[-1][2].append(part.turn)
            begun = False
        return tuple(LogGroup(step, continued, tuple(turns), self._title(step)) for step, continued, turns in found)

    def _title(self, step: str | None) -> Callable[[str], str] | None:
        if step is None:
            return None
        return lambda language: self._texts.context.labels(language).say(step)
