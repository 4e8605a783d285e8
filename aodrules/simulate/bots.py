"""Bots that play any game: at random, by the next step, and by searching through what they could believe in."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import log, sqrt
from random import Random

from attrs import define, field, frozen

from aodrules.engine.compiled import Compiled
from aodrules.plan.layout import GENERATOR
from aodrules.simulate.turns import Bot, Turn
from aodrules.simulate.worth import margins, totals


@frozen
class RandomBot:
    """Takes any legal action, all equally likely."""

    def choose(self, turn: Turn) -> int:
        """Return one of the legal codes."""
        return turn.random.choice(turn.codes)


@frozen
class GreedyBot:
    """Takes the action after which it is furthest ahead by the game's own scoring.

    Many actions give points only when they take effect, some answers later. So a position is judged after a few
    more answers by everybody, taken at random and with the same chance for every action that is compared.
    """

    samples: int = 2
    """How many positions it could be in are tried."""
    ahead: int = 8
    """How many more answers are given for each seat; with 0 only the action itself counts."""

    def choose(self, turn: Turn) -> int:
        """Return the code with the best margin; among equals any."""
        if len(turn.codes) == 1:
            return turn.codes[0]
        worth = dict.fromkeys(turn.codes, 0)
        for _ in range(self.samples):
            position, seed = turn.sample(), turn.random.getrandbits(63)
            for code in turn.codes:
                after = position.copy()
                after.apply(code)
                play_on(after, self.ahead * turn.tables.players, Random(seed))  # noqa: S311 - games, not secrets
                worth[code] += margins(totals(after, turn.tables))[turn.seat]
        best = max(worth.values())
        return turn.random.choice([code for code in turn.codes if worth[code] == best])


def play_on(position: Compiled, answers: int, chance: Random) -> None:
    """Give some more answers at random."""
    for _ in range(answers):
        codes = position.codes
        if not codes:
            return
        position.apply(chance.choice(codes))


@define(eq=False)
class _Node:
    """What was learned about a line of answers: how often it was open, tried, and what it gave its player."""

    player: int = -1
    open: int = 0
    visits: int = 0
    reward: float = 0.0
    children: dict[int, _Node] = field(factory=dict)

    @property
    def mean(self) -> float:
        """What it gave its player on average."""
        return self.reward / self.visits if self.visits else 0.0

    def best(self, codes: tuple[int, ...], curiosity: float) -> int:
        """Return the legal answer that promises most, or one that was not tried enough."""

        def promise(code: int) -> float:
            child = self.children[code]
            return child.mean + curiosity * sqrt(log(child.open) / child.visits)

        return max(codes, key=promise)


@define(eq=False)
class _Search:
    """One search for one answer: the tree, the positions it goes through, and how far apart the seats usually end."""

    turn: Turn
    worlds: list[Compiled]
    root: _Node = field(factory=_Node)
    rounds: int = 0
    spread: float = 1.0
    """The mean distance of the seats at the ends of rounds: what counts as a large lead in this game, now."""

    def position(self) -> Compiled:
        """Return a position that the seat could be in, with chance of its own."""
        found = self.worlds[self.rounds % len(self.worlds)].copy()
        found.cells[GENERATOR] = self.turn.random.getrandbits(63)
        return found

    def gains(self, points: list[int]) -> list[float]:
        """Return what an end is worth to each seat, between 0 and 1: half is no lead."""
        leads = margins(points)
        self.rounds += 1
        self.spread += (max(map(abs, leads)) - self.spread) / (self.rounds + 1)
        scale = self.spread or 1.0
        return [0.5 + 0.5 * lead / (abs(lead) + scale) for lead in leads]


@frozen
class SearchBot:
    """Monte-Carlo tree search over information sets: each round plays through a position it could be in."""

    iterations: int = 200
    seconds: float | None = None
    """Stop after this time, whatever the number of rounds; results then depend on the machine."""
    depth: int = 40
    """How many answers a random continuation has before the position is judged by the game's own scoring."""
    worlds: int = 10
    """How many positions it could be in are dealt for one answer; rounds take them in turn."""
    curiosity: float = 0.4
    """How much an answer that was seldom tried is preferred."""

    def choose(self, turn: Turn) -> int:
        """Return the code that was tried most; among equals the one that gave most."""
        if len(turn.codes) == 1:
            return turn.codes[0]
        search = _Search(turn, [turn.sample() for _ in range(min(self.worlds, self.iterations))])
        end = None if self.seconds is None else time.monotonic() + self.seconds
        for _ in range(self.iterations):
            self._round(search)
            if end is not None and time.monotonic() > end:
                break
        tried = search.root.children
        return max(
            (code for code in turn.codes if code in tried), key=lambda code: (tried[code].visits, tried[code].mean)
        )

    def _round(self, search: _Search) -> None:
        position, path, turn = search.position(), [search.root], search.turn
        while position.codes:
            node = path[-1]
            fresh = _opened(node, position.codes, position.player)
            code = turn.random.choice(fresh) if fresh else node.best(position.codes, self.curiosity)
            path.append(node.children[code])
            position.apply(code)
            if fresh:
                break
        play_on(position, self.depth, turn.random)
        gains = search.gains(totals(position, turn.tables))
        for node in path[1:]:
            node.visits += 1
            node.reward += gains[node.player]


def _opened(node: _Node, codes: tuple[int, ...], player: int) -> list[int]:
    """Note that these answers were open, and return those never tried."""
    fresh = []
    for code in codes:
        child = node.children.get(code)
        if child is None:
            child = node.children[code] = _Node(player)
        child.open += 1
        if child.visits == 0:
            fresh.append(code)
    return fresh


BOTS: dict[str, Callable[[int | None], Bot]] = {
    "random": lambda _: RandomBot(),
    "greedy": lambda samples: GreedyBot(samples or 2),
    "search": lambda iterations: SearchBot(iterations or 200),
}


def bot_of(word: str) -> Bot:
    """Return a new bot by its word: `random`, `greedy`, `greedy:3`, `search:100`.

    Raises:
        ValueError: There is no such bot.
    """
    name, _, number = word.partition(":")
    if name not in BOTS or (number and not number.isdigit()):
        raise ValueError(f"there is no bot `{word}`; there are {', '.join(f'`{each}`' for each in sorted(BOTS))}")
    return BOTS[name](int(number) if number else None)
