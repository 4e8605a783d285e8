"""Small games with every sort of secret, for the tests of what bots may know."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import aodrules

FRAME = """
game:
  players: 2..3
  seats: [ann, bob, cid]
  play: main
  points: {won: player.won}
  winner: {most: total(player)}
"""

SORTS = """
kinds: {ware: {plural: wares}}
ware: {silk: {}, salt: {}, tin: {}}
state:
  table: {round: number 0..9}
  player:
    won:   number 0..99
    bid:   {is: number 0..9, secret: owner}
    ready: {is: flag, secret: owner}
    aim:   {is: maybe ware, secret: owner}
    foe:   {is: maybe player, secret: owner}
    goods: {is: set of ware, secret: owner}
    store: {is: number 0..5 per ware, secret: owner}
    eyed:  {is: number 0..5 per player, secret: owner}
verb:
  main:
    do:
      - repeat: 2
        do:
          - {for: player, in: players, do: [{choose: plan, by: player}]}
          - {for: player, in: players, do: [{choose: split, by: player}]}
          - {for: player, in: players, do: [{choose: wait, by: player}]}
decision:
  plan:
    options:
      bid: {hidden: true, for: {n: 2..6}, do: [{set: player.bid, to: n}]}
      decide: {hidden: true, for: {yes: flag}, do: [{set: player.ready, to: "yes"}]}
      aim: {hidden: true, for: {ware: ware}, do: [{set: player.aim, to: ware}, {add: ware, to: player.goods}]}
      mark:
        hidden: true
        for: {p: player}
        where: [p != player]
        do:
          - {set: player.foe, to: p}
          - {for: q, in: players, do: [{add: 2 if q == p else 0, to: "player.eyed[q]", up_to: true}]}
  split:
    options:
      split:
        hidden: true
        for: {n: 0..5}
        do: [{set: "player.store[silk]", to: n}, {set: "player.store[salt]", to: 5 - n}]
  wait: {options: {wait: {do: [{add: 1, to: round, up_to: true}]}}}
"""
"""Secret numbers, flags, members, none, players, sets and tables. What is split is 5 in all, as everybody knows."""

AUCTION = """
state:
  player:
    won:  number 0..99
    cash: number 0..9 = 5
    bid:  {is: number 0..9, secret: owner}
verb:
  main:
    do:
      - repeat: 3
        do:
          - {for: player, in: players, do: [{choose: offer, by: player}]}
          - {for: player, in: players, do: [{take: 1, from: player.cash, up_to: true}]}
          - {for: player, in: players, do: [{choose: wait, by: player}]}
          - for: player
            in: players
            do:
              - {let: offered, be: player.bid}
              - {reveal: offered, to: all}
              - if: offered > 3
                then: [{add: 1, to: player.won}]
          - {for: player, in: players, do: [{choose: wait, by: player}]}
          - {for: player, in: players, do: [{set: player.bid, to: 0}]}
decision:
  offer:
    options:
      offer:
        hidden: true
        for: {n: 0..9}
        where: [n <= player.cash]
        do: [{set: player.bid, to: n}]
  wait: {options: {wait: {do: []}}}
"""
"""A bid is at most what its bidder had when it was made; it is shown, and taken back."""

STAIRS = """
state: {player: {won: number 0..99, height: {is: number 0..9, start: 2, secret: owner}}}
verb:
  main:
    do:
      - {choose: sink, by: first(players)}
      - {choose: sink, by: first(players)}
      - {choose: wait, by: last(players)}
decision:
  sink:
    options:
      sink:
        hidden: true
        for: {n: 0..2}
        where: [n <= player.height]
        do: [{set: player.height, to: n}]
  wait: {options: {wait: {do: []}}}
"""
"""Two answers in secret, of which the second depends on the first."""

UNDER_WAY = """
state:
  table: {top: number 0..9}
  player: {won: number 0..99, seen: {is: number 0..9, secret: owner}}
verb:
  main:
    do:
      - for: player
        in: players
        do:
          - {let: thought, be: 0}
          - choose: think
            by: player
            options:
              think: {hidden: true, for: {n: 0..3}, do: [{set: thought, to: n}]}
          - {for: p, in: players, do: [{choose: wait, by: p}]}
          - {set: player.seen, to: thought}
decision:
  wait: {options: {wait: {do: []}}}
"""
"""A secret that is nowhere but in the steps under way while others are asked."""

GUESS = """
state: {player: {won: number 0..99, number: {is: number 0..3, secret: owner}}}
verb:
  main:
    do:
      - {choose: hide, by: first(players)}
      - {choose: guess, by: last(players)}
decision:
  hide: {options: {hide: {hidden: true, for: {n: 0..3}, do: [{set: player.number, to: n}]}}}
  guess:
    options:
      guess:
        for: {n: 0..3}
        do:
          - {let: hidden_one, be: first(players).number}
          - {reveal: hidden_one, to: all}
          - if: hidden_one == n
            then: [{add: 10, to: player.won}]
"""
"""Who knew what is hidden would win."""

DICE = """
state: {player: {won: number 0..99}}
verb: {main: {do: [{choose: bet, by: last(players)}]}}
decision:
  bet:
    options:
      bet:
        for: {n: 0..3}
        do:
          - {roll: "range(0, 4)", as: face}
          - if: face == n
            then: [{add: 10, to: player.won}]
"""
"""Who knew what chance will bring would win."""

STACK = """
kinds: {card: {plural: cards, attributes: {value: number}, pieces: {count: 1}}}
card: {one: {value: 0}, two: {value: 1}, three: {value: 2}, four: {value: 3}}
state:
  table: {deck: {is: list of card, start: all, secret: content}, shown: list of card}
  player: {won: number 0..99}
verb: {main: {do: [{shuffle: deck}, {choose: bet, by: last(players)}]}}
decision:
  bet:
    options:
      bet:
        for: {card: card}
        do:
          - {draw: 1, from: deck, to: shown}
          - if: card in shown
            then: [{add: 10, to: player.won}]
"""
"""Who knew the next card would win."""

CARDS = """
kinds: {card: {plural: cards, attributes: {value: number, suit: number, copies: number = 1}, pieces: {count: copies}}}
card:
  one:   {value: 0, suit: 1, copies: 3}
  two:   {value: 1, suit: 1, copies: 2}
  three: {value: 2, suit: 2, copies: 2}
  four:  {value: 3, suit: 2}
"""

PLAYED_OPENLY = (
    CARDS
    + """
grid: {cell: {plural: cells, cells: squares, columns: 3, rows: 2}}
state:
  table:
    deck:    {is: list of card, start: all, secret: content}
    discard: list of card
  player:
    won:    number 0..99
    hand:   {is: list of card, secret: owner}
    purse:  {is: number 0..5, secret: owner}
  cell: {hits: number 0..9}
verb:
  main:
    do:
      - {shuffle: deck}
      - {for: player, in: players, do: [{draw: 2, from: deck, to: player.hand}]}
      - {for: player, in: players, do: [{choose: fill, by: player}]}
      - repeat: 2
        do: [{for: player, in: players, do: [{choose: act, by: player}]}]
decision:
  fill: {options: {fill: {hidden: true, for: {n: 0..5}, do: [{set: player.purse, to: n}]}}}
  act:
    optional: true
    options:
      throw:
        open: true
        for: {card: card, cell: cell}
        where: [card in player.hand]
        do:
          - {move: card, from: player.hand, to: discard}
          - {add: card.value, to: cell.hits, up_to: true}
      boast:
        open: true
        for: {n: 1..5}
        where: [n <= player.purse]
        do: [{add: n, to: player.won}]
"""
)
"""A card is played together with its aim, and of a secret number one may show that it is at least so much."""

TOLD = (
    CARDS
    + """
state:
  table: {deck: {is: list of card, start: all, secret: content}}
  player:
    won:  number 0..99
    bid:  {is: number 0..5, secret: owner}
    hand: {is: list of card, secret: owner}
verb:
  main:
    do:
      - {shuffle: deck}
      - {for: player, in: players, do: [{draw: 2, from: deck, to: player.hand}]}
      - {for: player, in: players, do: [{choose: offer, by: player}]}
      - for: player
        in: players
        do:
          - {reveal: player.bid > 2, as: is_high}
          - if: is_high
            then: [{add: 1, to: player.won}]
          - {reveal: "set(c for c in player.hand if c.value > 1)", as: good}
          - {add: size(good), to: player.won}
          - {reveal: "first(player.hand)", as: head}
          - {choose: wait, by: player}
decision:
  offer: {options: {offer: {hidden: true, for: {n: 0..5}, do: [{set: player.bid, to: n}]}}}
  wait: {options: {wait: {do: []}}}
"""
)
"""Of a secret number, and of a hand, everybody is told a part."""

VALUED = (
    CARDS
    + """
value:
  cash: {given: {player: player}, is: player.purse + 1}
  hand_size: {given: {player: player}, is: len(player.hand)}
  strength: {given: {player: player}, is: sum(c.value for c in player.hand)}
  has_one: {given: {player: player}, is: one in player.hand}
  top: {given: [], is: first(deck)}
  richest: {given: [], is: max(p.purse for p in players)}
  cautious: {given: {player: player}, is: player.purse if player.won > 0 else 0}
  knows_top: {given: {player: player}, is: "knows(player, first(players).hand[0])"}
  both: {given: {cards: set of card, n: number = 2, yes: flag}, is: (size(cards) + n) if yes else 0}
  best: {given: {card: maybe card}, is: "either(card.value, 0)"}
  stock: {given: {}, is: count(c.suit == 1 for c in spent)}
state:
  table: {deck: {is: list of card, start: all, secret: content}, spent: list of card}
  player:
    won:   number 0..99
    purse: {is: number 0..5, secret: owner}
    hand:  {is: list of card, secret: owner}
verb:
  main:
    do:
      - {shuffle: deck}
      - {for: player, in: players, do: [{draw: 2, from: deck, to: player.hand}]}
      - {for: player, in: players, do: [{choose: fill, by: player}]}
decision:
  fill: {options: {fill: {hidden: true, for: {n: 0..5}, do: [{set: player.purse, to: n}]}}}
"""
)
"""Values that depend on secrets of one player, of several, of the table, and on none."""


@cache
def rules_of(text: str) -> aodrules.Rules:
    """Return the rules that a text declares."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.yaml"
        path.write_text(FRAME + text, encoding="utf-8")
        rules = aodrules.load(path, cache=False)
        rules.new_game(players=2, seed=0)
        return rules
