"""What a position promises, as data: bots compare it instead of points, and nothing else reads it."""

from __future__ import annotations

from pathlib import Path

import aodrules
from aodrules import bots
from aodrules.testing.mutants import mutants_of

ORCHARD = """
game: {{players: 1..2, play: years, points: {{apples: player.apples}}, winner: {{most: total(player)}}{outlook}}}
state: {{player: {{apples: number 0..99, trees: number 0..9}}}}
verb:
  years:
    do:
      - repeat: 6
        do:
          - for: player
            in: players
            do: [{{choose: year, by: player}}, {{add: 3 * player.trees, to: player.apples}}]
decision:
  year:
    options:
      buy:   {{do: [{{add: 2, to: player.apples}}]}}
      plant: {{do: [{{add: 1, to: player.trees, up_to: true}}, {{take: 2, from: player.apples, up_to: true}}]}}
"""
LATE = ", outlook: {points: total(player), trees: 9 * player.trees}"


def orchard(folder: Path, outlook: str) -> aodrules.Rules:
    path = folder / f"orchard{len(outlook)}.yaml"
    path.write_text(ORCHARD.format(outlook=outlook), encoding="utf-8")
    return aodrules.load(path, cache=False)


def first_answer(rules: aodrules.Rules) -> str:
    return bots.choose(rules.new_game(players=1, seed=1), "casual").option


def test_a_bot_that_is_told_what_trees_promise_plants_them(tmp_path: Path) -> None:
    assert first_answer(orchard(tmp_path, LATE)) == "plant"
    assert first_answer(orchard(tmp_path, ", outlook: {points: total(player)}")) == first_answer(orchard(tmp_path, ""))


def test_without_an_outlook_points_are_compared(tmp_path: Path) -> None:
    game = orchard(tmp_path, "").new_game(players=2, seed=1)
    while not game.over:
        game.push("plant" if game.decision and game.decision.player == "player_1" else "buy")
        assert [game.machine.outlook(seat) for seat in range(2)] == [game.scores[name].total for name in game.players]


def test_it_is_the_same_on_both_engines_and_no_score(tmp_path: Path) -> None:
    rules = orchard(tmp_path, LATE)
    games = [rules.new_game(players=2, seed=1, engine=name) for name in ("compiled", "interpreter")]
    for game in games:
        game.push("plant")
    promised = [[game.machine.outlook(seat) for seat in range(2)] for game in games]
    assert promised == [[12, 0], [12, 0]]
    assert [score.total for score in games[0].scores.values()] == [3, 0]


def test_nobody_is_asked_to_test_it(tmp_path: Path) -> None:
    changes = [mutants_of(orchard(tmp_path, outlook).book.checked) for outlook in ("", LATE)]
    assert [one.id for one in changes[0]] == [one.id for one in changes[1]]


def test_a_variant_says_what_its_rules_are_worth(tmp_path: Path) -> None:
    variant = tmp_path / "axe.yaml"
    orchard(tmp_path, LATE)
    game = f"orchard{len(LATE)}"
    head = f"variant: axe\ngame: {game}\nhouse: true\n"
    variant.write_text(head + "change: {game.outlook.trees: 0 - 9 * player.trees}\n", encoding="utf-8")
    assert first_answer(aodrules.load(tmp_path / f"{game}.yaml", [variant], cache=False)) == "buy"
