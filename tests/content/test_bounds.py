"""Bounds that nobody means are not reached: nothing is cut, no loop is ended, no answer runs out, nobody is stuck."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from attrs import define, field

import aodrules
from aodrules.bots.one_step import GreedyBot
from aodrules.bots.turns import Turn
from aodrules.compiler.layout import PLAYER, POINT
from aodrules.compiler.plan import CLOSED, uses_of
from aodrules.compiler.runtime.compiled import Compiled
from aodrules.interpreter.evaluation import Evaluator
from aodrules.interpreter.options import instances
from aodrules.play.comparison import odd_among
from aodrules.source.shipped import shipped
from tests.content.compositions import EDITIONS, cover

MEANT = {
    ("aod", "decision.overflow.options.settle"): "Overpopulation brings three Colonists",
    ("aod", "decision.sell_at_customs.options.sell"): "a worker at the customs sells two goods",
    ("caravan", "decision.trade.options.bury"): "three cards of a hand may be put away in a city",
    ("caravan", "decision.trade.options.sell"): "three wares may be sold in a city",
    ("harbour", "decision.sell.options.sell"): "a worker at the exchange sells three goods",
    ("harbour", "house.free_port.every_round.barter.options.barter"): "a free port barters twice a round",
}
"""Answers of a game that may be given so often by the rules, and not because a number had to be written."""
RANDOM_GAMES, GREEDY_GAMES = 20_000, 2_000


def _house_rules() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Iterate over the house rules, each with one of its editions."""
    for number, path in enumerate(sorted((shipped("variants") / "aod" / "house").glob("*.yaml"))):
        head = yaml.safe_load(path.read_text(encoding="utf-8"))
        editions = head.get("editions", EDITIONS)
        yield editions[number % len(editions)], (head["variant"], *head.get("requires", ()))


COMBINATIONS = [
    *((edition, names) for edition in EDITIONS for names in cover(edition)),
    *_house_rules(),
    ("empires", ("loans", "scouting")),
    *(("tests/games/" + name, ()) for name in ("nim.yaml", "harbour", "caravan", "isles")),
]


@define(eq=False)
class Watch:
    """Looks on at a game, and notes every bound that is reached and not meant."""

    game: aodrules.Game
    reached: set[tuple[str, str]] = field(factory=set)

    def play(self, seed: int, *, greedy: bool = False) -> None:
        """Play to the end, at random or by the next step."""
        game, bot, chance = self.game, GreedyBot(), random.Random(seed)
        self.look()
        while game.codes:
            seat = game.machine.cells[PLAYER]  # type: ignore[attr-defined]  # it is generated code
            game.push(bot.choose(Turn(game, seat, chance)) if greedy else chance.choice(game.codes))
            self.look()

    def look(self) -> None:
        """Note what was reached since the last answer, and answers that are withheld for no other reason."""
        machine = self.game.machine
        assert isinstance(machine, Compiled)
        self.reached |= set(odd_among(machine.happenings))
        question = machine.program.questions[machine.cells[POINT]]
        if question is not None and any(name.startswith("uses of") for name, _ in question.around):
            self.reached |= set(self._withheld(machine, question.decision))

    def _withheld(self, machine: Compiled, decision: str) -> Iterator[tuple[str, str]]:
        names, rules = machine.names(), self.game.book.checked
        for option in rules.decisions[decision].options:
            if names.get(uses_of(option)) == CLOSED and (rules.game.name, option.address) not in MEANT:
                evaluator = Evaluator(self.game.tables, machine.plain())
                if any(True for _ in instances(evaluator, option, names)):
                    yield "again", option.address


def reached(combination: int, games: int, *, greedy: bool = False) -> set[tuple[str, str]]:
    """Return the bounds that some games of a combination of documents reach."""
    base, names = COMBINATIONS[combination]
    rules = aodrules.load(Path(base) if "/" in base else base, names, cache=False)
    low, high = rules.players
    found: set[tuple[str, str]] = set()
    for seed in range(games):
        watch = Watch(rules.new_game(players=low + seed % (high - low + 1), seed=seed, undo=False))
        watch.play(seed, greedy=greedy)
        found |= watch.reached
    return found


@pytest.mark.parametrize("combination", range(len(COMBINATIONS) - 5, len(COMBINATIONS) - 1))
def test_a_few_games_reach_no_bound_that_nobody_means(combination: int) -> None:
    assert reached(combination, 12) == set()
    assert reached(combination, 1, greedy=True) == set()


@pytest.mark.soak
@pytest.mark.parametrize("combination", range(len(COMBINATIONS)))
def test_many_games_reach_no_bound_that_nobody_means(combination: int) -> None:
    assert reached(combination, -(-RANDOM_GAMES // len(COMBINATIONS))) == set()


@pytest.mark.soak
@pytest.mark.parametrize("combination", range(len(COMBINATIONS)))
def test_many_greedy_games_reach_no_bound_that_nobody_means(combination: int) -> None:
    assert reached(combination, -(-GREEDY_GAMES // len(COMBINATIONS)), greedy=True) == set()


def test_a_bound_that_is_reached_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "bounded.yaml"
    path.write_text(
        """
game: {players: 2, seats: [red, blue], play: main}
state: {table: {n: number 0..3, m: number 0..9}}
verb:
  main:
    do:
      - {add: 5, to: n}
      - {while: m < 9, at_most: 2, do: [{add: 1, to: m}]}
      - {choose: act, by: first(players)}
      - {choose: nothing, by: first(players)}
decision:
  act: {options: {look: {again: 1, do: []}, end: {do: []}}}
  nothing: {options: {go: {where: [m > 9], do: []}}}
""",
        encoding="utf-8",
    )
    rules = aodrules.load(path, cache=False)
    found: set[tuple[str, str]] = set()
    for seed in range(9):
        watch = Watch(rules.new_game(players=2, seed=seed))
        watch.play(seed)
        found |= watch.reached
    assert {sort for sort, _ in found} == {"cut", "bound", "stuck", "again"}
    assert ("again", "decision.act.options.look") in found
