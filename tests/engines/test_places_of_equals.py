"""`places`: the groups of equals from the most to the least, each a set."""

from __future__ import annotations

import pytest

from tests.check.over_small_game import checked
from tests.engines.playing import answer, answers, cells, game_of

GAME = """
    game: {{players: 2..4, seats: [ann, bob, cid, dan], begin: deal, play: main}}
    kinds: {{bead: {{plural: beads, attributes: {{n: number}}}}}}
    bead: {{amber: {{n: 2}}, beryl: {{n: 5}}, coral: {{n: 2}}, drop: {{n: 7}}}}
    state:
      table: {{n: number 0..9999}}
      player: {{cash: number 0..9, points: number 0..99, place: number 0..9, alone: flag}}
    verb:
      deal:
        do:
          - for: p
            in: players
            index: i
            do: [{{set: p.cash, to: "either({cash}[i], 0)"}}]
      main:
        do:
          {steps}
          - {{choose: nod, by: first(players)}}
    decision: {{nod: {{options: {{nod: {{do: []}}}}}}}}
"""
SCORE = """
          - for: group
            in: places(p.cash for p in players)
            index: place
            do:
              - for: p
                in: group
                do:
                  - {set: p.place, to: place}
                  - {set: p.alone, to: size(group) == 1}
"""


@pytest.mark.parametrize(
    "cash, placed, alone",
    [
        ([5, 3, 1, 2], [0, 1, 3, 2], [True, True, True, True]),
        ([5, 5, 1, 2], [0, 0, 2, 1], [False, False, True, True]),
        ([5, 3, 3, 0], [0, 1, 1, 2], [True, False, False, True]),
        ([4, 4, 4, 4], [0, 0, 0, 0], [False, False, False, False]),
    ],
)
def test_first_second_and_tied_places(cash: list[int], placed: list[int], alone: list[bool]) -> None:
    game = game_of(GAME.format(cash=cash, steps=SCORE.strip()), players=4)
    assert cells(game, "player.place") == placed
    assert cells(game, "player.alone") == alone


def number(formula: str) -> int:
    game = game_of(GAME.format(cash=[3, 8, 3, 0], steps=f'- {{set: n, to: "{formula}"}}'), players=4)
    found: int = cells(game, "table.n")[0]
    return found


@pytest.mark.parametrize(
    "formula, worth",
    [
        ("len(places(p.cash for p in players))", 3),
        ("len(places(p.cash for p in players if p.cash > 9))", 0),
        ("sum(size(g) * size(g) for g in places(p.cash for p in players))", 1 + 4 + 1),
        ("count(first(players) in g and size(g) == 2 for g in places(p.cash for p in players))", 1),
        ("len(places(b.n for b in beads))", 3),
        ("sum(b.n for g in places(-b.n for b in beads if b != drop) for b in g if size(g) > 1)", 4),
        ("len(places(b.n % 5 for b in set([beads.amber, beads.drop])))", 1),
    ],
)
def test_places_are_read_in_expressions(formula: str, worth: int) -> None:
    assert number(formula) == worth


def test_somebody_of_each_group_may_be_asked_in_turn() -> None:
    steps = """- for: group
            in: places(p.cash for p in players)
            index: place
            where: size(group) > 1 or place == 0
            do:
              - for: p
                in: group
                do:
                  - choose: claim
                    by: p
                    options:
                      take:
                        for: {k: 1..2}
                        do: [{add: "k * size(group) + 10 * place", to: p.points}]"""
    game = game_of(GAME.format(cash=[3, 8, 3, 0], steps=steps), players=4)
    for _ in range(3):
        assert answers(game) == ["take 1", "take 2"]
        answer(game, "take 2")
    assert cells(game, "player.points") == [14, 2, 14, 0]


@pytest.mark.parametrize(
    "formula, code",
    [
        ("size(places(p.cash for p in players)[0])", "type-mismatch"),
        ("size(first(places(p.cash for p in players)))", "type-mismatch"),
        ("len(places(k for k in range(3)))", "type-mismatch"),
        ("len(places(p == first(players) for p in players))", "type-mismatch"),
        ("len(places(players))", "wrong-arguments"),
    ],
)
def test_what_has_no_places_is_told(formula: str, code: str) -> None:
    text = GAME.format(cash=[1], steps=f'- {{set: n, to: "{formula}"}}')
    assert checked("\n".join(line[4:] for line in text.splitlines())).codes == [code]
