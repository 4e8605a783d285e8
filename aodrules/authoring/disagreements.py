"""Games in which two rulesets disagree about legality, state or result: found by playing both side by side."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Literal

from attrs import define, field, frozen

from aodrules.authoring.paired_games import Pair, PairedGame, Shared, begun, shared_fields
from aodrules.game import Game
from aodrules.play.saves import SavedAction
from aodrules.rulebook import Rules
from aodrules.source.wording import count

Matter = Literal["legality", "state", "result"]
Choose = Callable[[str, list[str]], str | None]
"""From who decides and what both allow to one of that, or to nothing if the game is of no more use."""
MATTERS: tuple[Matter, ...] = ("legality", "state", "result")
MOST_ACTIONS = 2_000
"""How many actions may be played while shorter games are sought."""
_MOST_NAMED = 4
_AHEAD = 6


@frozen
class SharedSetting:
    """A game that both rulesets play: who sits there, and the chance."""

    players: tuple[str, ...]
    seed: int


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
        pair = self._begun(setting)
        moves: list[SavedAction] = []
        while open_ := [matter for matter in matters if self._is_open(matter, len(moves))]:
            self._note(setting, moves, pair, open_)
            common = pair.common()
            text = choose(pair.decider, common) if common else None
            if text is None:
                return
            moves.append(pair.push(text))
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
                self._play(best.setting, [matter], partial(_followed, kept))
                if self.found[matter] is best:
                    start += size
            size //= 2

    def _begun(self, setting: SharedSetting) -> Pair:
        one, other = (begun(rules, setting.players, setting.seed) for rules in (self.one, self.other))
        if setting.players not in self._shared:
            self._shared[setting.players] = shared_fields(one, other)
        return Pair(one, other, self._shared[setting.players])

    def _players(self, seed: int) -> tuple[str, ...]:
        low = max(self.one.players[0], self.other.players[0])
        high = min(self.one.players[1], self.other.players[1])
        if low > high:
            raise ValueError("no number of players can play both")
        seats = [seat for seat in self.one.seats if seat in self.other.seats]
        return tuple(seats[: low + seed % (high - low + 1)])

    def _note(self, setting: SharedSetting, moves: list[SavedAction], pair: Pair, matters: Sequence[Matter]) -> None:
        for found in _disagreements(pair, setting, tuple(moves), matters):
            self.found[found.matter] = found
        if "result" in matters and pair.is_over:
            one, other = (played(rules, setting, moves) for rules in (self.one, self.other))
            for found in _result(one, other, setting, tuple(moves)):
                self.found[found.matter] = found


def _followed(kept: list[SavedAction], decider: str, possible: list[str]) -> str | None:
    """Return the next move of a list that fits; those before it are left out."""
    for place, move in enumerate(kept[:_AHEAD]):
        if move.player == decider and move.text in possible:
            del kept[: place + 1]
            return move.text
    return None


def _disagreements(
    pair: Pair, setting: SharedSetting, moves: tuple[SavedAction, ...], matters: Sequence[Matter]
) -> Iterator[Disagreement]:
    """Iterate over what two games do not agree about here, as far as it is asked for."""
    if "legality" in matters:
        yield from _legality(pair, setting, moves)
    state = pair.differing() if "state" in matters else {}
    if state:
        told = [f"`{path}` is {shown(one)} and {shown(other)}" for path, (one, other) in state.items()]
        yield Disagreement("state", setting, moves, tuple(_some(told)), state=state)


def _legality(pair: Pair, setting: SharedSetting, moves: tuple[SavedAction, ...]) -> Iterator[Disagreement]:
    if not pair.is_same_question:
        said = [_asked(side) for side in (pair.one, pair.other)]
        yield Disagreement("legality", setting, moves, (f"the one: {said[0]}; the other: {said[1]}",))
        return
    left, right = pair.one.texts(), pair.other.texts()
    only = tuple(text for text in left if text not in right), tuple(text for text in right if text not in left)
    if only[0] or only[1]:
        lines = [f"only in the one: `{text}`" for text in only[0]]
        lines += [f"only in the other: `{text}`" for text in only[1]]
        yield Disagreement("legality", setting, moves, tuple(_some(lines)), decider=pair.decider, only=only)


def _asked(side: PairedGame) -> str:
    question = side.question
    return "it is over" if question is None else f"{question[1]} is asked `{question[0].rpartition('.')[2]}`"


def _result(one: Game, other: Game, setting: SharedSetting, moves: tuple[SavedAction, ...]) -> Iterator[Disagreement]:
    left, right = one.scores, other.scores
    totals = {seat: (left[seat].total, right[seat].total) for seat in one.players}
    scores = {seat: points for seat, points in totals.items() if points[0] != points[1]}
    order = [[str(each) for each in game.ranking] for game in (one, other)]
    told = [f"{seat} has {count(first, 'point')} and {second}" for seat, (first, second) in scores.items()]
    if order[0] != order[1]:
        told.append(f"the places are {', '.join(order[0])} and {', '.join(order[1])}")
    if told:
        yield Disagreement("result", setting, moves, tuple(told), scores=scores)


def played(rules: Rules, setting: SharedSetting, moves: Sequence[SavedAction]) -> Game:
    """Return a game as one of two rulesets has it."""
    game = rules.new_game(players=setting.players, seed=setting.seed, undo=False, log=False)
    for move in moves:
        game.push(move.text)
    return game


def _some(lines: list[str]) -> list[str]:
    more = len(lines) - _MOST_NAMED
    return [*lines[:_MOST_NAMED], f"and {more} more"] if more > 0 else lines


def shown(value: Any) -> str:
    """Return part of a state as it is written in a scenario."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name}: {count}" for name, count in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(str, value)) + "]"
    return str(value)
