"""Why an action is refused: told from the position as it stands, the same by both engines."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import aodrules
from aodrules.compiler.runtime.compiled import Compiled
from aodrules.interpreter.interpreter import Interpreter

pytestmark = pytest.mark.slow

# Questions in the middle of procedures: with places, names of a loop and of `let`, and a bag.
HUNT = """
game: {name: {en: Hunt}, players: 2, seats: [ann, bob], play: main}
kinds:
  gem: {plural: gems, attributes: {copies: number}, pieces: {count: copies}}
gem: {ruby: {copies: 4}, opal: {copies: 3}}
state:
  table: {mine: {is: bag of gem, start: all}, pit: list of gem}
  player: {purse: bag of gem, luck: number 0..9}
verb:
  main:
    do:
      - repeat: 2
        do: [{for: player, in: players, do: [{dig: player, out_of: mine, into: player.purse}]}]
      - {for: player, in: players, do: [{choose: drop, by: player, least: 1, into: pit, out_of: player.purse}]}
  dig:
    main: {player: player}
    given: {out_of: place of gem, into: place of gem}
    do:
      - {let: before, be: mine}
      - {let: spare, be: size(mine) - 5}
      - for: left
        in: range(1, 3)
        do:
          - choose: pick
            by: player
            options:
              take:
                for: {gem: gem, count: 1..3}
                where: ["before[gem] > count", count + left <= 4, "size(into) + count <= 6", "size(out_of) > count"]
                do: [{move: gem, count: count, from: out_of, to: into}]
              wait: {where: [spare < left], do: []}
            otherwise: []
decision:
  drop:
    given: {least: number 0..3, into: place of gem, out_of: place of gem}
    options:
      drop:
        for: {gem: gem}
        where: ["size(into) < least", "size(out_of) > least", "player.purse[gem] > 1"]
        do: [{move: gem, from: out_of, to: into}]
      keep: {do: []}
"""


def positions(rules: aodrules.Rules, players: int, seed: int) -> Iterator[tuple[aodrules.Game, aodrules.Game]]:
    """Iterate over the positions of a random game, each on both engines."""
    chance = random.Random(seed)
    game, reference = (rules.new_game(players=players, seed=seed, engine=each) for each in ("compiled", "interpreter"))
    while not game.over:
        yield game, reference
        code = chance.choice(game.codes)
        game.push(code)
        reference.push(code)


def refused(game: aodrules.Game, chance: random.Random, most: int) -> list[int]:
    """Return some codes that are not legal now."""
    decision = game.machine.decision
    assert decision is not None
    codes = range(game.book.actions(game.players).spaces[decision].size)
    return chance.sample(
        [code for code in codes if code not in game.codes][:400], k=min(most, len(codes) - len(game.codes))
    )


@pytest.mark.parametrize(
    "base, variants, players",
    [
        ("tests/games/nim.yaml", [], 2),
        ("tests/games/harbour", ["dear-timber", "town-subsidy"], 3),
        ("tests/games/caravan", [], 3),
        ("tests/games/isles", [], 3),
        ("empires", ["builders", "national-advantages", "scouting"], 3),
        ("aoe3-pl", [], 2),
    ],
)
def test_both_engines_tell_the_same_reasons(base: str, variants: list[str], players: int) -> None:
    rules = aodrules.load(base, variants)
    chance = random.Random(7)
    told: set[tuple[str | None, str]] = set()
    for game, reference in positions(rules, players, 5):
        for code in refused(game, chance, 6):
            found = game.why_not(code)
            assert found == reference.why_not(code)
            told.update((game.machine.decision, reason.id) for reason in found)
    assert len(told) > (0 if "nim" in base else 6)


def test_reasons_inside_procedures_know_places_loops_and_bags(tmp_path: Path) -> None:
    (tmp_path / "hunt.yaml").write_text(HUNT, encoding="utf-8")
    rules = aodrules.load(tmp_path / "hunt.yaml", cache=False)
    told: set[str] = set()
    for seed in range(12):
        for game, reference in positions(rules, 2, seed):
            for code in refused(game, random.Random(seed), 20):
                found = game.why_not(code)
                assert found == reference.why_not(code)
                told.update(reason.condition for reason in found)
    assert told == {
        *("before[gem] > count", "count + left <= 4", "size(into) + count <= 6", "size(out_of) > count"),
        *("spare < left", "size(into) < least", "size(out_of) > least", "player.purse[gem] > 1"),
    }


def test_asking_for_reasons_plays_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    game = aodrules.load("empires", ["builders", "national-advantages"]).new_game(players=4, seed=3)
    chance = random.Random(3)
    for _ in range(200):
        game.push(chance.choice(game.codes))

    def played(*_: object) -> None:
        pytest.fail("an action was played again")

    for engine in (Compiled, Interpreter):
        monkeypatch.setattr(engine, "apply", played)
    monkeypatch.setattr(Interpreter, "__init__", played)
    assert all(game.why_not(code) for code in refused(game, chance, 50))
    assert all(game.copy().why_not(code) for code in refused(game, chance, 5))


def test_a_game_that_was_sampled_tells_its_reasons_too() -> None:
    told: set[str] = set()
    for game, _ in positions(aodrules.load("tests/games/harbour"), 2, 3):
        sampled = game.sample("red", 4)
        told.update(sampled.why_not(code)[0].id for code in refused(sampled, random.Random(1), 3))
    assert told - {"not-possible"}
