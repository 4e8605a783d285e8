"""Monte-Carlo tree search over information sets: a bot that plays on from positions it could be in.

At the root the tries are shared out by sequential halving, and all actions that are compared meet the same position
and the same chance; below it the tree is walked by upper confidence bounds. `docs/design/0030` says why.
"""

from __future__ import annotations

from math import ceil, log, log2, sqrt
from random import Random
from time import monotonic

from attrs import define, field, frozen

from aodrules.bots.turns import Position, Turn
from aodrules.errors import SampleError

_FIRST_LOOK = 5
"""A position is judged at once, after so many random answers, after twice as many, and so on; the mean counts.

What an action gives may show at once, or only later among much that it has nothing to do with.
"""


@define(eq=False)
class _Node:
    """What was learned about a line of answers: how often it was open, tried, and what it gave its player."""

    player: int
    open: int = 0
    visits: int = 0
    reward: float = 0.0
    children: dict[int, _Node] = field(factory=dict)

    @property
    def mean(self) -> float:
        """What it gave its player on average."""
        return self.reward / self.visits if self.visits else 0.0

    def note_open(self, codes: tuple[int, ...], player: int) -> list[int]:
        """Note that these answers were open, and return those never tried."""
        fresh = []
        for code in codes:
            child = self.children.get(code)
            if child is None:
                child = self.children[code] = _Node(player)
            child.open += 1
            if child.visits == 0:
                fresh.append(code)
        return fresh

    def best(self, codes: tuple[int, ...], curiosity: float) -> int:
        """Return the legal answer that promises most, or one that was not tried enough."""

        def promise(code: int) -> float:
            child = self.children[code]
            return child.mean + curiosity * sqrt(log(child.open) / child.visits)

        return max(codes, key=promise)


@define(eq=False)
class _TreeSearch:
    """One search for one answer: a tree for each action, and how far apart the seats usually end."""

    turn: Turn
    depth: int
    curiosity: float
    trees: dict[int, _Node]
    rounds: int = 0
    spread: float = 1.0
    """The mean distance of the seats at the ends of rounds: what counts as a large lead in this game, now."""

    def deal(self, actions: list[int], end: float | None) -> bool:
        """Try some actions once each, all in the same position and with the same chance; tell whether time was left."""
        seed = self.turn.random.getrandbits(63)
        (position,) = self.turn.samples(1)
        scale = self.spread or 1.0
        for code in actions:
            apart = self._round(position.copy(), code, Random(seed), scale)  # noqa: S311 - games, not secrets
            self.rounds += 1
            self.spread += (apart - self.spread) / (self.rounds + 1)
            if end is not None and monotonic() >= end:
                return False
        return True

    def _round(self, position: Position, code: int, chance: Random, scale: float) -> float:
        """Play through a position, note what it gave, and return how far apart the seats were in the end."""
        node = self.trees[code]
        path = [node]
        position.apply(code)
        looks = [self.turn.leads(position)]
        while codes := position.codes:
            fresh = node.note_open(codes, position.player)
            code = chance.choice(fresh) if fresh else node.best(codes, self.curiosity)
            node = node.children[code]
            path.append(node)
            position.apply(code)
            if fresh:
                break
        played = 0
        while played < self.depth:
            until = min(self.depth, max(_FIRST_LOOK, 2 * played))
            play_on(position, until - played, chance)
            played = until
            looks.append(self.turn.leads(position))
        means = [sum(look[seat] for look in looks) / len(looks) for seat in range(len(looks[0]))]
        # Between 0 and 1; a half is no lead.
        gains = [0.5 + 0.5 * lead / (abs(lead) + scale) for lead in means]
        for node in path:
            node.visits += 1
            node.reward += gains[node.player]
        return max(map(abs, means))


def play_on(position: Position, answers: int, chance: Random) -> None:
    """Give some more answers at random."""
    for _ in range(answers):
        codes = position.codes
        if not codes:
            return
        position.apply(chance.choice(codes))


@frozen
class SearchBot:
    """Tries actions in positions it could be in, and drops the worse half of them until one is left.

    Examples:
        >>> import aodrules
        >>> from aodrules import bots
        >>> game = aodrules.load("nim").new_game(players=2, seed=1)
        >>> bots.choose(game, bots.SearchBot(playouts=50), seed=1) == bots.choose(game, "search:50", seed=1)
        True
    """

    playouts: int = 200
    """How many times it plays on from here, for one answer."""
    seconds: float | None = None
    """Stop after this time, whatever the number of playouts; results then depend on the machine."""
    depth: int = 40
    """How many answers a random continuation has before the position is judged by the game's own scoring."""
    curiosity: float = 0.4
    """How much an answer that was seldom tried is preferred."""

    def choose(self, turn: Turn) -> int:
        """Return the code that is left; any where what the seat does not know cannot be dealt anew."""
        try:
            return self.rank(turn)[0]
        except SampleError:
            return turn.random.choice(turn.codes)

    def rank(self, turn: Turn) -> list[int]:
        """Return all legal codes: first the one that is left, then those dropped last, and last what was not tried.

        Raises:
            SampleError: What the seat cannot know cannot be dealt anew in a fair way.
        """
        if len(turn.codes) == 1:
            return list(turn.codes)
        shuffled = turn.random.sample(turn.codes, len(turn.codes))
        tried = max(1, self.playouts)
        return self._halve(turn, shuffled[:tried]) + shuffled[tried:]

    def _halve(self, turn: Turn, actions: list[int]) -> list[int]:
        """Return actions from the best to the worst: those that were dropped later before those dropped earlier."""
        search = _TreeSearch(turn, self.depth, self.curiosity, {code: _Node(turn.seat) for code in actions})
        begun, phases, dropped = monotonic(), ceil(log2(len(actions))), list[int]()
        for phase in range(phases):
            end = None if self.seconds is None else begun + self.seconds * (phase + 1) / phases
            self._try_all(search, actions, phases - phase, end)
            actions.sort(key=lambda code: search.trees[code].mean, reverse=True)
            half = (len(actions) + 1) // 2
            actions, dropped = actions[:half], actions[half:] + dropped
        return actions + dropped

    def _try_all(self, search: _TreeSearch, actions: list[int], phases: int, end: float | None) -> None:
        """Try all actions equally often: with an equal share of the rounds that are left, or until the time ends."""
        deals = (self.playouts - search.rounds) // phases // len(actions)
        for _ in range(deals if search.rounds else max(1, deals)):
            if not search.deal(actions, end):
                return
