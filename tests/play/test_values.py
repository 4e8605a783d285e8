"""Values of the rules shown by name: checked arguments, and for a seat no more than it may know."""

from __future__ import annotations

from typing import Any

import pytest

import aodrules
from aodrules.compiler.runtime.compiled import Compiled
from aodrules.game import Game
from aodrules.lang.types import Player
from tests.play import secret_games as small
from tests.play.worlds import TEXTS, another_world, middle
from tests.playing import random_game, rules_of


def game() -> Game:
    found = small.rules_of(small.VALUED).new_game(players=2, seed=0)
    found.push("fill 3")
    return found


def test_a_value_is_told_as_people_read_it() -> None:
    found = game()
    assert found.value("cash", player="ann") == 4
    assert found.value("top") == found.state["deck"][0]
    assert found.value("has_one", player="ann") == ("one" in found.state["players.ann.hand"])
    assert found.value("both", cards=["one", "two"], yes=True) == 4
    assert found.value("both", cards=["one", "two", "one"], n=5, yes=True) == 7
    assert found.value("best", card=None) == 0
    assert found.value("best", card="three") == 2


def test_modifiers_count() -> None:
    plain = rules_of("harbour").new_game(players=2, seed=1)
    dear = rules_of("harbour+dear-timber").new_game(players=2, seed=1)
    prices = [[each.value("price", house=house, player="red") for house in dear_houses()] for each in (plain, dear)]
    assert prices[0] != prices[1]


def dear_houses() -> tuple[str, ...]:
    return ("inn", "masons", "nets", "lighthouse")


@pytest.mark.parametrize(
    "name, arguments, message",
    [
        ("cahs", {}, "the rules have no value `cahs`; did you mean `cash`?"),
        ("cash", {}, "`cash` needs `player`"),
        ("cash", {"player": "an"}, "`player` of `cash` is a player, not `an`; there are `ann` and `bob`"),
        ("cash", {"player": 0}, "`player` of `cash` is a player, not 0; there are `ann` and `bob`"),
        ("cash", {"plyer": "ann"}, "`cash` takes no `plyer`; did you mean `player`?"),
        ("top", {"player": "ann"}, "`top` takes no `player`; it takes nothing"),
        ("both", {"cards": "one", "yes": True}, "`cards` of `both` is a set of card, given as a list, not `one`"),
        ("both", {"cards": [], "yes": 1}, "`yes` of `both` is true or false, not 1"),
        ("both", {"cards": [], "n": "2", "yes": True}, "`n` of `both` is a number, not `2`"),
        ("best", {"card": "thre"}, "`card` of `best` is a card, not `thre`; did you mean `three`?"),
    ],
)
def test_what_a_value_cannot_be_given_is_told(name: str, arguments: dict[str, Any], message: str) -> None:
    for asked in (game(), game().view("ann")):
        with pytest.raises(aodrules.ArgumentError) as refused:
            asked.value(name, **arguments)
        assert str(refused.value) == message


def test_a_seat_is_told_what_it_may_know_and_refused_the_rest() -> None:
    found = game()
    mine = found.view("ann")
    assert mine.value("cash", player="ann") == 4
    assert mine.value("strength", player="ann") == found.value("strength", player="ann")
    assert mine.value("hand_size", player="bob") == 2
    assert mine.value("cautious", player="bob") == 0
    assert mine.value("stock") == 0
    for name, arguments in [
        ("cash", {"player": "bob"}),
        ("strength", {"player": "bob"}),
        ("has_one", {"player": "bob"}),
        ("top", {}),
        ("richest", {}),
        ("knows_top", {"player": "ann"}),
    ]:
        with pytest.raises(aodrules.SecretError):
            mine.value(name, **arguments)


def test_a_refusal_says_what_it_depends_on() -> None:
    with pytest.raises(aodrules.SecretError) as refused:
        game().view("ann").value("cash", player="bob")
    told = "`ann` may not know `cash` here: it depends on what is hidden in `players.bob.purse`"
    assert str(refused.value) == told


def test_a_spectator_is_told_what_is_for_everybody_and_refused_the_rest() -> None:
    looked_on = game().view(None)
    assert looked_on.value("hand_size", player="bob") == 2
    for name, arguments in (("cash", {"player": "bob"}), ("top", {}), ("has_one", {"player": "ann"})):
        with pytest.raises(aodrules.SecretError, match=f"^a spectator may not know `{name}` here"):
            looked_on.value(name, **arguments)


@pytest.mark.slow
@pytest.mark.parametrize("word", ["caravan", "harbour", "isles", "empires+secret-objectives", *TEXTS])
def test_neither_results_nor_refusals_depend_on_what_is_hidden(word: str) -> None:
    refused = told = 0
    for seed in range(3):
        for decisions in (2, 6, 13, 24):
            found = middle(word, seed, decisions)
            if found.over:
                continue
            for seat in range(len(found.players)):
                worlds = (found.machine, another_world(found, seat, seed))
                one, other = (_told(Game(found.book, found._seating, each), seat) for each in worlds)
                assert one == other
                refused += sum(isinstance(each, str) for each in one)
                told += sum(not isinstance(each, str) for each in one)
    assert told


def _told(found: Game, seat: int) -> list[Any]:
    """Return each value over players alone as a seat is told it, or the text of the refusal."""
    assert isinstance(found.machine, Compiled)
    view, results = found.view(found.players[seat]), list[Any]()
    for name, value in found.book.checked.values.items():
        if all(isinstance(one.type, Player) for one in value.parameters) and len(value.parameters) < 2:
            for player in found.players if value.parameters else found.players[:1]:
                given = {one.name: player for one in value.parameters}
                try:
                    results.append((name, view.value(name, **given)))
                except aodrules.SecretError as error:
                    results.append(str(error))
    return results


def test_points_told_to_a_seat_are_those_of_the_game() -> None:
    found = random_game("harbour", 3, 40)
    for seat in found.players:
        assert found.view(found.players[0]).value("total", player=seat) == found.scores[seat].total
