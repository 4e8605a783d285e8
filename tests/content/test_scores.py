"""Scores are broken down by source and building, and agree with a second reckoning from the state alone."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

import aodrules
from aodrules.compiler.runtime.compiled import Compiled
from tests.content.compositions import rules_of
from tests.content.playing import Player

ALL = ("builders", "buy-victory-points", "national-advantages")
GAMES = [
    *(("empires", ALL, seed) for seed in range(6)),
    *((edition, (), seed) for edition in ("aoe3-pl", "aoe3-ru") for seed in range(3)),
]
PRINTED = {"new_world_cartography": 4, "taxation": 2, "university": 5, "factory": 5}


def finished(edition: str, variants: tuple[str, ...], seed: int) -> aodrules.Game:
    """Return a game played to its end by people who like to build."""
    rules = rules_of(edition, variants)
    players = 3 + seed % 2
    game = rules.new_game(players=players, seed=seed, undo=False, log=False)
    player = Player(rules.book.tables(players), "settler", random.Random(seed))
    machine = Compiled.new_game(rules.book.program(players, log=False), seed)
    while not game.over:
        code = player.answer(machine)
        machine.apply(code)
        game.push(code)
    return game


class Table:
    """The end of a game as one player sees it from outside the engine."""

    def __init__(self, game: aodrules.Game, player: str) -> None:
        self.game, self.player = game, player

    def own(self, name: str) -> Any:
        return self.game.state[f"players.{self.player}.{name}"]

    def colony(self, region: str, player: str | None = None) -> Counter[str]:
        found: Counter[str] = self.game.state[f"regions.{region}.colony.{player or self.player}"]
        return found

    @property
    def regions(self) -> list[str]:
        return list(rules_of("empires").components["region"])

    def settled(self, *workers: str) -> int:
        bags = [self.colony(region) for region in self.regions]
        return sum(count for bag in bags for worker, count in bag.items() if not workers or worker in workers)

    def most(self, region: str) -> int:
        return max(self.colony(region, player).total() for player in self.game.players)


SCORING: dict[str, Callable[[Table], int]] = {
    "mercantilism": lambda table: sum(table.own("wares").values()),
    "population": lambda table: table.settled() // 2,
    "navy": lambda table: 4 * sum(table.own("ships").values()),
    "power": lambda table: 2 * table.settled("soldier"),
    "prosperity": lambda table: 2 * sum(table.own("tiles").values()),
    "age_of_discovery": lambda table: 4 * sum(table.own("found").values()),
    "new_world_capital_city": lambda table: 3 * table.settled("builder"),
}


def glory(table: Table, edition: str) -> int:
    least = 3 if edition == "empires" else 1
    return 2 * sum(table.colony(region).total() > 0 and table.most(region) >= least for region in table.regions)


@pytest.mark.parametrize("edition, variants, seed", GAMES)
def test_every_point_has_its_source(edition: str, variants: tuple[str, ...], seed: int) -> None:
    game = finished(edition, variants, seed)
    for player, score in game.scores.items():
        table = Table(game, player)
        assert score.total == sum(score.sources.values())
        for line in score.lines:
            assert line.points == sum(share.points for share in line.shares)
        for age in ("I", "II", "III"):
            assert score.sources[f"colonies_{age}"] == table.own(f"colony_points.{age}")
        assert score.sources["economy"] == table.own("last_income")
        points = {name: int(str(each.attributes["points"])) for name, each in found(edition, variants).items()}
        assert score.sources["discoveries"] == sum(points[name] for name in table.own("found"))
        if "buy-victory-points" in variants:
            assert score.sources["bought"] == table.own("bought_points")


def found(edition: str, variants: tuple[str, ...]) -> dict[str, Any]:
    return rules_of(edition, variants).components["discovery"]


@pytest.mark.parametrize("edition, variants, seed", GAMES)
def test_each_building_scores_what_its_tile_says(edition: str, variants: tuple[str, ...], seed: int) -> None:
    game = finished(edition, variants, seed)
    for player, score in game.scores.items():
        table = Table(game, player)
        line = next(line for line in score.lines if line.source == "buildings")
        scored: Counter[str] = Counter()
        for share in line.shares:
            assert share.holder == player
            assert share.member in table.own("tiles")
            scored[str(share.member)] += share.points
        expected = {name: PRINTED[name] for name in table.own("tiles") if name in PRINTED}
        expected |= {name: SCORING[name](table) for name in table.own("tiles") if name in SCORING}
        if "glory" in table.own("tiles"):
            expected["glory"] = glory(table, edition)
        reckoned = {name: points for name, points in scored.items() if name not in ("wealth", "age_of_reason")}
        assert reckoned == {name: points for name, points in expected.items() if points}


@pytest.mark.parametrize("edition, variants, seed", GAMES)
def test_the_ranking_says_what_decided(edition: str, variants: tuple[str, ...], seed: int) -> None:
    game = finished(edition, variants, seed)
    totals = [game.scores[standing.player].total for standing in game.ranking]
    assert totals == sorted(totals, reverse=True)
    assert game.ranking[0].decided_by is None
    for one, two in zip(game.ranking, game.ranking[1:], strict=False):
        if two.place > one.place:
            differing = [
                name for (name, first), (_, second) in zip(one.judged, two.judged, strict=True) if first != second
            ]
            assert two.decided_by == differing[0]


def colony_points(counts: list[int]) -> list[int]:
    """Return what each player gets for a region, by the words of the rules."""
    most = max(counts)
    if most < 3:
        return [0] * len(counts)
    leaders = counts.count(most)
    second = max((count for count in counts if count < most), default=0)
    firsts = {1: 6, 2: 2}.get(leaders, 0)
    seconds = 2 if leaders == 1 and counts.count(second) == 1 and second > 0 else 0
    return [firsts if count == most else seconds if count == second else 0 for count in counts]


@pytest.mark.parametrize(
    "counts, points",
    [
        ([5, 4, 1], [6, 2, 0]),
        ([3, 3, 2], [2, 2, 0]),
        ([3, 3, 3, 1], [0, 0, 0, 0]),
        ([4, 2, 2], [6, 0, 0]),
        ([3, 0], [6, 0]),
        ([3, 1], [6, 2]),
        ([2, 2, 2], [0, 0, 0]),
    ],
)
def test_the_second_reckoning_of_colonies_knows_the_examples(counts: list[int], points: list[int]) -> None:
    assert colony_points(counts) == points


@pytest.mark.parametrize("edition, variants, seed", [game for game in GAMES if "builders" not in game[1]])
def test_the_colonies_of_the_last_age_score_as_the_rules_say(
    edition: str, variants: tuple[str, ...], seed: int
) -> None:
    game = finished(edition, variants, seed)
    expected: Counter[str] = Counter()
    for region in Table(game, "red").regions:
        counts = [Table(game, player).colony(region).total() for player in game.players]
        expected += Counter(dict(zip(game.players, colony_points(counts), strict=True)))
    assert {player: game.scores[player].sources["colonies_III"] for player in game.players} == {
        player: expected[player] for player in game.players
    }
