"""The sentences that tell why an action is refused: about this action, in the player's language, the best one first."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import aodrules
from tests.test_reasons import positions, refused

pytestmark = pytest.mark.slow

MARKET = """
game: {name: {en: Market}, players: 2, seats: [ann, bob], play: main}
kinds:
  fruit: {plural: fruits, attributes: {copies: number, price: number}, pieces: {count: copies}}
  stall: {plural: stalls, attributes: {open: {is: flag, default: true}}}
fruit: {plum: {copies: 5, price: 2}, fig: {copies: 2, price: 9}}
stall: {corner: {}, arcade: {open: false}}
state:
  table: {orchard: {is: bag of fruit, start: all}, cart: bag of fruit, road: list of fruit}
  player: {coins: {is: number 0..20, start: 5}, basket: bag of fruit}
  stall: {shown: maybe fruit, keeper: maybe player}
verb:
  main:
    do:
      - {move: plum, from: orchard, to: stalls.corner.shown}
      - {move: plum, count: 2, from: orchard, to: cart}
      - {move: plum, from: orchard, to: last(players).basket}
      - {choose: trade, by: first(players)}
value:
  is_busy: {given: {stall: stall}, is: stall.shown != none}
  wealth: {given: {p: player}, is: p.coins + bonus(p)}
  welcome: {given: {player: player}, is: "tidy(player) & set(s for s in stalls)"}
  tidy:
    given: {player: player}
    is: set(s for s in stalls if s.shown == none and s.open)
  empty_ones: {is: set(s for s in stalls if s.shown == none)}
  bonus: {given: {of: player}, is: size(of.basket)}
  stock: {given: {player: player}, is: size(player.basket)}
decision:
  trade:
    options:
      keep: {do: []}
      lay: {for: {fruit: fruit, stall: stall}, where: [stall.shown == none, "player.basket[fruit] > 0"], do: []}
      fetch: {for: {fruit: fruit, stall: stall}, where: [stall.shown != none, "fruit in player.basket"], do: []}
      buy: {for: {fruit: fruit}, where: ["cart[fruit] > 0", fruit.price <= player.coins], do: []}
      swap: {for: {other: player}, where: [other != player], do: []}
      sell: {for: {count: 0..3}, where: [count >= 1, count < 3, "cart[plum] > count"], do: []}
      hoard: {where: [player.coins < 5], do: []}
      ask: {for: {stall: stall}, where: {idle: not is_busy(stall), open: stall.open}, do: []}
      show: {where: [stock(player) > 1], do: []}
      look: {where: [len(road) > 0], do: []}
      many: {where: ["size(player.basket) >= 2 and player.coins > 0"], do: []}
      both: {where: [player.coins > 9 or size(cart) > 5], do: []}
      boast: {where: [stalls.corner.shown == none, wealth(player) > 9], do: []}
      start: {where: [player.coins == 7], do: []}
      sweep: {where: [size(cart) == 0], do: []}
      claim: {for: {stall: stall}, where: [stall.keeper == player], do: []}
      visit: {for: {stall: {stall: welcome(player)}}, do: []}
      tour: {for: {stall: stall}, where: ["stall in set(s for s in stalls) & welcome(player)"], do: []}
      sit: {for: {stall: {stall: "set(s for s in stalls if s.shown == none)", else: text.no-seat}}, do: []}
      shun: {for: {stall: {stall: "set(s for s in stalls) - empty_ones()"}}, do: []}
      odd: {where: [not (player.coins > 3 or size(cart) > 9)], do: []}
text:
  text.no-seat: {en: "No seat at {stall}."}
  fruit.plum: {en: Plum, pl: Śliwka, ru: Слива}
  fruit.fig: {en: Fig, pl: Figa, ru: Инжир}
  stall.corner: {en: Corner, pl: Narożnik, ru: Угол}
  stall.arcade: {en: Arcade, pl: Arkada, ru: Аркада}
  state.player.basket: {en: Basket, pl: Kosz, ru: Корзина}
  state.player.coins: {en: Coins, pl: Monety, ru: Монеты}
  state.table.cart: {en: Cart, pl: Wóz, ru: Телега}
  state.table.road: {en: Road, pl: Droga, ru: Дорога}
  decision.trade.options.both: {en: Take both, pl: Weź oba, ru: Взять всё}
  decision.trade.options.ask.where.open: {en: "{stall} is shut today.", pl: "Dziś zamknięte: {stall}."}
  value.is_busy.true: {en: "{stall} is busy.", pl: "Zajęte: {stall}.", ru: "Занято: {stall}."}
  value.wealth: {en: Wealth}
  value.stock: {en: Fruit, pl: Owoce, ru: Фрукты}
"""


@pytest.fixture(scope="module")
def market(tmp_path_factory: pytest.TempPathFactory) -> aodrules.Game:
    path = tmp_path_factory.mktemp("market") / "market.yaml"
    path.write_text(MARKET, encoding="utf-8")
    return aodrules.load(path, cache=False).new_game(players=2, seed=1)


@pytest.mark.parametrize(
    "action, sentences",
    [
        ("lay fig arcade", ["You have no Fig (Basket)."]),
        ("fetch fig corner", ["You have no Fig (Basket)."]),
        ("swap ann", ["You cannot choose yourself."]),
        ("sell 0", ["Count: 0 is too few, 1 is the least."]),
        ("sell 3", ["Count: 3 is too many, 2 is the most.", "Count: 3 is too many, 1 is the most."]),
        ("hoard", ["Coins: you have 5, and 4 is the most."]),
        ("ask corner", ["Corner is busy."]),
        ("ask arcade", ["Arcade is shut today."]),
        ("show", ["Fruit: you have 0, and 2 is needed."]),
        ("look", ["Road: nothing is there."]),
        ("many", ["Basket: you have 0, and 2 is needed."]),
        ("both", ["Not possible now: Take both."]),
        ("start", ["Coins: you have 5, and 7 is needed."]),
        ("sweep", ["Cart: something is there."]),
        ("claim corner", ["Corner: that is not yours."]),
        ("odd", ["Coins: you have 5, and 3 is the most."]),
        ("visit corner", ["Corner: Plum is there."]),
        ("visit arcade", ["It cannot be chosen here: Arcade."]),
        ("tour corner", ["Corner: Plum is there."]),
        ("sit corner", ["No seat at Corner."]),
        ("shun arcade", ["It cannot be chosen here: Arcade."]),
    ],
)
def test_a_sentence_is_about_this_action(market: aodrules.Game, action: str, sentences: list[str]) -> None:
    assert [str(reason) for reason in market.why_not(action)] == sentences


@pytest.mark.parametrize(
    "action, sentences",
    [
        ("lay fig corner", ["You have no Fig (Basket).", "Corner: Plum is there."]),
        ("fetch plum arcade", ["You have no Plum (Basket).", "Arcade: nothing is there."]),
        ("boast", ["Wealth: you have 5, and 10 is needed.", "Corner: Plum is there."]),
        ("buy fig", ["Coins: you have 5, and 9 is needed.", "Cart: no Fig."]),
    ],
)
def test_what_the_player_has_comes_before_the_place(market: aodrules.Game, action: str, sentences: list[str]) -> None:
    """In the rules the condition on the place stands first."""
    assert [str(reason) for reason in market.why_not(action)] == sentences
    with pytest.raises(aodrules.IllegalActionError) as raised:
        market.push(action)
    assert raised.value.why == sentences[0]


@pytest.mark.parametrize(
    "language, sentences",
    [
        ("pl", ["Nie masz: Figa (Kosz).", "Narożnik: jest tam Śliwka."]),
        ("ru", ["Недостаёт: Инжир (Корзина).", "Угол: там Слива."]),
    ],
)
def test_sentences_are_in_the_language_of_the_player(
    market: aodrules.Game, language: str, sentences: list[str]
) -> None:
    assert [str(reason) for reason in market.why_not("lay fig corner", language)] == sentences


def test_authors_words_may_hold_what_was_chosen(market: aodrules.Game) -> None:
    assert [str(reason) for reason in market.why_not("ask arcade", "pl")] == ["Dziś zamknięte: Arkada."]
    assert [str(reason) for reason in market.why_not("ask corner", "ru")] == ["Занято: Угол."]


def test_conditions_are_shown_only_when_asked_for(market: aodrules.Game) -> None:
    (reason,) = market.why_not("hoard", detail=True)
    assert str(reason) == "Coins: you have 5, and 4 is the most. [`player.coins < 5`; `player.coins` = 5]"
    assert market.why_not("hoard")[0].condition == "player.coins < 5"


def test_the_reason_names_the_worker_that_is_missing() -> None:
    game = aodrules.load("empires", ["builders"]).new_game(players=4, seed=42)
    said = {language: str(game.why_not("place soldier warfare", language)[0]) for language in ("en", "pl", "ru")}
    assert said == {
        "en": "You have no Soldier available.",
        "pl": "Nie masz dostępnego Żołnierza.",
        "ru": "У вас нет доступного солдата.",  # noqa: RUF001
    }
    (reason,) = game.why_not("place soldier warfare")
    assert (reason.id, reason.clauses) == ("place.must-place", ("place.must-place",))
    assert reason.rule is not None
    assert reason.rule != reason.message
    with pytest.raises(aodrules.IllegalActionError) as raised:
        game.push("place soldier warfare")
    assert ".yaml" not in str(raised.value)
    assert "`player" not in str(raised.value)


@pytest.mark.parametrize("language, own", [("pl", "[ąćęłńóśźż]"), ("ru", r"[\u0430-\u044f]")])
def test_no_expression_is_told_to_a_player(language: str, own: str) -> None:
    rules, said = aodrules.load("empires", ["builders", "national-advantages", "scouting"]), ""
    for game, _ in positions(rules, 2, 11):
        for code in refused(game, random.Random(11), 4):
            for reason in game.why_not(code, language):
                assert "`" not in str(reason)
                assert reason.condition == "" or reason.condition not in str(reason)
                said += str(reason)
    assert len(re.findall(own, said)) > len(said) / 40


@pytest.mark.parametrize("base", ["tests/games/caravan", "tests/games/harbour", "tests/games/isles"])
def test_reasons_tell_nothing_that_who_decides_cannot_know(base: str) -> None:
    """In every position that the player could believe in the reasons are the same."""
    rules, compared = aodrules.load(base), 0
    for seed in range(3):
        for game, _ in positions(rules, 2, seed):
            assert game.decision is not None
            other = game.sample(game.decision.player, seed + 100)
            assert other.codes == game.codes
            for code in refused(game, random.Random(seed), 4):
                assert game.why_not(code) == other.why_not(code)
                compared += 1
    assert compared > 30


# What lies face down, and what a player keeps secret; whether there is anything is open.
CHEST = """
game: {name: {en: Chest}, players: 2, seats: [ann, bob], play: main}
kinds:
  gem: {plural: gems, attributes: {copies: number}, pieces: {count: copies}}
  box: {plural: boxes}
gem: {ruby: {copies: 2}, opal: {copies: 2}, pearl: {copies: 2}}
box: {left: {}, right: {}}
state:
  table: {heap: {is: list of gem, start: all, secret: content}, pit: {is: list of gem, secret: content}}
  box: {prize: {is: maybe gem, secret: content}}
  player: {pledge: {is: maybe gem, secret: owner}}
verb:
  main:
    do:
      - {shuffle: heap}
      - {move: all, from: "heap[0]", to: boxes.left.prize}
      - {move: all, from: "heap[0]", to: pit}
      - {for: player, in: players, do: [{move: all, from: "heap[0]", to: player.pledge}]}
      - {choose: act, by: first(players)}
decision:
  act:
    options:
      keep: {do: []}
      fill: {for: {box: box}, where: [box.prize == none], do: []}
      clear: {where: [len(pit) == 0], do: []}
      first: {where: ["pit[0] == none"], do: []}
      ask: {for: {other: player}, where: [other != player, other.pledge == none], do: []}
      look: {where: ["not knows(player, player.pledge)"], do: []}
      guess: {for: {box: box}, where: ["knows(player, box.prize)"], do: []}
"""


def test_what_lies_face_down_is_not_told(tmp_path: Path) -> None:
    (tmp_path / "chest.yaml").write_text(CHEST, encoding="utf-8")
    game = aodrules.load(tmp_path / "chest.yaml", cache=False).new_game(players=2, seed=4)
    said = {
        "fill left": "Left: something is there.",
        "clear": "Pit: something is there.",
        "first": "Not possible now: First.",
        "ask bob": "bob: something is there.",
        "look": "You already know what is there: Pledge.",
        "guess left": "You do not know what is there: Prize (Left).",
    }
    others = [game.sample("ann", seed) for seed in range(20)]
    assert len({str(each.state["boxes.left.prize"]) for each in others}) == 3
    for action, sentence in said.items():
        told = game.why_not(action, detail=True)
        assert str(game.why_not(action)[-1]) == sentence
        assert all(each.why_not(action, detail=True) == told for each in others)
        assert not re.search("ruby|opal|pearl", str(told))


def test_a_reason_of_our_own_is_in_the_language_too(tmp_path: Path) -> None:
    game = aodrules.load("tests/games/nim.yaml").new_game(players=2, seed=1)
    while not game.over:
        game.push(game.codes[0])
    assert [str(game.why_not(0, language)[0]) for language in ("en", "pl", "ru")] == [
        "The game is over",
        "Koniec gry",
        "Игра окончена",
    ]


def test_the_part_of_a_domain_that_leaves_something_out_is_named(market: aodrules.Game) -> None:
    (reason,) = market.why_not("visit arcade")
    assert (reason.id, reason.condition) == ("not-among-the-choices", "s.open")
    (reason,) = market.why_not("visit corner", detail=True)
    assert str(reason).endswith("[`s.shown == none`]")
    (reason,) = market.why_not("sit corner")
    assert reason.id == "text.no-seat"
    (reason,) = market.why_not("shun arcade")
    assert reason.condition == "empty_ones()"


CITED = """
game: {players: 2, seats: [ann, bob], play: main, clauses: [mooring]}
kinds: {pier: {plural: piers, attributes: {deep: flag}, clauses: [mooring]}}
pier:
  north: {deep: false, clauses: [mooring]}
  south: {deep: true, clauses: [mooring]}
verb: {main: {do: [{choose: moor, by: first(players)}], clauses: [mooring]}}
value:
  berths: {is: deep_ones() & set(p for p in piers), clauses: [mooring]}
  deep_ones: {is: set(p for p in piers if p.deep), clauses: [draught]}
  shallows: {is: set(p for p in piers if not p.deep), clauses: [draught]}
decision:
  moor:
    clauses: [mooring]
    options:
      moor: {for: {pier: {pier: berths()}}, do: []}
      tie: {for: {pier: {pier: berths(), else: cable}}, do: []}
      drop: {for: {pier: {pier: "set(p for p in piers) - shallows() - set([])"}}, do: []}
clause:
  mooring: {says: {en: A ship moors at a pier.}, kind: rule}
  draught: {says: {en: A ship needs deep water.}, kind: rule}
  cable:   {says: {en: A cable reaches to deep piers alone.}, kind: rule}
"""


def test_what_a_domain_leaves_out_is_told_by_its_clause_or_that_of_the_value(tmp_path: Path) -> None:
    path = tmp_path / "moor.yaml"
    path.write_text(CITED, encoding="utf-8")
    game = aodrules.load(path, cache=False).new_game(players=2, seed=1)
    (reason,) = game.why_not("moor north")
    assert (str(reason), reason.clauses) == ("A ship needs deep water.", ("draught",))
    (reason,) = game.why_not("tie north")
    assert (str(reason), reason.id, reason.clauses) == ("A cable reaches to deep piers alone.", "cable", ("cable",))
    (reason,) = game.why_not("drop north")  # the value that is taken away tells why
    assert (str(reason), reason.clauses) == ("A ship needs deep water.", ("draught",))


HELD = """
game: {players: 2, seats: [ann, bob], play: main}
kinds:
  card: {plural: cards, attributes: {copies: number}, pieces: {count: copies}}
  slot: {plural: slots}
card: {ace: {copies: 2}, two: {copies: 2}}
slot: {left: {}, right: {}}
state:
  table: {deck: {is: list of card, start: all, secret: content}}
  player: {hand: {is: list of card, secret: owner}}
  slot: {lies: {is: maybe card, secret: content}}
verb:
  main:
    do:
      - {move: FIRST, from: deck, to: slots.left.lies}
      - {move: SECOND, from: deck, to: last(players).hand}
      - {choose: act, by: first(players)}
value: {free: {given: {player: player}, is: "set(s for s in slots if s.lies == none and len(last(players).hand) == 1)"}}
decision:
  act:
    options:
      fill: {for: {slot: {slot: free(player) & set(s for s in slots)}}, do: []}
      wait: {do: []}
"""


def test_reasons_for_what_a_domain_leaves_out_tell_nothing_that_is_hidden(tmp_path: Path) -> None:
    told = set()
    for first, second in (("ace", "two"), ("two", "ace")):
        path = tmp_path / f"{first}.yaml"
        path.write_text(HELD.replace("FIRST", first).replace("SECOND", second), encoding="utf-8")
        game = aodrules.load(path, cache=False).new_game(players=2, seed=1)
        for detail in (False, True):
            told.add(tuple(str(reason) for reason in game.why_not("fill left", detail=detail)))
    assert len(told) == 2, "the same in both worlds, with and without detail"
    assert any("something is there" in reason for (reason,) in told)


FLAGGED = """
game: {players: 2, seats: [red, blue], play: turns, points: {none: {is: 0}}, winner: {most: total(player)}}
state: {table: {flagged: flag = false}, player: {coins: number 0..9}}
value:
  may_wave: {given: [player], is: flagged or player.coins > 3}
verb:
  turns: {do: [{for: player, in: players, do: [{choose: act, by: player}]}]}
decision:
  act:
    options:
      wave: {where: [may_wave(player)], do: []}
      bow:  {where: [not flagged and player.coins > 3], do: []}
      nod:  {do: []}
"""


def test_a_condition_is_not_told_twice_where_it_is_its_own_value(tmp_path: Path) -> None:
    (tmp_path / "flagged.yaml").write_text(FLAGGED, encoding="utf-8")
    game = aodrules.load(tmp_path / "flagged.yaml", cache=False).new_game(players=2, seed=1)
    (wave,), (bow,) = game.why_not("wave", detail=True), game.why_not("bow", detail=True)
    assert str(wave).endswith("[`may_wave(player)`]")
    assert str(bow).endswith("; `flagged` = false, `player.coins` = 0]")
