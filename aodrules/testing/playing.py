"""Play games in which laws are tested: how a player's temper chooses, and what came of it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TypeAlias

from attrs import define, field, frozen

from aodrules.arguments import check_number, check_one_of, check_seed, check_type
from aodrules.facts.action_codes import ActionSpace
from aodrules.interpreter.entry.enter_at_step import EntryPoint
from aodrules.play.comparison import odd_among
from aodrules.play.rules_context import RulesContext
from aodrules.testing.laws import Laws, Violation
from aodrules.testing.observers import GameObserver, observed_game
from aodrules.testing.properties import Property

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
    if line.temper == "even":
        return lambda _, codes: chance.choice(codes)
    return partial(_rather, spaces, chance, {}, line.temper == "eager")


def _rather(
    spaces: dict[str, ActionSpace],
    chance: random.Random,
    likings: dict[str, float],
    is_eager: bool,  # noqa: FBT001 - bound once by name above
    decision: str,
    codes: Sequence[int],
) -> int:
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


def lines_for(book: RulesContext, games: int, seed: int = 0) -> Iterator[Line]:
    """Iterate over lines that are as different as can be: by turns every number of players and every temper."""
    low, high = book.checked.game.players
    for number in range(games):
        players = low + number % (high - low + 1)
        yield Line(players, seed + number, TEMPERS[number // (high - low + 1) % len(TEMPERS)])
