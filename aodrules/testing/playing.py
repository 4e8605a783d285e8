"""Games on the reference engine: somebody looks on from the first step, and laws are held to what is played.

How a player's temper chooses, every law that is broken, and what else came of a game.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from attrs import define, field, frozen

from aodrules.arguments import check_number, check_one_of, check_seed, check_type
from aodrules.check.steps import AnyStep, Call, Step
from aodrules.facts.action_codes import ActionSpace
from aodrules.facts.state import PlainState
from aodrules.interpreter.entry.enter_at_step import EntryPoint
from aodrules.interpreter.evaluation import Evaluator
from aodrules.interpreter.interpreter import Interpreter
from aodrules.interpreter.options import Locals
from aodrules.lang.types import NUMBER, PLAYER
from aodrules.play.comparison import odd_among
from aodrules.play.rules_context import RulesContext
from aodrules.play.settings import Settings
from aodrules.testing.law_values import PartValue, Reads, values_of
from aodrules.testing.properties import Property


class GameObserver:
    """An `Observer` who is told of the game before it begins; each kind overrides what it notes."""

    def watch(self, interpreter: Interpreter) -> None:
        """Begin to look on."""

    def on_step(self, step: AnyStep, names: Locals) -> None:
        """See `Observer`, as for all that follow."""

    def on_skip(self, decision: str, names: Locals) -> None:
        """A decision is not asked."""

    def on_option(self, decision: str, option: str) -> None:
        """An answer was given."""

    def after_option(self, decision: str, option: str, names: Locals) -> None:
        """Its steps are done."""

    def on_event(self, event: str, names: Locals) -> None:
        """Everybody has reacted to an event."""


@frozen(eq=False)
class _Observers(GameObserver):
    """Several who look on."""

    members: tuple[GameObserver, ...]

    def watch(self, interpreter: Interpreter) -> None:
        for member in self.members:
            member.watch(interpreter)

    def on_step(self, step: AnyStep, names: Locals) -> None:
        for member in self.members:
            member.on_step(step, names)

    def on_skip(self, decision: str, names: Locals) -> None:
        for member in self.members:
            member.on_skip(decision, names)

    def on_option(self, decision: str, option: str) -> None:
        for member in self.members:
            member.on_option(decision, option)

    def after_option(self, decision: str, option: str, names: Locals) -> None:
        for member in self.members:
            member.after_option(decision, option, names)

    def on_event(self, event: str, names: Locals) -> None:
        for member in self.members:
            member.on_event(event, names)


def observed_game(
    book: RulesContext,
    seats: tuple[str, ...],
    seed: int,
    observers: Sequence[GameObserver],
    *,
    settings: Settings = (),
    entry: EntryPoint | None = None,
) -> Interpreter:
    """Return a game at its first question, its set-up or way in looked on as well."""
    observer = observers[0] if len(observers) == 1 else _Observers(tuple(observers))
    return Interpreter(
        book.checked,
        len(seats),
        seed,
        book.tables(len(seats), book.facts(seats, settings)),
        spaces=book.actions(seats).spaces,
        entry=entry,
        observer=observer,
        on_start=observer.watch,
    )


@frozen(eq=False)
class Violation:
    """A law that was broken, and after how many actions."""

    law: Property
    actions: int
    values: tuple[PartValue, ...] = ()
    """What the names of the part that does not hold were worth."""


@define(eq=False)
class Laws(GameObserver):
    """Looks on while a game is played. At each question and at the end it must be asked to judge."""

    properties: tuple[Property, ...]
    breaches: list[Violation] = field(factory=list, init=False)
    tested: Counter[str] = field(factory=Counter, init=False)
    """How often each property had something to say."""
    actions: int = field(default=-1, init=False)
    """How many actions were taken; -1 while the game is being set up."""
    _interpreter: Interpreter | None = field(default=None, init=False)
    _before: PlainState | None = field(default=None, init=False)
    _by_subject: dict[str, list[Property]] = field(factory=dict, init=False)
    _needs_before: bool = field(default=False, init=False)
    _still: dict[str, int] = field(factory=dict, init=False)
    """How often in a row each law was tested while nothing that it reads changed."""
    _reads: dict[str, frozenset[str] | None] = field(factory=dict, init=False)
    _counts: Counter[tuple[str, str | None, object]] = field(factory=Counter, init=False)
    """How often an answer was given: by law, step and player."""

    def __attrs_post_init__(self) -> None:
        for law in self.properties:
            for subject in law.subjects:
                self._by_subject.setdefault(subject, []).append(law)
        self._needs_before = any(law.moment != "finally" for law in self.properties)

    def watch(self, interpreter: Interpreter) -> None:
        """Begin to look on, before anything has been done."""
        self._interpreter = interpreter
        self._before = interpreter.plain()
        reads = Reads(interpreter.tables.rules)
        self._reads = {
            law.id: reads.fields([law.law, law.condition])
            for law in self.properties
            if law.moment in ("always", "whenever")
        }

    def check(self) -> None:
        """Test what must hold at a question or at the end, and what must hold of the change since the last one."""
        interpreter = self._watched()
        is_over = interpreter.pending is None
        now = Evaluator(interpreter.tables, interpreter.state, self._before)
        changed = self._changed_fields(interpreter.state)
        for law in self.properties:
            if self._is_settled(law, changed):
                self.tested[law.id] += law.moment == "always"
            elif self._speaks(law, now, is_over=is_over):
                self._test(law, now, {})
        if self._needs_before:
            self._before = interpreter.plain()
        self.actions += 1

    def _changed_fields(self, state: PlainState) -> frozenset[str] | None:
        """Return the fields that changed since the last question; nothing if anything may have."""
        before = self._before
        if before is None or self.actions < 0 or before.left != state.left:
            return None
        return frozenset(name for name, cells in state.fields.items() if cells != before.fields[name])

    def _is_settled(self, law: Property, changed: frozenset[str] | None) -> bool:
        """Whether a law was tested when all that it reads was, and had been, as it is now."""
        reads = self._reads.get(law.id)
        if reads is None or changed is None or reads & changed:
            self._still[law.id] = 0
            return False
        self._still[law.id] = self._still.get(law.id, 0) + 1
        # A law of a change is asked once more: what it saw last was the change, and now nothing changes.
        return self._still[law.id] > (law.moment == "whenever")

    def _speaks(self, law: Property, now: Evaluator, *, is_over: bool) -> bool:
        """Whether a law has something to say at a question or at the end."""
        if law.moment == "whenever":
            return self.actions >= 0 and law.condition is not None and bool(now.value(law.condition, {}))
        return law.moment == "always" or (law.moment == "finally" and is_over)

    def _watched(self) -> Interpreter:
        assert self._interpreter is not None  # `watch` comes first
        return self._interpreter

    def _test(self, law: Property, now: Evaluator, names: Locals) -> None:
        self.tested[law.id] += 1
        if not now.value(law.law, names):
            self._note(law, now, names)

    def _note(self, law: Property, now: Evaluator, names: Locals, *more: PartValue) -> None:
        if not any(violation.law is law for violation in self.breaches):
            self.breaches.append(Violation(law, self.actions + 1, more or values_of(now, law.law, names)))

    def _at_moment(self, subject: str, names: Locals) -> None:
        for law in self._by_subject.get(subject, ()):
            interpreter = self._watched()
            now = Evaluator(interpreter.tables, interpreter.state, self._before)
            self._test(law, now, names)
            self._count(law, now, names)

    def _count(self, law: Property, now: Evaluator, names: Locals) -> None:
        """Count an answer or event, and note if it came too often."""
        for bound in law.bounds:
            key = (law.id, bound.step, names.get("player"))
            self._counts[key] += 1
            most = now.value(bound.times, names)
            if self._counts[key] > most:
                times = PartValue("how often it came", NUMBER, self._counts[key])
                who = [PartValue("player", PLAYER, names["player"])] if "player" in names else []
                counted = [*who, times, PartValue("limit", NUMBER, most)]
                self._note(law, now, names, *counted)

    # What a game tells those who look on.

    def on_step(self, step: AnyStep, _names: Locals) -> None:
        """Begin to count anew what is counted while this step lasts."""
        if self._counts and isinstance(step, Step | Call):
            place = step.address if isinstance(step, Step) else step.verb
            for key in [key for key in self._counts if key[1] == place]:
                del self._counts[key]

    def after_option(self, _decision: str, option: str, names: Locals) -> None:
        """Test the laws of an answer when its steps are done."""
        self._at_moment(option, names)

    def on_event(self, event: str, names: Locals) -> None:
        """Test the laws of an event when everybody has reacted."""
        self._at_moment(event, names)


TEMPERS = ("even", "bent", "eager")
"""How a player chooses: any action alike; some options rather than others; never passing if there is a choice."""
LONGEST = 20_000
Choice: TypeAlias = Callable[[str, Sequence[int]], int]
"""From the address of a decision and what is possible to one of that."""


@frozen
class Line:
    """A game to be played: by how many, with which chance and temper."""

    players: int
    seed: int
    temper: str = "even"


@define(eq=False)
class PlayedGame:
    """A game that was played as far as it was wanted."""

    line: Line
    answers: list[int] = field(factory=list)
    asked: list[str] = field(factory=list)
    """The decision that each answer answers."""
    breaches: list[Violation] = field(factory=list)
    tested: Counter[str] = field(factory=Counter)
    is_over: bool = False
    odd: set[tuple[str, str]] = field(factory=set)
    """What is worth a look: loops that reached their bound and the like."""


def play(
    book: RulesContext,
    line: Line,
    properties: Iterable[Property] = (),
    *,
    choose: Choice | None = None,
    most: int = LONGEST,
    onlookers: Sequence[GameObserver] = (),
    entry: EntryPoint | None = None,
) -> PlayedGame:
    """Play a game on the reference engine until it is over, a law is broken or so many actions have been taken."""
    check_type("`book`", book, RulesContext)
    check_type("`line`", line, Line)
    players = check_number("the number of players", line.players, *book.summary.players)
    check_one_of("temper", line.temper, TEMPERS)
    laws, seats = Laws(tuple(properties)), book.checked.game.seats[:players]
    game = observed_game(book, seats, check_seed(line.seed), [laws, *onlookers], entry=entry)
    played = PlayedGame(line, breaches=laws.breaches, tested=laws.tested)
    choose = choose or chooser(game.spaces, line)
    laws.check()
    played.odd.update(odd_among(game.happenings))
    while game.pending is not None and not laws.breaches and len(played.answers) < most:
        answer = choose(game.pending.decision, game.codes)
        played.answers.append(answer)
        played.asked.append(game.pending.decision)
        game.apply(answer)
        laws.check()
        played.odd.update(odd_among(game.happenings))
    played.is_over = game.pending is None
    return played


# How players choose.


def chooser(spaces: dict[str, ActionSpace], line: Line) -> Choice:
    """Return how the players of a line choose; the same line always chooses the same."""
    # The choices are no secret, and the same line must give the same game.
    chance = random.Random(f"{line.seed} {line.temper}")  # noqa: S311
    likings: dict[str, float] = {}
    is_eager = line.temper == "eager"

    def choose_by_liking(decision: str, codes: Sequence[int]) -> int:
        """Choose an option by liking and then any of its actions."""
        space = spaces[decision]
        by_option: dict[str, list[int]] = {}
        for code in codes:
            by_option.setdefault(space.decode(code)[0].address, []).append(code)
        if is_eager and len(by_option) > 1 and space.passing is not None:
            by_option.pop(space.choices[-1].address, None)
        options = list(by_option)
        weights = [likings.setdefault(option, 1.0 if is_eager else chance.random() ** 3 + 0.01) for option in options]
        return chance.choice(by_option[chance.choices(options, weights)[0]])

    return choose_by_liking if line.temper != "even" else lambda _, codes: chance.choice(codes)


def lines_for(book: RulesContext, games: int, seed: int = 0) -> Iterator[Line]:
    """Iterate over lines that are as different as can be: by turns every number of players and every temper."""
    low, high = book.checked.game.players
    for number in range(games):
        players = low + number % (high - low + 1)
        yield Line(players, seed + number, TEMPERS[number // (high - low + 1) % len(TEMPERS)])
