"""Where two rulesets disagree about legality, state or result: found by playing both side by side.

Each disagreement is told as a short game, and as a scenario that passes with the one and not with the other.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Literal

from attrs import define, evolve, field, frozen

from aodrules.check.checked import Field
from aodrules.compiler.runtime.compiled import Compiled
from aodrules.facts.state import PlainState
from aodrules.game import Game
from aodrules.interpreter.places import cell
from aodrules.play.actions import ActionTable
from aodrules.play.ids import OUT, counters, field_path
from aodrules.play.rules_context import RulesContext
from aodrules.play.saves import SavedAction
from aodrules.rulebook import Rules
from aodrules.source.wording import count
from aodrules.testing.findings import Draft, StepKeeper, format_yaml
from aodrules.testing.playing import observed_game
from aodrules.testing.scenario_runner import ScenarioRunner, run_scenario
from aodrules.testing.scenarios import ScenarioReader


@frozen(eq=False)
class PairedGame:
    """A game as one of the rulesets has it."""

    book: RulesContext
    seats: tuple[str, ...]
    action_table: ActionTable
    machine: Compiled

    @property
    def question(self) -> tuple[str, str] | None:
        """Which decision waits, and for whom; nothing when the game is over."""
        pending = self.machine.pending
        return None if pending is None else (pending.decision, self.seats[pending.player])

    def texts(self) -> dict[str, int]:
        """Return the legal actions by their texts."""
        decision = self.machine.decision
        actions = () if decision is None else self.action_table.actions(decision, self.machine.codes)
        return {each.text: each.code for each in actions}

    def readable(self, name: str, state: PlainState) -> dict[str, Any]:
        """Return what the cells of a field hold, by their paths."""
        names, field = self.action_table.names, self.book.checked.fields[name]
        return {
            field_path(names, name, at): names.readable(field.type, cell(names.tables, state, name, at))
            for at in names.tables.shapes[name].indices()
        }

    def cells(self, name: str) -> list[Any]:
        """Return a field as it lies in the state."""
        field = self.machine.program.plan.layout.fields[name]
        return self.machine.cells[field.base : field.base + field.size]


def start_game(rules: Rules, seats: tuple[str, ...], seed: int) -> PairedGame:
    """Return a new game on these seats."""
    book = rules.book
    machine = book.machine("compiled", len(seats), seed, book.facts(seats), log=False)
    assert isinstance(machine, Compiled)  # as it was asked for
    return PairedGame(book, seats, book.actions(seats), machine)


@frozen
class SharedSetting:
    """A game that both rulesets play: who sits there, and the chance."""

    players: tuple[str, ...]
    seed: int


@define(eq=False)
class Pair:
    """The same game on two rulesets."""

    setting: SharedSetting
    one: PairedGame
    other: PairedGame
    shared: Sequence[Shared]
    moves: list[SavedAction] = field(factory=list)
    """What was done in both."""

    @property
    def decider(self) -> str:
        """Who is asked, in both."""
        question = self.one.question
        assert question is not None  # asked only while both go on
        return question[1]

    @property
    def is_same_question(self) -> bool:
        """Whether both wait for the same, or are both over."""
        return self.one.question == self.other.question

    @property
    def is_over(self) -> bool:
        """Whether both are over."""
        return self.one.question is None and self.other.question is None

    def common(self) -> list[str]:
        """Return what both allow, if both ask the same."""
        allowed = self.other.texts() if self.is_same_question else {}
        return [text for text in self.one.texts() if text in allowed]

    def push(self, text: str) -> None:
        """Take an action in both."""
        self.moves.append(SavedAction(self.decider, text))
        for side in (self.one, self.other):
            side.machine.apply(side.texts()[text])

    def differing(self) -> dict[str, tuple[Any, Any]]:
        """Return the cells that differ, by path: how each is in the one and in the other."""
        suspects = [
            each.name
            for each in self.shared
            if not each.is_alike or self.one.cells(each.name) != self.other.cells(each.name)
        ]
        if not suspects:
            return {}
        states = self.one.machine.plain(), self.other.machine.plain()
        found: dict[str, tuple[Any, Any]] = {}
        for name in suspects:
            left, right = self.one.readable(name, states[0]), self.other.readable(name, states[1])
            found |= {path: (left[path], right[path]) for path in left if path in right and left[path] != right[path]}
        return found


@frozen
class Shared:
    """An open field that both rulesets have."""

    name: str
    is_alike: bool
    """Whether its cells mean the same in both, so that they can be compared as they lie."""


def shared_fields(one: PairedGame, other: PairedGame) -> tuple[Shared, ...]:
    """Return the fields that can be compared. That chance falls otherwise in secret is no difference of the rules."""
    fields, others = one.book.checked.fields, other.book.checked.fields
    left_out = {*counters(one.action_table.names), *counters(other.action_table.names)}
    return tuple(
        Shared(name, _meaning(one, field) == _meaning(other, others[name]))
        for name, field in fields.items()
        if name in others and name not in left_out and not name.startswith(f"{OUT}.") and field.secret is None
    )


def _meaning(side: PairedGame, field: Field) -> tuple[object, ...]:
    """Return what the cells of a field depend on: their types, and the members these have here."""
    kinds = [side.book.checked.kinds[kind] for kind in side.book.checked.kinds if kind in _words(field)]
    families = [(kind.name, side.book.checked.family(kind.name).members) for kind in kinds]
    return (str(field.type), tuple(map(str, field.dimensions)), *families)


def _words(field: Field) -> set[str]:
    return {word for type_ in (field.type, *field.dimensions) for word in str(type_).split()}


Matter = Literal["legality", "state", "result"]
Choose = Callable[[str, list[str]], str | None]
"""From who decides and what both allow to one of that, or to nothing if the game is of no more use."""
MATTERS: tuple[Matter, ...] = ("legality", "state", "result")
MOST_ACTIONS = 2_000
"""How many actions may be played while shorter games are sought."""
_MOST_NAMED = 4
_AHEAD = 6


@frozen(eq=False)
class Disagreement:
    """The shortest game found after which two rulesets do not agree about a matter."""

    matter: Matter
    setting: SharedSetting
    moves: tuple[SavedAction, ...]
    told: tuple[str, ...]
    """What is not the same, in a few lines."""
    state: dict[str, tuple[Any, Any]] = field(factory=dict)
    """What differs in the state, by path: how it is in the one and in the other."""
    scores: dict[str, tuple[int, int]] = field(factory=dict)
    decider: str | None = None
    only: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    """For legality: the actions that only the one and only the other allows."""


def disagreements(
    one: Rules,
    other: Rules,
    *,
    games: int = 100,
    seed: int = 0,
    progress: Callable[[], None] = lambda: None,
    shortening: Callable[[], None] = lambda: None,
) -> dict[Matter, Disagreement]:
    """Return for each matter the shortest game found in which two rulesets disagree about it.

    Args:
        one: The rules whose actions are told first.
        other: The rules that are compared with them.
        games: How many games are played.
        seed: The seed of the first of them.
        progress: Called after each game.
        shortening: Called when the games that were found begin to be made shorter.
    """
    search = _DisagreementSearch(one, other)
    for number in range(games):
        search.play(number + seed)
        progress()
    shortening()
    for matter in MATTERS[:2]:
        search.shorten(matter)
    return {matter: search.found[matter] for matter in MATTERS if matter in search.found}


@define(eq=False)
class _DisagreementSearch:
    """Two rulesets and what was found about them so far."""

    one: Rules
    other: Rules
    found: dict[Matter, Disagreement] = field(factory=dict)
    _left: int = field(default=MOST_ACTIONS, init=False)
    """How many actions may still be played to make games shorter."""
    _shared: dict[tuple[str, ...], tuple[Shared, ...]] = field(factory=dict, init=False)

    def play(self, seed: int) -> None:
        """Play one game by chance on both, and note where they begin to disagree."""
        # The choices are no secret, and the same seed must give the same game.
        chance = random.Random(seed)  # noqa: S311
        self._play(SharedSetting(self._players(seed), seed), MATTERS, lambda _, common: chance.choice(common))

    def _play(self, setting: SharedSetting, matters: Sequence[Matter], choose: Choose) -> None:
        pair = self._start(setting)
        while open_ := [matter for matter in matters if self._is_open(matter, len(pair.moves))]:
            for found in self._disagreements(pair, open_):
                self.found[found.matter] = found
            common = pair.common()
            text = choose(pair.decider, common) if common else None
            if text is None:
                return
            pair.push(text)
            self._left -= 1

    def _is_open(self, matter: Matter, length: int) -> bool:
        """Whether a game of this length could still be the shortest about a matter."""
        best = self.found.get(matter)
        return best is None or length < len(best.moves)

    def shorten(self, matter: Matter) -> None:
        """Leave out moves of the shortest game as long as they still disagree."""
        size = len(self.found[matter].moves) // 2 if matter in self.found else 0
        while size and self._left > 0:
            start = 0
            while start < len(self.found[matter].moves) and self._left > 0:
                best = self.found[matter]
                kept = [*best.moves[:start], *best.moves[start + size :]]
                self._play(best.setting, [matter], partial(_next_kept_move, kept))
                if self.found[matter] is best:
                    start += size
            size //= 2

    def _start(self, setting: SharedSetting) -> Pair:
        one, other = (start_game(rules, setting.players, setting.seed) for rules in (self.one, self.other))
        if setting.players not in self._shared:
            self._shared[setting.players] = shared_fields(one, other)
        return Pair(setting, one, other, self._shared[setting.players])

    def _players(self, seed: int) -> tuple[str, ...]:
        low = max(self.one.players[0], self.other.players[0])
        high = min(self.one.players[1], self.other.players[1])
        if low > high:
            raise ValueError("no number of players can play both")
        seats = [seat for seat in self.one.seats if seat in self.other.seats]
        return tuple(seats[: low + seed % (high - low + 1)])

    def _disagreements(self, pair: Pair, matters: Sequence[Matter]) -> Iterator[Disagreement]:
        """Iterate over what two games do not agree about here, as far as it is asked for."""
        if "legality" in matters:
            yield from _legality(pair)
        state = pair.differing() if "state" in matters else {}
        if state:
            told = [f"`{path}` is {format_yaml(one)} and {format_yaml(other)}" for path, (one, other) in state.items()]
            yield Disagreement("state", pair.setting, tuple(pair.moves), tuple(_some(told)), state=state)
        if "result" in matters and pair.is_over:
            one, other = (play_moves(rules, pair.setting, pair.moves) for rules in (self.one, self.other))
            yield from _result(pair, one, other)


def _next_kept_move(kept: list[SavedAction], decider: str, possible: list[str]) -> str | None:
    """Return the next move of a list that fits; those before it are left out."""
    for place, move in enumerate(kept[:_AHEAD]):
        if move.player == decider and move.text in possible:
            del kept[: place + 1]
            return move.text
    return None


def _legality(pair: Pair) -> Iterator[Disagreement]:
    setting, moves = pair.setting, tuple(pair.moves)
    if not pair.is_same_question:
        said = [_format_question(side) for side in (pair.one, pair.other)]
        yield Disagreement("legality", setting, moves, (f"the one: {said[0]}; the other: {said[1]}",))
        return
    left, right = pair.one.texts(), pair.other.texts()
    only = tuple(text for text in left if text not in right), tuple(text for text in right if text not in left)
    if only[0] or only[1]:
        lines = [f"only in the one: `{text}`" for text in only[0]]
        lines += [f"only in the other: `{text}`" for text in only[1]]
        yield Disagreement("legality", setting, moves, tuple(_some(lines)), decider=pair.decider, only=only)


def _format_question(side: PairedGame) -> str:
    question = side.question
    return "it is over" if question is None else f"{question[1]} is asked `{question[0].rpartition('.')[2]}`"


def _result(pair: Pair, one: Game, other: Game) -> Iterator[Disagreement]:
    left, right = one.scores, other.scores
    totals = {seat: (left[seat].total, right[seat].total) for seat in one.players}
    scores = {seat: points for seat, points in totals.items() if points[0] != points[1]}
    order = [[str(each) for each in game.ranking] for game in (one, other)]
    told = [f"{seat} has {count(first, 'point')} and {second}" for seat, (first, second) in scores.items()]
    if order[0] != order[1]:
        told.append(f"the places are {', '.join(order[0])} and {', '.join(order[1])}")
    if told:
        yield Disagreement("result", pair.setting, tuple(pair.moves), tuple(told), scores=scores)


def play_moves(rules: Rules, setting: SharedSetting, moves: Sequence[SavedAction]) -> Game:
    """Return a game as one of two rulesets has it."""
    game = rules.new_game(players=setting.players, seed=setting.seed, undo=False, log=False)
    for move in moves:
        game.push(move.text)
    return game


def _some(lines: list[str]) -> list[str]:
    more = len(lines) - _MOST_NAMED
    return [*lines[:_MOST_NAMED], f"and {more} more"] if more > 0 else lines


LONGEST_GAME = 8
"""A game with more actions is told from a position."""


def distinguishing_scenario(one: Rules, other: Rules, found: Disagreement) -> str | None:
    """Return a document with a scenario that shows a disagreement; nothing if none could be written.

    It passes with the one and not with the other, except where only the other allows an action: then it is the
    other way round, and the document says so.
    """
    runners = {id(rules): _DraftRunner(rules) for rules in (one, other)}
    for is_strict in (True, False):
        for rules, against, draft in _candidates(one, other, found):
            comparison = _Comparison(found.matter, runners[id(rules)], runners[id(against)], is_strict)
            best = comparison.shortest(draft)
            if best is not None:
                return f"# Passes with {rules.book.request}, not with {against.book.request}.\n{best.text()}"
    return None


class _DraftRunner:
    """Runs scenarios on one of the rulesets."""

    def __init__(self, rules: Rules) -> None:
        self.book = rules.book
        self._reader = ScenarioReader(rules.book)
        self._runner = ScenarioRunner(rules.book)

    def outcome(self, draft: Draft) -> str:
        """Return what comes of a scenario; one that is not understood is an error."""
        scenario = draft.read(self._reader)
        return "error" if scenario is None else run_scenario(self._runner, scenario).status


@frozen(eq=False)
class _Comparison:
    """Decides what shows that two rulesets differ."""

    matter: Matter
    passes: _DraftRunner
    fails: _DraftRunner
    is_strict: bool
    """Whether the other must play the scenario and fail; else it may also not know what the scenario speaks of."""

    def tells_apart(self, draft: Draft) -> bool:
        """Whether a scenario passes with the one and not with the other."""
        if self.passes.outcome(draft) != "passed":
            return False
        outcome = self.fails.outcome(draft)
        return outcome == "failed" if self.is_strict else outcome != "passed"

    def shortest(self, draft: Draft) -> Draft | None:
        """Return a scenario that begins late and gives no more than is needed, or as it is if it is short already.

        Nothing is returned if it does not show that the rulesets differ.
        """
        for late in self._late(draft) if len(draft.moves) > LONGEST_GAME else ():
            if self.tells_apart(late):
                return self._without_needless(late)
        return draft if self.tells_apart(draft) else None

    def _late(self, draft: Draft) -> Iterator[Draft]:
        """Iterate over the same game entered at one of its last named steps, the last one first."""
        book = self.passes.book
        action_table, keeper = book.actions(draft.players), StepKeeper(book)
        game = observed_game(book, draft.players, draft.seed, [keeper])
        # The position before the last action counts: what that brings about is what they disagree about. How a game
        # ends may also show in its last position.
        before = len(draft.moves) - (0 if self.matter == "result" else 1)
        for move in draft.moves[:before]:
            assert game.decision is not None  # the moves were played
            game.apply(next(code for code in action_table.codes_for(game.decision, move.text) if code in game.codes))
        for kept in reversed([each for each in keeper.kept if not each.state.left]):
            given = tuple(kept.given(action_table, draft.seed))
            yield evolve(draft, moves=draft.moves[kept.answers :], at=kept.at(action_table), given=given)

    def _without_needless(self, draft: Draft) -> Draft:
        """Leave out whatever need not be given."""
        for given_cell in draft.given:
            less = evolve(draft, given=tuple(each for each in draft.given if each is not given_cell))
            if self.tells_apart(less):
                draft = less
        return draft


def _candidates(one: Rules, other: Rules, found: Disagreement) -> Iterator[tuple[Rules, Rules, Draft]]:
    setting = found.setting
    draft = Draft(f"differs.{found.matter}", setting.players, setting.seed, found.moves)
    if found.decider is not None:
        for rules, against, allowed in ((one, other, found.only[0]), (other, one, found.only[1])):
            for text in allowed[:1]:
                yield rules, against, evolve(draft, moves=[*found.moves, SavedAction(found.decider, text)])
    for rules, against, side in ((one, other, 0), (other, one, 1)):
        then = [f"{path}: {format_yaml(values[side])}" for path, values in list(found.state.items())[:3]]
        then += [f"scores.{seat}: {points[side]}" for seat, points in found.scores.items()]
        if then:
            yield rules, against, evolve(draft, then=then)
        # What is asked next may only show after the next action.
        game = play_moves(rules, setting, found.moves)
        if game.decision is not None:
            move = SavedAction(game.decision.player, str(game.actions[0]))
            yield rules, against, evolve(draft, moves=[*found.moves, move], then=then)
