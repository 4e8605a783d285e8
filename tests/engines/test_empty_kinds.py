"""A kind may have no members, in one edition or for a while: everything over it is empty, and the game goes on."""

from __future__ import annotations

from pathlib import Path

import aodrules
from aodrules.play.comparison import compare

GAME = """
game:
  players: 2
  play: p
  points: {n: "sum(size(r.held[player]) * r.worth for r in rocks) + size(player.mine) + player.kept"}
kinds:
  rock:
    plural: rocks
    attributes: {worth: number = 1, copies: number = 2, next_to: maybe rock}
    pieces: {count: copies}
    hooks: {own: {effects: true, in: player.mine, scope: owner}, go: {}}
  man:  {plural: men, attributes: {each: number = 2}, pieces: {count: each, owned: true}}
  hill: {plural: hills, ordered: true, sorted_by: place, attributes: {place: number, grows: maybe rock}}
  tree: {plural: trees, is_a: hill}
graph: {roads: {of: hill, links: []}}
sets: {rows: {shapes: [{size: 3, worth: 2}]}}
state:
  table:
    pit:   {is: bag of rock, start: all}
    heap:  {is: list of rock, secret: content}
    tabs:  number 0..9 per rock
    where: maybe hill
    some:  set of hill
    grid:  number 0..9 per hill
  player:
    mine: bag of rock
    men_here: {is: bag of man, start: all}
    kept: number 0..9
    hand: {is: list of rock, secret: owner}
  rock: {held: bag of man per player}
  hill: {crew: {is: list of man, only: hill.place > 0}}
value:
  v: {given: {rock: rock}, is: rock.worth + 1}
  best: {is: "either(max(v(r) for r in rocks), 0)"}
verb:
  p:
    do:
      - {shuffle: heap}
      - {draw: 2, from: pit, to: heap}
      - {let: x, be: first(r for r in rocks)}
      - if: x != none
        then: [{move: x, from: pit, to: heap}, {add: x.worth, to: "tabs[x]"}, {run: x.go}]
      - {for: rock, in: rocks, do: [{run: rock.go}, {set: "tabs[rock]", to: v(rock)}]}
      - {for: hill, in: hills, do: [{set: where, to: hill}]}
      - for: player
        in: players
        do:
          - set: player.kept
            to: best() + sets_worth(rows, player.mine, 0) + count(h for h in hills if h in neighbours(roads, h))
          - {choose: d, by: player}
          - {choose: e, by: player}
          - {for: rock, in: player.mine, ordered_by: player, do: [{run: rock.go}]}
decision:
  d:
    options:
      a:
        for: {rock: rock, hill: hill}
        where: ["pit[rock] > 0", hill.place > 2, "tabs[rock] < 3"]
        do: [{move: rock, from: pit, to: player.mine}]
      b: {for: {man: man}, where: ["player.men_here[man] > 0"], do: []}
      c: {do: [{add: 1, to: player.kept}]}
      x: {use: sh}
  e:
    optional: true
    options:
      a: {for: {rock: rock}, where: ["pit[rock] > 0"], do: [{move: rock, from: pit, to: player.hand}]}
option:
  sh: {for: {hill: hill}, where: [hill == where], do: [{set: where, to: hill}]}
"""


def test_a_game_of_kinds_without_members_plays_on_both_engines(tmp_path: Path) -> None:
    path = tmp_path / "empty.yaml"
    path.write_text(GAME, encoding="utf-8")
    rules = aodrules.load(path, cache=False)
    for seed in range(3):
        assert [len(compare(rules.book, 2, seed).answers), seed] == [2, seed]
    game = rules.new_game(players=2, seed=1)
    assert [str(action) for action in game.actions] == ["c"]
