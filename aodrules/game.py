"""A game that is played: who decides what, what is possible, what happened, how it stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from attrs import evolve, frozen

from aodrules.arguments import check_number, check_seed, check_text, check_type, format_argument, whole_number
from aodrules.errors import (
    AmbiguousActionError,
    ArgumentError,
    IllegalActionError,
    InvalidActionError,
    UndoError,
)
from aodrules.facts.state import LogEntry, Machine, PlainState, Question
from aodrules.interpreter.evaluation import Evaluator
from aodrules.interpreter.tables import Tables
from aodrules.play import saves
from aodrules.play.actions import Action, ActionTable
from aodrules.play.beliefs import Beliefs, Dealer, dealer_of
from aodrules.play.boards import BoardWords, board_html, format_board, heading
from aodrules.play.engines import failures, step_now
from aodrules.play.events import Event, EventTexts, Learned, events, events_for, is_revealing, learned_by
from aodrules.play.history import EVERY, Replay, Step, answers, has_passed, take_back
from aodrules.play.ids import SPECTATOR, IdTable
from aodrules.play.rules_context import RulesContext
from aodrules.play.scores import Score, Standing, ranking, scores
from aodrules.play.settings import Seating
from aodrules.play.states import CellReader, SeatReader, State
from aodrules.play.views import Decision, Played, View, ViewParts, make_decision
from aodrules.reasons import Reason, ReasonWriter, own_reason

__all__ = ["Action", "Decision", "Game", "Learned", "Seating"]


@frozen(eq=False)
class _Sample:
    """Where a game began that has no past, and what the seat it was dealt for, if any, had noticed until then."""

    machine: Machine
    seat: int | None = None
    events: tuple[Event, ...] = ()
    played: tuple[Played, ...] = ()


@frozen(eq=False)
class _GameTable:
    """What stays the same while a game is played, and in its copies."""

    context: RulesContext
    seating: Seating
    action_table: ActionTable
    texts: EventTexts
    sample: _Sample | None = None
    """Of a game that began in a position which somebody could believe in: it has no past but what they saw of it."""


_NEVER = -1
_new = object.__new__  # A copy is made attribute by attribute: nothing is computed, and copying is often what counts.


class Game:
    """A running game. It always waits for an answer or is over.

    Example:
        >>> import aodrules
        >>> game = aodrules.load("nim").new_game(players=2, seed=1)
        >>> game.push(game.actions[0])
        >>> game.decision.player
        'second'
        >>> game.push(str(game.actions[0]))
        >>> game.decision.player
        'first'
    """

    __slots__ = ("_beliefs", "_last", "_machine", "_plain", "_replay_log", "_table", "_told", "_until_kept", "codes")

    def __init__(
        self, context: RulesContext, seating: Seating, machine: Machine | None = None, sample: _Sample | None = None
    ) -> None:
        actions = context.actions(seating.seats)
        began = sample or (None if machine is None else _Sample(machine.copy()))
        self._table = _GameTable(context, seating, actions, EventTexts(context, actions.names), began)
        self._machine: Machine = machine or self._new_machine()
        self.codes = self._machine.codes
        """What is possible now, as numbers; to be read only."""
        self._last: Step | None = None
        self._until_kept = 0 if seating.undo else _NEVER
        self._plain: tuple[Step | None, PlainState] | None = None
        self._replay_log: Replay | None = None
        self._beliefs: Beliefs | None = None
        self._told: dict[int, tuple[Step | None, tuple[Played, ...]]] = {}
        """What a seat was told of the actions up to a step: it is not told again."""

    def _new_machine(self) -> Machine:
        if self._table.sample is not None:
            return self._table.sample.machine.copy()
        return self._begin(log=self._seating.log)

    def _begin(self, *, log: bool) -> Machine:
        seating = self._seating
        facts = self._context.facts(seating.seats, seating.settings)
        return self._context.machine(seating.engine, len(seating.seats), seating.seed, facts, log=log)

    @property
    def _context(self) -> RulesContext:
        return self._table.context

    @property
    def _seating(self) -> Seating:
        return self._table.seating

    @property
    def _action_table(self) -> ActionTable:
        return self._table.action_table

    @property
    def _names(self) -> IdTable:
        return self._table.action_table.names

    @property
    def _answers(self) -> list[int]:
        return answers(self._last)

    # Who sits at the table.

    @property
    def players(self) -> tuple[str, ...]:
        """The seats, in order."""
        return self._seating.seats

    @property
    def seed(self) -> int:
        """The number from which all chance comes."""
        return self._seating.seed

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the rules."""
        return self._context.checked.fingerprint

    # What may be done.

    @property
    def decision(self) -> Decision | None:
        """The question that waits; none when the game is over."""
        return self._decision_for(None)

    def _decision_for(self, seat: int | None) -> Decision | None:
        """Return the question that waits; for a seat without what it may not know."""
        pending = self._machine.pending
        if pending is None:
            return None
        return make_decision(self._context, self._action_table, pending, step_now(self._machine), seat)

    @property
    def actions(self) -> list[Action]:
        """What is possible now."""
        decision = self._machine.decision
        return [] if decision is None else self._table.action_table.actions(decision, self.codes)

    def push(self, action: Action | str | int) -> None:
        """Take an action: an `Action`, its text or its code.

        Raises:
            InvalidActionError: It is no action of this decision.
            IllegalActionError: It is not possible now. The game is unchanged.
            AmbiguousActionError: Its text fits several possible actions.
            TypeError: It is none of these.
        """
        if type(action) is int:
            code = action
        elif type(action) is Action and action.decision == self._machine.decision:
            code = action.code
        else:
            action = _check_answer(action)
            code = action if isinstance(action, int) else self._choose_code(action)
        if code not in self.codes:
            raise self._refusal(action)
        kept = None if self._until_kept < 0 else self._keep_point()
        self._last = (self._last, code, kept)
        self.codes = self._machine.apply(code)

    def _keep_point(self) -> Any:
        """Return this position, if it is one to go back to; every so often it is."""
        if self._until_kept:
            self._until_kept -= 1
            return None
        self._until_kept = EVERY - 1
        return self._machine.keep()

    def pop(self) -> Action:
        """Take back the last action and return it.

        Raises:
            UndoError: Nothing was done yet, or the game was begun with `undo=False`.
        """
        if not self._seating.undo:
            raise UndoError("this game was begun with `undo=False`: nothing in it can be taken back")
        if self._last is None:
            raise UndoError("there is nothing to take back")
        code = self._last[1]
        self._last = take_back(self._machine, self._last)
        self.codes = self._machine.codes
        self._until_kept = 0  # Who takes back tries something else, and may take that back too.
        return self._action_table.action(self._open_question().decision, code)

    @property
    def can_undo(self) -> bool:
        """Whether taking back the last action is fair: it used no chance and showed nobody anything hidden.

        This is advice; `pop` always works. Without a log there is no telling.
        """
        if self._last is None or not self._seating.undo or not self._seating.log:
            return False
        if any(is_revealing(self._names, entry) for entry in self._machine.happenings):
            return False
        return not self._told_in_the_open()

    def _told_in_the_open(self) -> bool:
        """Whether the last answer told all what only who decided could know to be possible."""
        decisions = self._context.checked.decisions.values()
        if not any(option.open for decision in decisions for option in decision.options):
            return False
        given = self._answers
        question = self._replay().questions(given)[-1]
        option = self._action_table.spaces[question.decision].decode(given[-1])[0].option
        return option is not None and option.open

    def copy(self) -> Game:
        """Return a game that goes on from here on its own."""
        other: Game = _new(Game)
        other._table = self._table
        other._machine = self._machine.copy()
        other.codes = self.codes
        other._last = self._last
        other._until_kept = self._until_kept
        other._plain = self._plain
        other._replay_log = other._beliefs = None
        other._told = {}
        return other

    __copy__ = copy  # What Python would copy is the reference to a machine that goes on.

    def __deepcopy__(self, _memo: dict[int, Any]) -> Game:
        return self.copy()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a game cannot be pickled; `game.save()` is a text from which `open_game` makes it again")

    def sample(self, player: str, seed: int) -> Game:
        """Return a game that goes on from here in a position the player could believe in.

        What the player cannot know is dealt anew by the seed, and so is all chance to come. It looks to the player as
        the true game does. The game is for looking ahead: it cannot be saved or taken back beyond this point.

        Raises:
            ArgumentError: There is no such seat or seed, or the game is played by the interpreter, which cannot be put
                into a position.
            SampleError: What the player cannot know cannot be dealt anew in a fair way; it says why.
        """
        machine = self.dealer(player).deal(check_seed(seed))
        view = self.view(player)
        sample = _Sample(machine.copy(), self._names.seat(player), view.events, view.played)
        return Game(self._context, evolve(self._seating, seed=seed), machine, sample)

    def dealer(self, player: str) -> Dealer:
        """Return a dealer of positions that the player could believe in at this question, for who needs many of them.

        Raises:
            ArgumentError: As for `sample`.
            SampleError: As for `sample`.
        """
        if self._beliefs is None:
            has_past = self._table.sample is None
            begin = (lambda: self._begin(log=True)) if has_past else None
            self._beliefs = Beliefs(self._action_table, self._table.texts, begin)
        return dealer_of(self._machine, self._beliefs, self._names.seat(player), self._answers)

    @property
    def machine(self) -> Machine:
        """The engine that plays, for those who drive it themselves."""
        return self._machine

    @property
    def book(self) -> RulesContext:
        """What stands behind the rules, for tools."""
        return self._context

    @property
    def tables(self) -> Tables:
        """Facts fixed by the rules and the number of players."""
        return self._names.tables

    def why_not(self, action: Action | str | int, language: str = "en", *, detail: bool = False) -> tuple[Reason, ...]:
        """Return every reason why an action is not possible now, the one that fits best first; nothing if it is.

        They speak to who decides and may tell what only that player knows.

        Args:
            action: An `Action`, its text or its code.
            language: The language of the sentences.
            detail: Whether sentences also show the conditions as written and what their parts are, for authors.
        """
        action, language = _check_answer(action), check_text("a language", language)
        pending = self._machine.pending
        if pending is None:
            return (own_reason("over", language),)
        codes = self._candidate_codes(action)
        if any(code in self.codes for code in codes):
            return ()
        asked = self._action_table.action(pending.decision, codes[0])
        space = self._action_table.spaces[pending.decision]
        choice, values = space.decode(codes[0])
        if choice.option is None:
            return (own_reason("not-listed", language, label=asked.label(language)),)
        evaluator = self._evaluator()
        found = failures(self._machine, evaluator, space, choice.option, values)
        return ReasonWriter(self._context, self._action_table, evaluator, language, detail).tell(
            asked, choice.option, found
        )

    # How it stands.

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        # A question always has a legal answer, and looking for codes is cheaper than making the question.
        return not self.codes

    @property
    def scores(self) -> dict[str, Score]:
        """The scores as if the game ended now, by player, each broken down by source and origin."""
        return scores(self._names, self._machine, self._evaluator())

    @property
    def ranking(self) -> tuple[Standing, ...]:
        """Where the players stand as if the game ended now, tie-breaks applied."""
        return ranking(self._names, self._machine)

    @property
    def state(self) -> State:
        """The state, to be read: `game.state["players.red.cash"]`, `game.state.players["red"].cash`."""
        return State(CellReader(self._names, self._state()))

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened since the last decision."""
        sample = self._table.sample
        if sample is not None and sample.seat is not None and self._last is None:
            return sample.events
        return events(self._table.texts, self._machine.happenings) if self._seating.log else ()

    def view(self, seat: str | None) -> View:
        """Return the game as one seat may see it; without a seat as spectators may, who see what is for everybody."""
        number = SPECTATOR if seat is None else self._names.seat(seat)
        decision = self._decision_for(number)
        actions = tuple(self.actions) if decision is not None and decision.player == seat else ()
        last, happenings = self._last, self._machine.happenings
        parts = ViewParts(
            self._context,
            decision,
            actions,
            lambda: self._events_for(number, last, happenings),
            lambda: self._played_for(number, last),
        )
        return View(SeatReader(self._names, self._state(), number), parts)

    def learned(self, seat: str, since: int | None = None) -> tuple[Learned, ...]:
        """Return the pieces that a seat got to see after so many actions had been taken. Needs the log.

        Args:
            seat: Whose knowledge is asked for.
            since: How many actions had been taken at the point in question; from before the set-up if not given.
        """
        number = self._names.seat(seat)
        self._check_past()
        answers_given = self._answers
        if since is not None:
            since = check_number("the number of actions taken before", since, 0, len(answers_given))
        log_entries = self._replay().log_entries(answers_given)[0 if since is None else since + 1 :]
        found = (learned_by(self._names, entry, number) for entries in log_entries for entry in entries)
        return tuple(one for one in found if one is not None)

    # Writing it down.

    def save(self, notes: Mapping[str, str] | None = None) -> str:
        """Return the game as readable text, from which `open_game` makes it again.

        Args:
            notes: What a front end wants to find again under `notes` of the text, such as who plays a seat.
        """
        return saves.format_save(self._context, self._notes(), self.state.plain(), _check_notes(notes))

    def record(self) -> str:
        """Return the line of play as text, from which `replay` makes the game again."""
        return saves.format_record(self._context, self._notes())

    def __repr__(self) -> str:
        return f"<Game of {self._context.checked.game.name}: {self.decision or 'over'}>"

    def __str__(self) -> str:
        return format_board(self._heading(), self._board().tables(self.state))

    def _repr_html_(self) -> str:
        return board_html(self._heading(), self._board().tables(self.state))

    def _heading(self) -> str:
        return heading(self._context, self.decision)

    def _board(self) -> BoardWords:
        return BoardWords(self._context, self.players)

    def _notes(self) -> saves.Notes:
        self._check_past()
        moves = [
            saves.SavedAction(self.players[seat], str(action)) for seat, action in self._played_actions(self._last)
        ]
        return saves.Notes(self._seating.seats, self._seating.seed, self._seating.settings, moves)

    def _played_actions(self, last: Step | None, told: int = 0) -> list[tuple[int, Action]]:
        """Return the actions taken up to a step, but for so many first ones, each with the seat that took it."""
        given = answers(last)
        questions, given = self._replay().questions(given)[told:], given[told:]
        return [
            (question.player, self._action_table.action(question.decision, code))
            for question, code in zip(questions, given, strict=True)
        ]

    def _events_for(self, seat: int, last: Step | None, happenings: tuple[LogEntry, ...]) -> tuple[Event, ...]:
        """Return what happened after a step, as far as a seat may know."""
        sample = self._table.sample
        if sample is not None and sample.seat is not None and last is None:
            return sample.events if sample.seat == seat else ()
        return events_for(self._table.texts, happenings, seat) if self._seating.log else ()

    def _played_for(self, seat: int, last: Step | None) -> tuple[Played, ...]:
        """Return the actions taken up to a step, of the hidden ones of others only the option."""
        sample = self._table.sample
        begun_with = sample.played if sample is not None and sample.seat == seat else ()
        before, found = self._told.get(seat, (None, begun_with))
        if not has_passed(last, before):
            found = begun_with
        new = () if last is before else self._played_actions(last, len(found) - len(begun_with))
        found = (*found, *(self._told_to(seat, player, action) for player, action in new))
        self._told[seat] = (last, found)
        return found

    def _told_to(self, seat: int, player: int, action: Action) -> Played:
        is_open = not action.hidden or player == seat
        return Played(self.players[player], action.text if is_open else action.text.split()[0])

    # Helpers.

    def _check_past(self) -> None:
        if self._table.sample is not None:
            raise ArgumentError("a sampled game has no past: it can neither be saved nor tell what was learned")

    def _state(self) -> PlainState:
        # What was read stays right until another step is taken; each step is an object of its own.
        if self._plain is None or self._plain[0] is not self._last:
            self._plain = (self._last, self._machine.plain())
        return self._plain[1]

    def _evaluator(self) -> Evaluator:
        return Evaluator(self._names.tables, self._state())

    def _replay(self) -> Replay:
        if self._replay_log is None:
            self._replay_log = Replay(self._new_machine)
        return self._replay_log

    def _candidate_codes(self, action: Action | str | int) -> list[int]:
        """Return the codes that an action, text or number may mean at this decision."""
        pending = self._machine.pending
        if pending is None:
            raise InvalidActionError(_text(action), "the game is over")
        if isinstance(action, int):
            return [self._action_table.action(pending.decision, action).code]
        if isinstance(action, Action):
            if action.decision != pending.decision:
                raise InvalidActionError(str(action), f"it answers another question than `{pending.decision}`")
            return [action.code]
        return self._action_table.codes_for(pending.decision, action)

    def _choose_code(self, action: Action | str) -> int:
        """Return the one possible code that is meant, or any impossible one."""
        codes = self._candidate_codes(action)
        possible = [code for code in codes if code in self.codes]
        if len(possible) > 1:
            decision = self._open_question().decision
            raise AmbiguousActionError(str(action), list(map(str, self._action_table.actions(decision, possible))))
        return (possible or codes)[0]

    def _open_question(self) -> Question:
        pending = self._machine.pending
        assert pending is not None  # asked only while somebody is
        return pending

    def _refusal(self, action: Action | str | int) -> Exception:
        """Return the error that says why an action is refused."""
        reasons = self.why_not(action)
        first = reasons[0]
        if first.id == "game-over":
            return InvalidActionError(_text(action), "the game is over")
        text = action
        if isinstance(action, int):
            text = str(self._action_table.action(self._open_question().decision, action))
        return IllegalActionError(str(text), str(first), first.id, first.because, reasons)


def _check_notes(given: Mapping[str, str] | None) -> dict[str, str]:
    """Return the notes of a front end, which are texts by name."""
    if given is None:
        return {}
    check_type("`notes`", given, Mapping)
    return {check_text("the name of a note", name): check_text("a note", text) for name, text in given.items()}


def _check_answer(given: object) -> Action | str | int:
    """Return what was given as an answer; a code as a plain number."""
    if isinstance(given, Action | str):
        return given
    code = whole_number(given)
    if code is None:
        raise TypeError(f"an answer is an action, its text or its code, not {format_argument(given)}")
    return code


def _text(action: Action | str | int) -> str:
    return format_argument(action) if isinstance(action, int) else str(action)
