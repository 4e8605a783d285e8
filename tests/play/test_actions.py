from __future__ import annotations

import pytest

import aodrules

# Two cards offer an option of the same name; pieces have owners; a member, a player and a number are arguments.
GAME = """
game: {players: 2, seats: [red, blue], begin: deal, play: go}
kinds:
  worker: {plural: workers, attributes: {each_player: number}, pieces: {count: each_player, owned: true}}
  card:
    plural: cards
    attributes: {copies: number = 1}
    pieces: {count: copies}
    hooks: {own: {effects: true, in: player.hand, scope: owner}}
worker:
  scout: {each_player: 2}
  smith: {each_player: 1, name: {en: Blacksmith}}
card:
  map:
    own:
      use: {offer: act, again: 1, do: [{add: 1, to: player.coins}]}
  key:
    own:
      use: {offer: act, again: 1, do: [{add: 2, to: player.coins}]}
state:
  table:
    deck:  {is: bag of card, start: all}
    line:  list of worker
  player:
    coins: number 0..99
    home:  {is: bag of worker, start: all}
    hand:  bag of card
verb:
  deal:
    do:
      - {let: starter, be: first(players)}
      - {move: all, from: deck, to: starter.hand}
      - {move: scout, of: first(players), from: home, to: line}
      - {move: smith, of: last(players), from: home, to: line}
  go:
    do:
      - {choose: act, by: first(players)}
      - for: one
        in: line
        ordered_by: first(players)
        do: [{call_home: one}]
  call_home:
    main: {one: piece of worker}
    do: [{move: one, from: line, to: home}]
decision:
  act:
    options:
      call:
        for: {worker: worker, target: player, many: 2..3}
        do: [{add: many, to: player.coins}]
text:
  decision.act: {en: Do something, de: Tu etwas}
  decision.act.options.call: {en: "Call {worker} for {target}", de: "Rufe {worker}"}
  worker.scout: {en: Scout, de: Kundschafter}
"""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> aodrules.Rules:
    path = tmp_path_factory.mktemp("rules") / "callers.yaml"
    path.write_text(GAME, encoding="utf-8")
    return aodrules.load(path, cache=False)


@pytest.fixture
def game(rules: aodrules.Rules) -> aodrules.Game:
    return rules.new_game(seed=1)


def test_arguments_of_all_sorts_have_texts(game: aodrules.Game) -> None:
    texts = [str(action) for action in game.actions]
    assert texts[0] == "key.use"
    assert texts[1] == "map.use"
    assert "call scout red 2" in texts
    assert "call smith blue 3" in texts


def test_texts_are_read_back(game: aodrules.Game) -> None:
    for action in game.actions:
        other = game.copy()
        other.push(str(action))
        assert other.pop() is action


def test_arguments_are_readable(game: aodrules.Game) -> None:
    action = next(each for each in game.actions if str(each) == "call smith red 3")
    assert action.args == {"worker": "smith", "target": "red", "many": 3}


def test_a_text_that_fits_several_is_refused(game: aodrules.Game) -> None:
    with pytest.raises(aodrules.AmbiguousActionError) as raised:
        game.push("use")
    assert raised.value.candidates == ("key.use", "map.use")
    assert str(raised.value) == "`use` fits several actions: `key.use` or `map.use`"


def test_the_whole_address_of_an_option_is_understood(game: aodrules.Game) -> None:
    game.push("card.map.own.use")
    assert game.state["players.red.coins"] == 1


def test_labels_speak_the_language(game: aodrules.Game) -> None:
    labels = {str(action): action.label("de") for action in game.actions}
    assert labels["call scout red 2"] == "Rufe Kundschafter"
    action = next(each for each in game.actions if str(each) == "call smith red 3")
    assert action.label() == "Call Blacksmith for red"


@pytest.mark.parametrize(
    "text",
    [
        "call",
        "call scout",
        "call scout red",
        "call scout red two",
        "call scout red 9",
        "call scout pink 2",
        "call red scout 2",
    ],
)
def test_arguments_that_do_not_fit_are_no_action(game: aodrules.Game, text: str) -> None:
    with pytest.raises(aodrules.InvalidActionError, match=r"`call` is followed by worker, .*, as in `call scout "):
        game.push(text)


def test_putting_things_in_order_is_a_decision(game: aodrules.Game) -> None:
    game.push("call scout red 2")
    decision = game.decision
    assert decision is not None
    assert decision.id.endswith(".order")
    assert decision.args == {"items": ("red scout", "blue smith")}
    assert [str(action) for action in game.actions] == ["next red scout", "next blue smith", "rest"]
    assert game.why_not("next blue scout")[0].id == "not-possible"
    assert game.actions[0].label("de") == "Next: red Kundschafter"
    for text in ("next red", "next scout", "next pink scout", "next red king"):
        with pytest.raises(aodrules.InvalidActionError, match="`next` is followed by item, as in `next red scout`"):
            game.push(text)
    game.push("next blue smith")
    assert game.over


def test_everybody_shares_a_place_where_nobody_wins(game: aodrules.Game) -> None:
    assert [(standing.place, standing.shared) for standing in game.ranking] == [(1, True), (1, True)]
    assert str(game.ranking[0]) == "1. red (shared)"
    assert game.scores["red"].total == 0
