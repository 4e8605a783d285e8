"""Documents for the tests of this stage: rules that are right, short, and use most of the language."""

from __future__ import annotations

from aodrules.source.diagnostics import Report
from aodrules.source.spans import Source
from aodrules.syntax.documents import Document
from aodrules.syntax.from_source import read
from aodrules.syntax.tree import Mapping
from aodrules.syntax.yaml_reader import read_yaml

RULES = """\
game:
  players: 2..4
  seats: [red, blue, green, black]
  begin: set_up
  play: rounds
  order: turn_order
  points: {tiles: "sum(t.worth for t in player.tiles)", coins: {is: player.cash // 5, clauses: [end.coins]}}
  winner: {most: total(player), then: [player.cash], if: player.cash > 0}
kinds:
  age: {plural: ages, ordered: true, sorted_by: place, attributes: {place: number}}
  tile:
    plural: tiles
    attributes: {age: age, worth: {is: number, default: 1}, copies: number = 1}
    pieces: {count: copies}
    hooks:
      every_turn: {given: {player: player}}
      own: {effects: true, in: player.tiles, scope: owner}
    effects:
      paid: {entering: player.tiles, do: [{pay: 1}]}
age: {I: {place: 10}, II: {place: 20}}
tile:
  mill: {age: I, every_turn: [{gain: 2}]}
  market:
    age: II
    remembers: {visits: {is: number 0..9, resets: turn}}
    own:
      cheap: {modify: price, if: turn > 3, add: -1}
      swap: {offer: {buy: turn > 1}, limit: {game: 1, turn: 1}, do: [{gain: 1}]}
  hut: {each: {h1: {worth: 1}, h2: {worth: 2}}, age: I}
state:
  table: {turn: number 1..8 = 1, turn_order: {is: list of player, start: all}, offer: bag of tile}
  player: {cash: number 0..99 = 10, tiles: bag of tile}
value:
  price: {given: {tile: tile}, is: tile.worth}
  rent: {by: turn, table: {1..4: 2, 5..: 3}}
verb:
  gain: {main: {amount: number}, given: {player: player}, do: [{add: amount, to: player.cash}]}
  set_up: {do: [{step: order, do: [{shuffle: turn_order}]}]}
  rounds:
    do:
      - for: t
        in: range(1, 9)
        do:
          - {set: turn, to: t}
          - step: turn
            do:
              - for: player
                in: turn_order
                where: player.cash > 0
                do:
                  - {choose: buy, by: player}
                  - if: player.cash == 0
                    then: [{stop: turn}]
                    else: [{run: mill.every_turn}, {happen: bought, player: player}]
decision:
  buy:
    optional: true
    options:
      take:
        for: {tile: tile}
        where: ["offer[tile] > 0", {is: price(tile) <= player.cash, else: buy.price}]
        do: [{move: tile, from: offer, to: player.tiles}]
event: {bought: {given: {player: player}}}
sets: {pairs: {wild_per_set: 1, shapes: [{size: 2, alike: true, worth: 3}]}}
graph: {borders: {of: age, links: [[I, II]]}}
grid: {hex: {plural: hexes, cells: hexagons, columns: 3, rows: 2, odd_rows: right}}
text: {decision.buy: {en: Buy a tile, pl: Kup}}
clause: {buy.price: {says: {en: A tile costs its price.}, kind: rule, editions: all, source: {first: page 2}}}
ruling: {who-pays: {question: Who pays, readings: {all: Everybody, one: One}, chosen: all, because: It says each.}}
property: {turns: {always: turn <= 8}, up: {whenever: turn > before(turn), holds: turn < 9}}
scenario:
  first-buy:
    players: [red, blue]
    given: {players.red.cash: 3, offer: {mill: 1}}
    at: {step: turn, t: 1}
    refused: [{blue: take mill, clause: buy.price}]
    when: [{red: take mill}]
    then: {players.red.cash: 2}
"""

VARIANT = """\
variant: longer-game
name: {en: A longer game}
editions: [first]
requires: [builders]
overrides: [turn.eight]
house: true
add:
  tile: {tower: {age: II}}
change: {state.table.turn.is: number 1..9}
remove: [tile.mill]
insert:
  - {after: verb.set_up.order, do: [{gain: 5}]}
  - {last: verb.rounds, do: [end_game]}
move:
  - {step: verb.set_up.money, before: verb.set_up.order}
effects:
  rebate: {modify: price, add: -1}
with:
  builders: {change: {value.price.is: 2}}
scenario: {short: {players: 2, when: [{red: pass}], then: {turn: 2}}}
"""


def report_of(text: str) -> Report:
    """Return what is said about a text."""
    report = Report()
    read(Source("text.yaml", text), report)
    return report


def codes(text: str) -> list[str]:
    """Return the codes of what is said about a text."""
    return [each.code for each in report_of(text)]


def document(text: str) -> Document:
    """Return a document that has nothing wrong."""
    report = Report()
    found = read(Source("text.yaml", text), report)
    assert found is not None
    assert list(report) == []
    return found


def tree(text: str) -> Mapping:
    """Return the tree of a text that has nothing wrong as YAML."""
    report = Report()
    found = read_yaml(Source("text.yaml", text), report)
    assert found is not None
    assert list(report) == []
    return found
