"""A game that is played: who decides what, what is possible, what happened, how it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, NoReturn

from attrs import evolve, field, frozen

from aodrules.arguments import check_number, check_seed, check_text, check_type, format_argument, whole_number
from aodrules.errors import (
    AmbiguousActionError,
    ArgumentError,
    IllegalActionError,
    InvalidActionError,
    UndoError,
)
from aodrules.facts.state import Cause, LogEntry, Machine, PlainState, Question
from aodrules.interpreter.evaluation import Evaluator
from aodrules.interpreter.tables import Tables
from aodrules.play import saves
from aodrules.play.actions import Action, ActionTable, near_texts
from aodrules.play.beliefs import Beliefs, Dealer, dealer_of
from aodrules.play.boards import BoardWords, board_html, format_board, heading
from aodrules.play.choices import Choices
from aodrules.play.engines import failures, step_now
from aodrules.play.event_types import Event
from aodrules.play.events import EventTexts, Happenings, Learned, events, events_for, is_revealing, learned_by
from aodrules.play.game_log import GameLog, LogGroup, LogPart, LogReader
from aodrules.play.going_back import CHANCE_ENTRIES, Past, UndoNeeds, is_learned
from aodrules.play.history import EVERY, ROOM, Ahead, Replay, Step, answers, go_to, has_passed, take_back, wider
from aodrules.play.ids import SPECTATOR, IdTable
from aodrules.play.reason import Reason
from aodrules.play.record_notes import NO_NOTES
from aodrules.play.record_text import UNFINISHED, format_record, format_result
from aodrules.play.rules_context import RulesContext
from aodrules.play.scores import Score, Standing, ranking, scores
from aodrules.play.settings import Seating
from aodrules.play.states import CellReader, Hidden, SeatReader, State
from aodrules.play.values import as_known, value_of
from aodrules.play.views import Decision, Played, View, ViewParts, make_decision
from aodrules.reasons import ReasonWriter, choices_now, own_reason
from aodrules.source.wording import quotes

if TYPE_CHECKING:
    from aodrules.rulebook import Rules

__all__ = ["Action", "Decision", "Game", "Learned", "Seating"]


@frozen(eq=False)
class _Sample:
    """Where a game began that has no past, and what the seat it was dealt for, if any, had noticed until then."""

    machine: Machine
    seat: int | None = None
    events: tuple[Event, ...] = ()
    played: tuple[Played, ...] = ()
    origin: Game | None = None
    """The game it was dealt from, as it was then."""


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


@frozen
class WhatIf:
    """What an answer did in one position that the seat could believe in.

    What the seat cannot know was dealt anew there, so it is one of many ways in which it might go: what `chance` tells
    would fall out otherwise in another.

    Examples:
        >>> import aodrules
        >>> game = aodrules.load("nim").new_game(players=2, seed=1)
        >>> found = game.what_if("first", game.actions[0])
        >>> found.is_certain, str(found.game.decision)
        (True, 'second: take')
    """

    seat: str
    """For whom it was tried."""
    action: str
    """The text of the answer that was tried."""
    seed: int
    """What was dealt anew comes from it."""
    events: tuple[Event, ...]
    """What happened, as far as the seat would notice."""
    chance: tuple[Event, ...]
    """Those of the events that chance decided, or something that the seat does not know."""
    is_certain: bool
    """Whether nothing was left to chance, so that the true game would go the same way as far as the seat notices."""
    points: dict[str, int] = field(hash=False)
    """By how much each player's points would change, where they do."""
    _game: Game | None = field(default=None, eq=False, repr=False)

    @property
    def game(self) -> Game:
        """The game after it, to go on from: a branch, of which the true game knows nothing.

        Raises:
            AttributeError: It was read from JSON, and no game is behind it.
        """
        if self._game is None:
            raise AttributeError("what was read from JSON has no game behind it")
        return self._game


class Game:
    """A running game. It always waits for an answer or is over.

    Examples:
        >>> import aodrules
        >>> game = aodrules.load("nim").new_game(players=2, seed=1)
        >>> game.push(game.actions[0])
        >>> str(game.decision)
        'second: take'
        >>> game.push(str(game.actions[0]))
        >>> str(game.decision)
        'first: take'
    """

    __slots__ = (
        "_ahead",
        "_beliefs",
        "_last",
        "_log",
        "_machine",
        "_notes",
        "_plain",
        "_replay_log",
        "_spread",
        "_table",
        "_told",
        "_until_kept",
        "codes",
    )

    def __init__(
        self, context: RulesContext, seating: Seating, machine: Machine | None = None, sample: _Sample | None = None
    ) -> None:
        actions = context.actions(seating.seats)
        began = sample or (None if machine is None else _Sample(machine.copy()))
        self._table = _GameTable(context, seating, actions, EventTexts(context, actions.names), began)
        self._machine: Machine = machine or self._new_machine()
        self.codes: tuple[int, ...] = self._machine.codes
        """What is possible now, as numbers; to be read only."""
        self._last: Step | None = None
        self._until_kept = 0 if seating.undo else _NEVER
        self._spread = EVERY, ROOM
        self._plain: tuple[Step | None, PlainState] | None = None
        self._replay_log: Replay | None = None
        self._log: GameLog | None = None
        self._beliefs: Beliefs | None = None
        self._ahead: Ahead | None = None
        self._notes = NO_NOTES
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
    def rules(self) -> Rules:
        """The rules that it is played by."""
        from aodrules.rulebook import Rules  # lazy: rules make games, so they know this module

        return Rules(self._context, self._context.warnings)

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
        machine = self._machine
        return make_decision(self._context, self._action_table, pending, step_now(machine), machine.under_way, seat)

    @property
    def actions(self) -> list[Action]:
        """What is possible now."""
        decision = self._machine.decision
        return [] if decision is None else self._table.action_table.actions(decision, self.codes)

    @property
    def choices(self) -> Choices | None:
        """An answer to the question that waits, to be made part by part; nothing when the game is over."""
        last = self._last

        def check() -> None:
            if self._last is not last:
                raise ArgumentError("the game has gone on since these choices were made; ask it for `choices` again")

        return choices_now(self._context, self._action_table, self._machine, self._evaluator, check)

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
        self._spread = wider(*self._spread, self._machine.size)
        self._until_kept = self._spread[0] - 1
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
        self._ahead = None
        self._last = take_back(self._machine, self._last)
        self.codes = self._machine.codes
        self._until_kept = 0  # Who takes back tries something else, and may take that back too.
        return self._action_table.action(self._open_question().decision, code)

    @property
    def answered(self) -> int:
        """How many answers were given; in a sample, with those before it."""
        origin = None if self._table.sample is None else self._table.sample.origin
        return len(self._answers) + (0 if origin is None else origin.answered)

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

    # Back and forth.

    def undo_needs(self, seat: str) -> UndoNeeds | None:
        """Return what it takes that a seat takes back its last turn: who must agree, and why; nothing if it had none.

        A turn is a row of answers of one seat. Nobody has to agree if the last answer is the seat's own, nobody else is
        asked now, and neither did chance decide anything nor did something hidden come to light. It is told from what
        the seat may know. Needs the log.

        Raises:
            UndoError: The game was begun with `undo=False` or without a log.
        """
        number = self._names.seat(seat)
        past = self._past()
        start = past.turn_start(number)
        if start is None:
            return None
        agree = {self.players[other]: tuple(reasons) for other, reasons in past.reasons(number, start).items()}
        told = events_for(self._table.texts, Happenings(past.telling(number, start)), number)
        return UndoNeeds(seat, start, len(past.questions) - start, agree, told, self._context.labels)

    def undo(self, seat: str, agreed: Iterable[str] = ()) -> tuple[Action, ...]:
        """Take back a seat's last turn with all that came after it, and return the answers that were taken back.

        Args:
            seat: Who takes back.
            agreed: The seats that agreed; all those must have that `undo_needs` names.

        Raises:
            UndoError: The seat has no turn to take back, or somebody did not agree.
        """
        needs, given = self.undo_needs(seat), {self.players[self._names.seat(one)] for one in _check_seats(agreed)}
        if needs is None:
            raise UndoError(f"`{seat}` has not answered anything that could be taken back")
        missing = [one for one in needs.agree if one not in given]
        if missing:
            raise UndoError(f"{quotes(missing)} must agree that `{seat}` takes back {needs.answers}: {needs.text()}")
        taken = tuple(action for _, action in self._played_actions(self._last)[needs.to :])
        self.goto(needs.to)
        return taken

    def redo(self) -> None:
        """Give again what the last `undo` or `goto` took back.

        Raises:
            UndoError: Nothing was taken back, or another answer was given since.
        """
        ahead = self._ahead
        if ahead is None or ahead.last is not self._last:
            raise UndoError("there is nothing to give again")
        self._go_on(ahead, ahead.marks[-1])

    def goto(self, number: int) -> None:
        """Go to where so many answers had been given: back, or on through those that were taken back.

        It asks nobody. What lies ahead is kept until another answer is given.

        Raises:
            ArgumentError: There are not so many answers.
            UndoError: The game was begun with `undo=False`.
        """
        if not self._seating.undo:
            raise UndoError("this game was begun with `undo=False`: nothing in it can be taken back")
        given = self._answers
        ahead = self._ahead
        if ahead is None or ahead.last is not self._last:
            ahead = Ahead(self._last)
        number = check_number("the number of answers", number, 0, len(given) + len(ahead.codes))
        if number > len(given):
            self._go_on(ahead, number)
        elif number < len(given):
            assert self._last is not None  # somebody answered
            self._last = go_to(self._machine, self._last, number)
            self.codes = self._machine.codes
            self._until_kept = 0
            self._ahead = Ahead(self._last, (*given[number:], *ahead.codes), (*ahead.marks, len(given)))

    def _go_on(self, ahead: Ahead, number: int) -> None:
        """Give answers that were taken back again, until there are so many."""
        count = number - len(self._answers)
        for code in ahead.codes[:count]:
            self.push(code)
        marks = tuple(mark for mark in ahead.marks if mark > number)
        self._ahead = Ahead(self._last, ahead.codes[count:], marks) if ahead.codes[count:] else None

    def _past(self) -> Past:
        """Return the answers so far, as they are looked at for going back."""
        if not self._seating.undo or not self._seating.log:
            why = "undo=False" if not self._seating.undo else "log=False"
            raise UndoError(f"this game was begun with `{why}`: there is no telling what going back needs")
        given, replay, spaces = self._answers, self._replay(), self._action_table.spaces
        questions = replay.questions(given)
        choices = [spaces[one.decision].decode(code)[0] for one, code in zip(questions, given, strict=True)]
        asked = self._machine.pending
        return Past(
            self._names,
            questions,
            choices,
            replay.log_entries(given)[1:],
            replay.chances(given),
            None if asked is None else asked.player,
            self._state().left,
        )

    def leaving(self, seat: str) -> tuple[Action, ...]:
        """Return the answers by which a seat leaves the game now; none if others decide or the rules allow none.

        These are the possible ones whose steps let the seat itself leave, whatever else they do.
        """
        number, pending = self._names.seat(seat), self._machine.pending
        if pending is None or pending.player != number:
            return ()
        options = self._context.leaving_options
        return tuple(action for action in self.actions if action.address in options)

    def branch(self, seat: str, *, seed: int = 0) -> Game:
        """Return a game for analysis from here: what the seat does not know is dealt anew, and so is all chance.

        It is the same as `sample`, and has no part of what is hidden in the true game, as a copy would: whoever looks
        ahead in it learns nothing that the seat does not know.

        Raises:
            ArgumentError: As for `sample`.
            SampleError: As for `sample`.
        """
        return self.sample(seat, seed)

    def what_if(self, seat: str, action: Action | str | int, *, seed: int = 0) -> WhatIf:
        """Return what an answer would do, tried out in a branch: never in the true game, whose chance nobody may know.

        Raises:
            ActionError: It is no answer that is possible now.
            ArgumentError: The seat is not asked now, or as for `sample`.
            SampleError: As for `sample`.
        """
        decision = self.decision
        if decision is None or decision.player != seat:
            self._names.seat(seat)
            asked = "nobody" if decision is None else f"`{decision.player}`"
            raise ArgumentError(f"what if is asked for the seat that decides, which is {asked}, not `{seat}`")
        answer = _check_answer(action)
        code = answer if isinstance(answer, int) else self._choose_code(answer)
        branch = self.branch(seat, seed=seed)
        before, generator = branch.points, branch.machine.generator
        branch.push(code)
        points = {one: branch.points[one] - before[one] for one in self.players if branch.points[one] != before[one]}
        number = self._names.seat(seat)
        entries = branch.machine.happenings
        is_chance = branch.machine.generator != generator
        told = tuple(entry for entry in entries if entry[0] in CHANCE_ENTRIES or is_learned(self._names, entry, number))
        return WhatIf(
            seat,
            str(self._action_table.action(decision.address, code)),
            seed,
            branch.view(seat).events,
            events_for(self._table.texts, Happenings(told), number),
            not is_chance and not told,
            points,
            branch,
        )

    @property
    def points(self) -> dict[str, int]:
        """Each player's points in all, as if the game ended now; `scores` says where they come from."""
        return {seat: self._machine.total(number) for number, seat in enumerate(self.players)}

    def copy(self) -> Game:
        """Return a game that goes on from here on its own."""
        other: Game = _new(Game)
        other._table = self._table
        other._machine = self._machine.copy()
        other.codes = self.codes
        other._last = self._last
        other._until_kept = self._until_kept
        other._spread = self._spread
        other._plain = self._plain
        other._replay_log = other._log = other._beliefs = None
        other._ahead, other._notes = self._ahead, self._notes
        other._told = {}
        other._replay_log = other._log = other._beliefs = None
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
        sample = _Sample(machine.copy(), self._names.seat(player), view.events, view.played, self.copy())
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
        return self._reasons(action, language, detail=detail)

    def _reasons_at(self, seat: int) -> Callable[[Action | str | int, str], tuple[Reason, ...]]:
        """Return what tells a seat why something is not possible, as long as nobody has answered."""
        last = self._last

        def find(action: Action | str | int, language: str) -> tuple[Reason, ...]:
            if self._last is not last:
                raise ArgumentError("the game has gone on since this view was made; ask it for `view` again")
            return self._reasons_for(seat, action, language)

        return find

    def _reasons_for(self, seat: int, action: Action | str | int, language: str) -> tuple[Reason, ...]:
        """Return why an action is not possible now, to a seat that may know that.

        Raises:
            SecretError: It depends on what the seat may not know.
        """
        pending = self._machine.pending
        if pending is None or pending.player == seat:
            return self._reasons(action, language)
        decision = self._decision_for(seat)
        assert decision is not None
        known = {"player", *(name for name, value in decision.args.items() if not isinstance(value, Hidden))}

        def find(evaluator: Evaluator) -> tuple[Reason, ...]:
            return self._reasons(action, language, evaluator=evaluator, known=known)

        return as_known(self._names, self._state(), seat, "why that is not possible", find)

    def _reasons(
        self,
        action: Action | str | int,
        language: str,
        *,
        detail: bool = False,
        evaluator: Evaluator | None = None,
        known: set[str] | None = None,
    ) -> tuple[Reason, ...]:
        """Return why an action is not possible now; with an evaluator and names that tell only what somebody knows."""
        action, language = _check_answer(action), self._context.words.check(language)
        pending = self._machine.pending
        if pending is None:
            return (own_reason("over", language),)
        codes = self._candidate_codes(action, is_told=known is None)
        space = self._action_table.spaces[pending.decision]
        choice, values = space.decode(codes[0])
        # What has no conditions, such as to pass, is told with the question; else conditions tell, where that counts.
        if (known is None or choice.option is None) and any(code in self.codes for code in codes):
            return ()
        asked = self._action_table.action(pending.decision, codes[0])
        if choice.option is None:
            return (own_reason("not-listed", language, label=asked.label(language)),)
        evaluator = evaluator or self._evaluator()
        found = failures(self._machine, evaluator, space, choice.option, values, known)
        if known is not None and not found:
            return ()
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
        return scores(self._names, self._machine, self._evaluator(), self._context.labels)

    @property
    def ranking(self) -> tuple[Standing, ...]:
        """Where the players stand as if the game ended now, tie-breaks applied."""
        return ranking(self._names, self._machine, self._context.labels)

    @property
    def state(self) -> State:
        """The state, to be read: `game.state["players.red.cash"]`, `game.state.players["red"].cash`."""
        return State(CellReader(self._names, self._state()))

    def value(self, name: str, /, **arguments: Any) -> Any:
        """Return what a value of the rules is worth now, modifiers applied; arguments as people write them.

        It may tell secrets: what a seat may know is `game.view(seat).value(...)`.

        Raises:
            ArgumentError: There is no such value, or it is given something else.

        Examples:
            >>> import aodrules
            >>> aodrules.load("nim").new_game(players=2, seed=1).value("total", player="first")
            0
        """
        return value_of(self._names, self._evaluator(), name, arguments)

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened since the last decision."""
        sample = self._table.sample
        if sample is not None and sample.seat is not None and self._last is None:
            return sample.events
        return events(self._table.texts, self._happenings(*self._noted())) if self._seating.log else ()

    def log(
        self, seat: str | None = None, since: int | None = None, *, noise: bool = False, secrets: bool = False
    ) -> tuple[LogGroup, ...]:
        """Return all that happened so far, by named step and by answer; what was told before is not made anew.

        Args:
            seat: For whom it is; for somebody who only looks on if not given.
            since: Only what came after so many actions had been taken; from the set-up on if not given.
            noise: Whether bookkeeping is told too: see `event.noise`.
            secrets: Whether all secrets are told, as `game.events` does. Never send that to a player.

        Examples:
            >>> import aodrules
            >>> game = aodrules.load("nim").new_game(players=2, seed=1)
            >>> game.push(game.actions[0])
            >>> for group in game.log(since=0):
            ...     for turn in group.turns:
            ...         print(turn.player, [event.kind for event in turn.events])
            first ['move', 'set']
        """
        number = SPECTATOR if seat is None else self._names.seat(seat)
        if since is not None:
            since = check_number("the number of actions taken before", since, 0, self.answered)
        check_type("`noise`", noise, bool)
        check_type("`secrets`", secrets, bool)
        return self._game_log().grouped(self._log_parts(LogReader(number, noise, secrets)), since)

    def view(self, seat: str | None) -> View:
        """Return the game as one seat may see it; without a seat as spectators may, who see what is for everybody."""
        number = SPECTATOR if seat is None else self._names.seat(seat)
        decision = self._decision_for(number)
        decides = decision is not None and decision.player == seat
        actions = tuple(self.actions) if decides else ()
        choices = self.choices if decides else None
        last, happenings = self._last, partial(self._happenings, *self._noted())
        parts = ViewParts(
            self._context,
            decision,
            actions,
            choices,
            _draw,
            _draw_inside,
            lambda: self._events_for(number, last, happenings),
            lambda: self._played_for(number, last),
            self._reasons_at(number),
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
        return saves.format_save(self._context, self._saved_notes(), self.state.plain(), _check_notes(notes))

    def record(self) -> str:
        """Return the line of play as text, from which `replay` makes the game again, with its head and comments."""
        told = self._notes.told(self._answers)
        return format_record(self._context, self._saved_notes(), told, self.result)

    @property
    def result(self) -> str:
        """How the game ended, on one line: who won, and the points of all; `unfinished` before that."""
        return format_result(self.ranking, self.points) if self.over else UNFINISHED

    def set_head(self, *, names: Mapping[str, str] | None = None, date: str | None = None) -> None:
        """Let the head of the record say who played and when; what is not given stays as it was.

        Args:
            names: What the players are called, by seat.
            date: When it was played, as in `2031-05-17`.

        Raises:
            ArgumentError: There is no such seat, or something is no name or no date.
        """
        self._notes = self._notes.with_head(self.players, names, date)

    @property
    def comments(self) -> dict[int, str]:
        """The comments on the line of play, each under the number of the answer after which it stands."""
        return self._notes.told(self._answers).comments

    def comment(self, text: str, after: int | None = None) -> None:
        """Write a comment behind an answer, in place of the one that stood there; an empty one takes it away.

        It belongs to the line of play up to there: where another answer is given instead, it is not told.

        Args:
            text: What is said; it may have several lines.
            after: After how many answers; after the last one if not given, and 0 is before the first.
        """
        given = self._answers
        place = len(given) if after is None else check_number("the number of answers", after, 0, len(given))
        self._notes = self._notes.with_comment(given[:place], check_text("a comment", text))

    def _repr_svg_(self) -> str:
        """Return the picture that notebooks show, as those see the game who have no seat."""
        return _draw(self)

    def __repr__(self) -> str:
        return f"<Game of {self._context.checked.game.name}: {self.decision or 'over'}>"

    def __str__(self) -> str:
        return format_board(self._heading(), self._board().tables(self.state))

    def _repr_html_(self) -> str:
        return board_html(self._heading(), self._board().tables(self.state), _draw_inside(self))

    def _heading(self) -> str:
        return heading(self._context, self.decision)

    def _board(self) -> BoardWords:
        return BoardWords(self._context, self.players)

    def _saved_notes(self) -> saves.Notes:
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

    def _events_for(self, seat: int, last: Step | None, happenings: Callable[[], Happenings]) -> tuple[Event, ...]:
        """Return what happened after a step, as far as a seat may know."""
        sample = self._table.sample
        if sample is not None and sample.seat is not None and last is None:
            return sample.events if sample.seat == seat else ()
        return events_for(self._table.texts, happenings(), seat) if self._seating.log else ()

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
            self._replay_log = Replay(self._new_machine, self._table.texts)
        return self._replay_log

    def _noted(self) -> tuple[Step | None, tuple[LogEntry, ...], tuple[Cause | None, ...], PlainState]:
        """Return what was noted since the last answer, which is the first of it, and the state it led to."""
        return self._last, self._machine.happenings, self._machine.causes, self._state()

    def _happenings(
        self, last: Step | None, entries: tuple[LogEntry, ...], causes: tuple[Cause | None, ...], state: PlainState
    ) -> Happenings:
        """Return what was noted since an answer, with who gave it."""
        by = None if last is None else self._replay().questions(answers(last))[-1].player
        return Happenings(entries, causes, by, state if self._table.texts.needs_state(causes) else None)

    def _log_parts(self, reader: LogReader) -> list[LogPart]:
        """Return the parts of the log; of what was before a sample those that its seat had noticed."""
        sample, past = self._table.sample, list[LogPart]()
        if sample is not None and sample.origin is not None and sample.seat == reader.seat and not reader.secrets:
            past = sample.origin._log_parts(reader)  # noqa: SLF001 - a game of our own
        return past + self._game_log().parts(self._answers, reader)

    def _game_log(self) -> GameLog:
        if self._log is None:
            replay = self._replay()
            if not self._seating.log and self._table.sample is None:
                replay = Replay(lambda: self._begin(log=True), self._table.texts)
            before = self.answered - len(self._answers)
            self._log = GameLog(self._table.texts, self._action_table, replay, before)
        return self._log

    def _candidate_codes(self, action: Action | str | int, *, is_told: bool = True) -> list[int]:
        """Return the codes that an action, text or number may mean at this decision.

        Unless `is_told`, the error does not tell which possible one may be meant.
        """
        pending = self._machine.pending
        if pending is None:
            raise InvalidActionError(_text(action), "the game is over")
        if isinstance(action, Action):
            if action.decision != pending.decision:
                raise InvalidActionError(str(action), f"it answers another question than `{pending.decision}`")
            action = action.code
        if isinstance(action, int):
            return [self._action_table.action(pending.decision, action).code]
        try:
            return self._action_table.codes_for(pending.decision, action)
        except InvalidActionError as error:
            if not is_told:
                raise
            possible = islice(map(str, map(partial(self._action_table.action, pending.decision), self.codes)), 1000)
            raise InvalidActionError(error.text, error.why, near_texts(error.text, possible)) from None

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


def _draw(shown: Game | View) -> str:
    """Return a picture as notebooks show it, of a game as those see it who have no seat."""
    from aodrules.svg import render  # lazy: most games are never looked at

    return render(shown)


def _draw_inside(shown: Game | View) -> str:
    """Return a picture for a page that may hold others."""
    from aodrules.svg import render_inside

    return render_inside(shown)


def _check_seats(given: object) -> tuple[str, ...]:
    """Return seats that were given, of which one alone need not be put in a list."""
    if isinstance(given, str):
        return (given,)
    check_type("the seats that agreed", given, Iterable)
    return tuple(given)  # type: ignore[arg-type]  # it can be gone through


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
