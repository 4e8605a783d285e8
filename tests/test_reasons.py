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


@pytest.mark.parametrize("engine", ["compiled", "interpreter"])
def test_others_are_told_reasons_as_far_as_they_may_know(engine: str) -> None:
    game = aodrules.load("caravan").new_game(players=["amber", "jade"], seed=5, engine=engine)
    for action in ("swear 1", "swear 2"):
        game.push(action)
    mine, *others = (game.view(seat) for seat in ("jade", "amber", None))
    assert [str(reason) for reason in mine.why_not("pledge dates")] == ["You have no Dates (Hand)."]
    for view in others:
        for card in ("dates", "carpets"):
            with pytest.raises(aodrules.SecretError, match=r"it depends on what is hidden in `players\.jade\.hand`"):
                view.why_not(f"pledge {card}")
        assert view.why_not("pledge porter") == mine.why_not("pledge porter") != ()
        assert view.why_not("abstain") == ()
        with pytest.raises(aodrules.InvalidActionError, match="did you mean `pledge`"):
            view.why_not("plegde dates")  # and not which card: that is what may be answered
    game.push("abstain")
    with pytest.raises(aodrules.ArgumentError, match="gone on"):
        mine.why_not("abstain")


def test_names_of_steps_under_way_are_no_knowledge_of_others(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(UNDER_WAY, encoding="utf-8")
    game = aodrules.load(tmp_path, cache=False).new_game(players=2, seed=1)
    assert [reason.id for reason in game.view("ann").why_not("go 1")] == ["verb.main.go.options.go.where.2"]
    for answer in ("go 1", "go 5", "go 9"):
        with pytest.raises(aodrules.SecretError, match="hidden in the steps under way"):
            game.view("bob").why_not(answer)


UNDER_WAY = """
game: {players: 2, seats: [ann, bob], play: main}
state: {player: {purse: {is: number 0..5, start: 3, secret: owner}, won: number 0..9}}
verb:
  main:
    do:
      - for: player
        in: players
        do:
          - {let: least, be: player.purse}
          - choose: go
            by: player
            options:
              go: {hidden: true, for: {n: 0..9}, where: [n < 9, n >= least], do: [{set: player.purse, to: 0}]}
"""


def test_whether_a_place_is_taken_is_told_where_anybody_sees_it() -> None:
    game = aodrules.load("empires").new_game(players=2, seed=5)
    told = 0
    for _ in range(40):
        assert game.decision
        other = next(seat for seat in game.players if seat != game.decision.player)
        space = game._action_table.spaces[game.decision.address]
        for code in (code for code in range(0, space.size, 1 + space.size // 9) if code not in game.codes):
            assert game.view(other).why_not(code) == game.why_not(code)
            told += 1
        game.push(game.codes[0])
    assert told
