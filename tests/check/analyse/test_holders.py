"""No more places hold pieces than there are pieces."""

from __future__ import annotations

import pytest

from tests.check.over_small_game import checked

GAME = """
game: {{players: 2..3, play: go}}
kinds:
  hut:  {{plural: huts, pieces: {{count: 4, owned: true}}}}
  tree: {{plural: trees, pieces: {{count: 5}}}}
hut:  {{small: {{}}, large: {{}}}}
tree: {{elm: {{}}}}
grid: {{cell: {{plural: cells, cells: squares, columns: 9, rows: 9}}}}
state:
  table:
    wood: {{is: bag of tree, start: all}}
    n:    number 0..999
    seen: set of cell
  player: {{supply: {{is: bag of hut, start: all}}}}
  cell:
    town:  maybe hut
    named: {{is: maybe tree, mention: true}}
    camp:  bag of hut per player
    row_of_trees: list of tree up to 3
    grove: bag of tree per cell
value:
  asked: {{given: {{player: player, other: cell}}, is: {expression}}}
verb:
  go:
    do:
      - for: player
        in: players
        do:
          - for: c
            in: cells
            do: [{{set: n, to: "size(asked(player, c))"}}]
"""


def largest(expression: str) -> int | None:
    found = checked(GAME.format(expression=expression))
    assert found.codes == []
    return found.ranges.of(found.rules.values["asked"].formula).high


@pytest.mark.parametrize(
    "expression, most",
    [
        ('"set(c for c in cells if size(c.camp[player]) > 0)"', 8),
        ('"set(c for c in cells if size(c.camp[player]) >= 3)"', 2),
        ('"set(c for c in cells if edge(c) and not size(c.camp[player]) == 0)"', 8),
        ('"set(c for c in seen if edge(c) if size(c.camp[player]) > 1)"', 4),
        ("set(c for c in cells if c.town != none)", 24),
        ("set(c for c in cells if c.town.owner == player)", 8),
        ("set(c for c in cells if c.town.hut == small)", 24),
        ("set(c for c in cells if len(c.row_of_trees) > 1)", 2),
        ('"set(c for c in cells if size(c.grove[other]) > 0)"', 5),
    ],
)
def test_a_set_of_places_is_no_larger_than_what_lies_in_them(expression: str, most: int) -> None:
    assert largest(expression) == most


@pytest.mark.parametrize(
    "expression",
    [
        '"set(c for c in cells if size(c.camp[player]) >= 0)"',
        '"set(c for c in cells if size(c.camp[player]) < 3)"',
        '"set(c for c in cells if size(c.camp[player]) > 0 or edge(c))"',
        '"set(c for c in cells if size(other.camp[player]) > 0)"',
        "set(c for c in cells if c.town == none)",
        "set(c for c in cells if c.named != none)",
        '"set(c for c in cells if size(other.grove[c]) == 0)"',
    ],
)
def test_other_conditions_bound_nothing(expression: str) -> None:
    assert largest(expression) == 81


def test_of_all_owners_the_pieces_of_all_are_counted() -> None:
    assert largest('"set(c for c in cells if any(size(c.camp[p]) > 0 for p in players))"') == 81
    assert largest('"set(c for p in players for c in cells if size(c.camp[p]) > 0)"') == 24
