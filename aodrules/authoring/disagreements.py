"""Games in which two rulesets disagree about legality, state or result: found by playing both side by side."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Literal

from attrs import define, field, frozen

from aodrules.game import Game
from aodrules.play.saves import Move
from aodrules.rulebook import Rules

Matter = Literal["legality", "state", "result"]
Choose = Callable[[str, list[str]], str | None]
"""From who decides and what both allow to one of that, or to nothing if the game is of no more use."""
MATTERS: tuple[Matter, ...] = ("legality", "state", "result")
MOST_ACTIONS = 2_000
"""How many actions may be played while shorter games are sought."""
_MOST_NAMED = 4
_AHEAD = 6


@frozen
class Setting:
    """A game that both rulesets play: who sits there, and the chance."""

    players: tuple[str, ...]
    seed: int


@frozen(eq=False)
class Disagreement:
    """The shortest game found after which two rulesets do not agree about a matter."""

    matter: Matter
    setting: Setting
    moves: tuple[Move, ...]
    told: tuple[str, ...]
    """What is not the same, in a few lines."""
    state: dict[str, tuple[Any, Any]] = field(factory=dict)
    """What differs in the state, by path: how it is in the one and in the other."""
    scores: dict[str, tuple[int, int]] = field(factory=dict)
    decider: str | None = None
    only: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    """For legality: the actions that only the one and only the other allows."""


def disagreements(
    one: Rules, other: Rules, *, games: int = 100, seed: int = 0, progress: Callable[[], None] = lambda: None
) -> dict[Matter, Disagreement]:
    """Return for each matter the shortest game found in which two rulesets disagree about it."""
    search = _Search(one, other)
    for number in range(games):
        search.play(number + seed)
        progress()
    for matter in MATTERS[:2]:
        search.shorten(matter)
    return {matter: search.found[matter] for matter in MATTERS if matter in search.found}


@define(eq=False)
class _Search:
    """Two rulesets and what was found about them so far."""

    one: Rules
    other: Rules
    found: dict[Matter, Disagreement] = field(factory=dict)
    _left: int = field(default=MOST_ACTIONS, init=False)
    """How many actions may still be played to make games shorter."""
    _secrets: re.Pattern[str] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._secrets = _secrets(self.one)

    def play(self, seed: int) -> None:
        """Play one game by chance on both, and note where they begin to disagree."""
        # The choices are no secret, and the same seed must give the same game.
        chance = random.Random(seed)  # noqa: S311
        self._play(Setting(self._players(seed), seed), MATTERS, lambda _, common: chance.choice(common))

    def _play(self, setting: Setting, matters: Sequence[Matter], choose: Choose) -> None:
        pair = _Pair(self._begun(self.one, setting), self._begun(self.other, setting), self._secrets)
        moves: list[Move] = []
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

    def _begun(self, rules: Rules, setting: Setting) -> Game:
        return rules.new_game(players=setting.players, seed=setting.seed, undo=False, log=False)

    def _players(self, seed: int) -> tuple[str, ...]:
        low = max(self.one.players[0], self.other.players[0])
        high = min(self.one.players[1], self.other.players[1])
        if low > high:
            raise ValueError("no number of players can play both")
        seats = [seat for seat in self.one.seats if seat in self.other.seats]
        return tuple(seats[: low + seed % (high - low + 1)])

    def _note(self, setting: Setting, moves: list[Move], pair: _Pair, matters: Sequence[Matter]) -> None:
        for found in pair.disagreements(setting, tuple(moves), matters):
            self.found[found.matter] = found


def _followed(kept: list[Move], decider: str, possible: list[str]) -> str | None:
    """Return the next move of a list that fits; those before it are left out."""
    for place, move in enumerate(kept[:_AHEAD]):
        if move.player == decider and move.text in possible:
            del kept[: place + 1]
            return move.text
    return None


@frozen(eq=False)
class _Pair:
    """The same game on two rulesets."""

    one: Game
    other: Game
    secrets: re.Pattern[str]

    @property
    def decider(self) -> str:
        """Who is asked, in both."""
        decision = self.one.decision
        assert decision is not None  # asked only while both go on
        return decision.player

    def _is_same_question(self) -> bool:
        one, other = self.one.decision, self.other.decision
        if one is None or other is None:
            return one is other
        return (one.address, one.player) == (other.address, other.player)

    def common(self) -> list[str]:
        """Return what both allow, if both ask the same."""
        if not self._is_same_question():
            return []
        allowed = {str(action) for action in self.other.actions}
        return [str(action) for action in self.one.actions if str(action) in allowed]

    def push(self, text: str) -> Move:
        """Take an action in both."""
        move = Move(self.decider, text)
        self.one.push(text)
        self.other.push(text)
        return move

    def disagreements(
        self, setting: Setting, moves: tuple[Move, ...], matters: Sequence[Matter]
    ) -> Iterator[Disagreement]:
        """Iterate over what the two do not agree about here, as far as it is asked for."""
        if "legality" in matters:
            yield from self._legality(setting, moves)
        state = dict(self._state()) if "state" in matters else {}
        if state:
            told = [f"`{path}` is {shown(one)} and {shown(other)}" for path, (one, other) in state.items()]
            yield Disagreement("state", setting, moves, tuple(_some(told)), state=state)
        if "result" in matters and self.one.over and self.other.over:
            yield from self._result(setting, moves)

    def _legality(self, setting: Setting, moves: tuple[Move, ...]) -> Iterator[Disagreement]:
        if not self._is_same_question():
            said = [f"`{game.decision}` is asked" if game.decision else "it is over" for game in (self.one, self.other)]
            yield Disagreement("legality", setting, moves, (f"the one: {said[0]}; the other: {said[1]}",))
            return
        left, right = ([str(action) for action in game.actions] for game in (self.one, self.other))
        only = tuple(x for x in left if x not in right), tuple(x for x in right if x not in left)
        if only[0] or only[1]:
            lines = [f"only in the one: `{text}`" for text in only[0]]
            lines += [f"only in the other: `{text}`" for text in only[1]]
            yield Disagreement("legality", setting, moves, tuple(_some(lines)), decider=self.decider, only=only)

    def _state(self) -> Iterator[tuple[str, tuple[Any, Any]]]:
        one, other = (dict(_flat(game.state.plain())) for game in (self.one, self.other))
        for path in one:
            if path in other and one[path] != other[path] and not self.secrets.fullmatch(path):
                yield path, (one[path], other[path])

    def _result(self, setting: Setting, moves: tuple[Move, ...]) -> Iterator[Disagreement]:
        scores = {
            seat: (self.one.scores[seat].total, self.other.scores[seat].total)
            for seat in self.one.players
            if self.one.scores[seat].total != self.other.scores[seat].total
        }
        order = [[str(each) for each in game.ranking] for game in (self.one, self.other)]
        told = [f"{seat} has {one} points and {other}" for seat, (one, other) in scores.items()]
        if order[0] != order[1]:
            told.append(f"the places are {', '.join(order[0])} and {', '.join(order[1])}")
        if told:
            yield Disagreement("result", setting, moves, tuple(told), scores=scores)


def _some(lines: list[str]) -> list[str]:
    more = len(lines) - _MOST_NAMED
    return [*lines[:_MOST_NAMED], f"and {more} more"] if more > 0 else lines


def _flat(part: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Iterate over the cells of a state: bags and lists are cells."""
    is_bag = isinstance(part, dict) and all(isinstance(value, int) for value in part.values())
    if not isinstance(part, dict) or (is_bag and path):
        yield path, part
        return
    for name, value in part.items():
        yield from _flat(value, f"{path}.{name}" if path else name)


def _secrets(rules: Rules) -> re.Pattern[str]:
    """Return what fits the paths of secret fields: that chance falls otherwise there is no difference of the rules."""
    patterns = [r"used\..*"]
    for name, declared in rules.book.checked.fields.items():
        owner, _, inside = name.partition(".")
        if declared.secret is not None:
            kind = rules.book.checked.kinds.get(owner)
            head = "players" if owner == "player" else "" if kind is None else kind.plural
            patterns.append(rf"{head}\.\w+\.{inside}(\..*)?" if head else rf"{inside}(\..*)?")
    return re.compile("|".join(patterns))


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
