"""What is fixed before play: each builtin and operator in each place for it, on both engines."""

from __future__ import annotations

import pytest

from aodrules.lang.builtins.table import BUILTINS
from tests.check.over_small_game import checked
from tests.engines.playing import Both

GAME = """
game: {{players: 3, seats: [ann, bob, cid], play: main}}
kinds:
  shade: {{plural: shades, ordered: true, sorted_by: weight, attributes: {{weight: number, twin: maybe shade}}}}
  warm:  {{plural: warm_shades, is_a: shade}}
  post:  {{plural: posts, attributes: {{tall: number, level: {level}, lit: flag, tone: maybe shade}}}}
  token: {{plural: tokens, pieces: {{count: {count}}}}}
warm:  {{red: {{weight: 1}}}}
shade: {{green: {{weight: 2, twin: shades.red}}, blue: {{weight: 3}}}}
post:  {{north: {{tall: {tall}, lit: {lit}, tone: {tone}}}, south: {{tall: 2, lit: true}}}}
token: {{chip: {{}}}}
grid:  {{cell: {{plural: cells, cells: hexagons, columns: 3, rows: 3, odd_rows: right}}}}
graph: {{roads: {{of: post, links: [[north, south]]}}}}
sets:  {{pairs: {{wild_per_set: 1, shapes: [{{size: 2, alike: true, worth: 2}}]}}}}
state:
  table:
    box:   {{is: bag of token, start: all}}
    depth: {{is: number 0..99, start: {start}}}
  post:
    mark: {{is: number 0..9, only: {only}}}
    wall: {{is: number 0..99, start: {wall}}}
verb:
  main:
    do:
      - {{choose: nod, by: first(seats)}}
      - {{choose: nod, by: last(seats)}}
decision:
  nod:
    options:
      nod:
        do:
          - {{add: "posts.north.tall + posts.south.level + size(box)", to: depth, up_to: true}}
          - {{if: posts.north.lit, then: [{{add: 1, to: depth, up_to: true}}]}}
          - {{if: posts.north.tone == blue, then: [{{add: 2, to: depth, up_to: true}}]}}
      leave: {{do: [{{leave_game: player}}]}}
option:
  peek: {{limit: {{game: 1}}, do: []}}
"""
PLACES = {
    "tall": "2",
    "level": "number = 3",
    "count": "4",
    "start": "5",
    "only": "true",
    "wall": "1",
    "lit": "true",
    "tone": "blue",
}
NUMBERS: dict[str, list[str]] = {
    "size": ["size(set(c for c in shades))", "size(neighbours(roads, posts.north))"],
    "len": ["len(players)", "len(seats)", "len(shades)", "len([4, 5])"],
    "index": ["index(shades, green)", "index(players, first(players))", "index([4, 5], 5)", "index(range(3), 7)"],
    "sum": ["sum(c.weight for c in shades)", "sum(range(4))", "sum(1 for p in players)", "sum([3, 4])"],
    "count": ["count(c.weight > 1 for c in shades)", "count(p != q for p in players for q in players)"],
    "any": ["1 if any(c.weight > 2 for c in shades) else 0", "1 if any(p == first(players) for p in players) else 0"],
    "all": ["1 if all(c.weight > 2 for c in shades) else 0"],
    "min": ["min(7, len(players))", "either(min(c.weight for c in shades), 9)", "either(min(range(2, 5)), 9)"],
    "max": ["max(7, len(players))", "either(max(1 for p in players), 9)", "either(max(range(2, 2)), 9)"],
    "first": ["either(first(range(2, 5)), 9)", "either(first(c for c in shades if c.weight > 1), shades.red).weight"],
    "last": ["either(last(range(2, 5)), 9)", "either(last(c for c in shades if c.twin == none), shades.red).weight"],
    "list": ["len(list(c for c in shades))", "len(list(neighbours(roads, posts.north)))"],
    "set": ["size(set(shades))", "size(set(players))"],
    "ranked": ["either(first(ranked(c.weight for c in shades)), shades.red).weight", "len(ranked(1 for p in players))"],
    "places": ["len(places(c.weight // 2 for c in shades))", "sum(size(g) for g in places(1 for p in players))"],
    "either": ["either(shades.green.twin, shades.blue).weight", "either(shades.blue.twin, shades.blue).weight"],
    "abs": ["abs(2 - len(players))"],
    "range": ["len(range(2, len(players) + 4))", "sum(n for n in range(len(players)))"],
    "next": ["either(next(shades.red), shades.red).weight", "1 if next(shades.blue) == none else 0"],
    "seats_from": ["len(seats_from(first(seats)))", "len(seats_from(last(seats)))"],
    "knows": ["1 if knows(players[0], box) else 0"],
    "used": ["used(peek, players[0])"],
    "possible": ["1 if possible(peek, player=players[0]) else 0"],
    "sets_worth": ["sets_worth(pairs, box, 1)"],
    "neighbours": [
        "size(neighbours(cells.b2))",
        "count(p == posts.south for p in neighbours(roads, posts.north))",
    ],
    "around": ["1 if around(cells.a1, 3) == none else 0", "either(around(cells.b2, 1), cells.b2).row"],
    "edge": ["1 if edge(cells.b2) else 0"],
    "connected": ["size(connected(roads, posts.north, set(posts)))", "size(connected(cells.a1, set(cells)))"],
    "regions": [
        "sum(size(r) * size(r) for r in regions(roads, set(posts)))",
        "len(regions(set(c for c in cells if edge(c))))",
    ],
    "reach": ["size(reach(roads, posts.north, 1, set(posts)))", "size(reach(cells.a1, 2, set(cells)))"],
    "distance": ["either(distance(roads, posts.north, posts.south), 9)", "either(distance(cells.a1, cells.c3), 9)"],
    "operators": [
        "7 // len(players) + 7 % len(players) - 1",
        "1 if len(players) in [3, 4] and not players[0] == players[1] else 0",
        "1 if shades.red in set(shades) or shades.red not in shades else 0",
        "1 if shades.red is warm else 0",
        "size(set(shades) | set(warm_shades)) + size(set(shades) & set(warm_shades))",
        "size(set(shades) - set(warm_shades))",
        "1 if shades.red < shades.green else 0",
        "either(shades[1], shades.red).weight + (1 if players[7] == none else 0)",
    ],
}
KNOWN_ONLY_IN_PLAY = {"knows", "used", "possible", "sets_worth"}
CASES = [(name, text, place) for name, texts in NUMBERS.items() for text in texts for place in PLACES]


def written(place: str, text: str) -> str:
    forms = {
        "level": f'{{is: number, default: "{text}"}}',
        "only": f'"({text}) > 1"',
        "lit": f'"({text}) > 1"',
        "tone": f'"shades.blue if ({text}) > 1 else shades[{text}]"',
    }
    shown = forms.get(place, f'"{text}"')
    return GAME.format(**PLACES | {place: shown})


def test_every_builtin_is_tried() -> None:
    assert NUMBERS.keys() - {"operators"} == BUILTINS.keys()


@pytest.mark.parametrize("name, text, place", CASES)
def test_what_is_fixed_before_play_plays_or_is_known_only_in_play(name: str, text: str, place: str) -> None:
    found = checked(written(place, text))
    if name in KNOWN_ONLY_IN_PLAY:
        assert found.codes
        return
    assert found.codes == [], [each.message for each in found.report]
    game = Both(found.rules, 3, 1)
    game.apply(game.codes[-1])
    game.apply(game.codes[0])


CHAIN = """
game: {{players: 2, seats: [ann, bob], play: main}}
kinds: {{bead: {{plural: beads, attributes: {{lit: flag, tall: number}}}}}}
bead: {{b0: {{lit: true, tall: 1}}, {beads}}}
state: {{table: {{depth: number 0..999}}}}
verb: {{main: {{do: [{{add: "count(b.lit for b in beads) + sum(b.tall for b in beads)", to: depth, up_to: true}}]}}}}
"""


def chain(length: int, step: int) -> str:
    """Return beads that each say what a neighbour says, the one before (-1) or after (1)."""
    first, last = (1, length) if step < 0 else (0, length - 1)
    rows = [f"b{n}: {{lit: beads.b{n + step}.lit, tall: beads.b{n + step}.tall}}" for n in range(first, last + 1)]
    return CHAIN.format(beads=", ".join(rows)).replace("b0: {lit: true", f"b{length if step > 0 else 0}: {{lit: true")


@pytest.mark.parametrize("step", [-1, 1])
def test_members_may_say_what_others_say(step: int) -> None:
    found = checked(chain(9, step))
    assert found.codes == []
    assert Both(found.rules, 2, 1).plain().fields["table.depth"] == [20]


@pytest.mark.parametrize("step", [-1, 1])
def test_a_chain_that_is_too_long_is_refused_once(step: int) -> None:
    found = checked(chain(800, step))
    assert found.codes == ["rules-too-deep"]


def test_the_rounds_of_all_attributes_are_counted_together() -> None:
    def beads(number: int) -> str:
        lit = "any(n == 19999 for n in range(20000))"
        return CHAIN.format(beads=", ".join(f'c{n}: {{lit: "{lit}", tall: 1}}' for n in range(number)))

    assert checked(beads(2)).codes == []
    assert checked(beads(3)).codes == ["too-much-work"]


EXCLUDED = """
game: {{players: 2, seats: [ann, bob], play: main}}
kinds:
  bead: {{plural: beads, ordered: true, sorted_by: tall, attributes:
    {{tall: number, home: maybe cell, twin: maybe bead, width: maybe number}}}}
bead: {{b0: {{tall: 1, width: 4}}, b1: {{tall: 2, twin: beads.b0}}, b2: {{tall: 3, home: cells.a1}}}}
grid: {{cell: {{plural: cells, cells: hexagons, columns: 3, rows: 3, odd_rows: right}}}}
state: {{table: {{depth: number 0..999}}}}
value:
  roomy: {{given: {{x: maybe cell}}, is: "x != none and size(neighbours(x)) > 1"}}
  wide:  {{given: {{x: maybe number}}, is: "x != none and x > 1"}}
  thin:  {{given: {{x: maybe number}}, is: "x == none or abs(x) < 1"}}
  early: {{given: {{x: maybe bead}}, is: "any(next(x) == y for y in beads if x != none if next(x) != none)"}}
verb: {{main: {{do: [{{add: "count({test} for b in beads)", to: depth, up_to: true}}]}}}}
"""


@pytest.mark.parametrize(
    "test, number", [("roomy(b.home)", 1), ("wide(b.width)", 1), ("thin(b.width)", 2), ("early(b.twin)", 1)]
)
def test_what_a_test_excludes_is_not_computed_beforehand(test: str, number: int) -> None:
    found = checked(EXCLUDED.format(test=test))
    assert found.codes == [], [each.message for each in found.report]
    assert Both(found.rules, 2, 1).plain().fields["table.depth"] == [number]
