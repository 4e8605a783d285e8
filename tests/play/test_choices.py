"""Answers made part by part: exactly the possible ones can be made, and what is impossible says why."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

import aodrules
from aodrules.compiler.runtime.compiled import Compiled
from aodrules.game import Game
from aodrules.play.choices import Choices
from tests.play import secret_games as small
from tests.play.worlds import TEXTS, another_world, middle
from tests.playing import random_game, rules_of

positions = st.tuples(
    st.sampled_from(["nim.yaml", "harbour", "caravan", "isles"]), st.integers(0, 30), st.integers(0, 80)
)


def choices_of(game: Game) -> Choices:
    assert game.choices is not None
    return game.choices


_shipped = cache(aodrules.load)


def shipped_game(word: str, seed: int, count: int) -> Game:
    """Return a game of rules that ship, after so many random answers, or before its end."""
    game, chance = _shipped(word).new_game(seed=seed), random.Random(seed)
    for _ in range(count):
        game.push(chance.choice(game.codes))
        if game.over:
            game.pop()
            break
    return game


def complete(choices: Choices) -> Iterator[str]:
    """Iterate over the actions that can be made by choosing possible parts."""
    if choices.action is not None:
        yield str(choices.action)
    for candidate in choices.candidates:
        if candidate.possible:
            yield from complete(choices.pick(candidate))


@given(positions)
def test_part_by_part_exactly_the_possible_actions_are_made(position: tuple[str, int, int]) -> None:
    game = random_game(*position)
    if not game.over and len(game.codes) < 300:
        assert sorted(complete(choices_of(game))) == sorted(map(str, game.actions))


@given(positions, st.integers(0, 10**6))
def test_parts_may_come_in_any_order(position: tuple[str, int, int], luck: int) -> None:
    game = random_game(*position)
    if game.over:
        return
    chance = random.Random(luck)
    action = chance.choice(game.actions)
    names = list(action.args)
    chance.shuffle(names)
    choices = choices_of(game).pick(action.text.split()[0])
    for name in names:
        if name not in choices.picked:
            choices = choices.narrow(**{name: action.args[name]})
            assert action in choices.actions
    assert choices.action == action
    assert choices.part is None
    assert choices.candidates == ()


@given(positions, st.sampled_from(["compiled", "interpreter"]))
def test_what_is_impossible_has_a_reason_and_cannot_be_chosen(position: tuple[str, int, int], engine: str) -> None:
    word, seed, decisions = position
    game = random_game(word, seed, decisions // 4, engine)
    if game.over:
        return
    choices = choices_of(game)
    while choices.part is not None:
        for candidate in choices.candidates[:20]:
            assert bool(candidate.reasons()) != candidate.possible
            assert candidate.label("pl")
            if not candidate.possible:
                with pytest.raises(aodrules.IllegalActionError):
                    choices.pick(candidate)
        choices = choices.pick(next(one for one in choices.candidates if one.possible))


def full_saltworks() -> Game:
    game = rules_of("harbour").new_game(players=2, seed=42)
    for _ in range(4):
        game.push("place sailor saltworks" if "place sailor saltworks" in map(str, game.actions) else game.codes[0])
    return game


def test_reasons_are_those_of_the_part_where_it_decides() -> None:
    choices = choices_of(full_saltworks()).pick("place")
    bosun, _ = choices.candidates
    assert [str(reason) for reason in bosun.reasons()] == ["You have no Bosun (Lodging)."]
    quays = choices.pick("sailor").candidates
    saltworks = next(one for one in quays if str(one) == "saltworks")
    assert saltworks.label("en") == "Saltworks"
    assert [reason.id for reason in saltworks.reasons()] == ["text.no-room"]


def test_a_part_that_fails_only_for_what_follows_tells_the_reasons_of_what_follows() -> None:
    choices = choices_of(full_saltworks())
    with pytest.raises(aodrules.IllegalActionError) as refused:
        choices.narrow(quay="saltworks")
    assert "text.no-room" in {reason.id for reason in refused.value.reasons}


def test_one_can_go_back() -> None:
    choices = choices_of(full_saltworks())
    picked = choices.pick("place").pick("sailor")
    assert picked.picked == {"option": "place", "worker": "sailor"}
    assert picked.back().picked == {"option": "place"}
    assert picked.back().back().back() is choices
    assert picked.parts == ("option", "worker", "quay")
    assert repr(picked) == "<Choices of red: place sailor, next quay>"


@pytest.mark.parametrize(
    "parts, message",
    [
        ({"quai": "yard"}, "no answer here has a part `quai`; did you mean `quay`?"),
        ({"quay": "yrd"}, "`yrd` is no quay here; did you mean `yard`?"),
        ({"worker": 3}, "3 is no worker here; there are `bosun` and `sailor`"),
    ],
)
def test_what_cannot_be_chosen_is_told(parts: dict[str, object], message: str) -> None:
    with pytest.raises(aodrules.ArgumentError) as refused:
        choices_of(full_saltworks()).narrow(**parts)
    assert str(refused.value) == message


def test_what_is_chosen_cannot_be_chosen_again() -> None:
    choices = choices_of(full_saltworks()).narrow(quay="yard")
    with pytest.raises(aodrules.ArgumentError, match="`quay` is chosen already: `yard`"):
        choices.narrow(quay="office")
    with pytest.raises(aodrules.ArgumentError, match="all parts of the answer are chosen"):
        choices.pick("sailor").pick("sailor")


def test_only_who_decides_has_choices() -> None:
    game = full_saltworks()
    assert game.view("blue").choices is None
    mine = game.view("red").choices
    assert mine is not None
    assert mine.player == "red"


def test_reasons_are_not_looked_for_in_a_game_that_has_gone_on() -> None:
    game = full_saltworks()
    bosun = choices_of(game).pick("place").candidates[0]
    game.push(game.codes[0])
    with pytest.raises(aodrules.ArgumentError, match="the game has gone on"):
        bosun.reasons()


AGAIN = """
kinds: {ware: {plural: wares}}
ware: {silk: {}, salt: {}, tin: {}}
state: {player: {won: number 0..9, held: number 0..9 per ware}}
verb:
  main:
    do: [{choose: shop, by: first(players)}, {choose: wait, by: last(players)}]
decision:
  shop:
    options:
      take: {for: {ware: ware}, again: 1, do: [{add: 1, to: "player.held[ware]"}]}
      done: {do: []}
  wait: {options: {wait: {do: []}}}
"""


def test_an_option_that_was_chosen_as_often_as_it_may_be_says_so() -> None:
    game = small.rules_of(AGAIN).new_game(players=2, seed=0)
    for ware in ("silk", "salt"):
        game.push(choices_of(game).narrow(ware=ware).action or "")
    told = {str(one): (one.possible, [reason.id for reason in one.reasons()]) for one in choices_of(game).candidates}
    assert told == {"done": (True, []), "take": (False, ["chosen-too-often"])}


CELLS = """
grid: {cell: {plural: cells, cells: squares, columns: 40, rows: 25}}
kinds: {ware: {plural: wares}}
ware: {silk: {}, salt: {}}
state: {player: {won: number 0..9}, cell: {taken: flag}}
verb: {main: {do: [{choose: settle, by: first(players)}, {choose: settle, by: first(players)}]}}
decision:
  settle:
    options:
      settle: {for: {ware: ware, cell: cell}, where: [not cell.taken], do: [{set: cell.taken, to: true}]}
"""


def test_a_thousand_cells_are_decoded_once_and_asked_for_reasons_one_by_one() -> None:
    game = small.rules_of(CELLS).new_game(players=2, seed=0)
    game.push(game.codes[0])
    cell = next(iter(game.choices.narrow(ware="silk").candidates)) if game.choices else None
    assert cell is not None
    choices = choices_of(game).narrow(ware="silk")
    assert len(choices.candidates) == 1000
    assert [one.value for one in choices.candidates if not one.possible] == [cell.value]
    assert len(cell.reasons()) == 1


@pytest.mark.slow
@pytest.mark.parametrize("word", ["caravan", "harbour", *TEXTS])
def test_choices_do_not_depend_on_what_is_hidden(word: str) -> None:
    compared = 0
    for seed in range(4):
        for decisions in (2, 6, 13, 24):
            game = middle(word, seed, decisions)
            if game.over or game.decision is None:
                continue
            seat = game.players.index(game.decision.player)
            told = [
                _told(Game(game.book, game._seating, world), seat)
                for world in (game.machine, another_world(game, seat, seed))
                if isinstance(world, Compiled)
            ]
            assert told[0] == told[1]
            compared += 1
    assert compared


def _told(game: Game, seat: int) -> list[tuple[str, bool, list[str]]]:
    choices = game.view(game.players[seat]).choices
    assert choices is not None
    found = []
    while choices.part is not None:
        found += [(str(one), one.possible, [reason.message for reason in one.reasons()]) for one in choices.candidates]
        choices = choices.pick(next(one for one in choices.candidates if one.possible))
    return found


@pytest.mark.parametrize("language", ["en", "pl", "ru"])
@pytest.mark.parametrize("word", ["empires", "harbour", "caravan", "isles", "nim"])
def test_no_place_to_fill_is_shown_to_who_chooses(word: str, language: str) -> None:
    game = shipped_game(word, 3, 20)
    told = [
        text
        for candidate in choices_of(game).candidates
        for text in (candidate.label(language), *(reason.message for reason in candidate.reasons(language)))
    ]
    assert [text for text in told if "{" in text] == []


def test_an_option_is_called_as_its_answers_are_with_dots_for_what_is_to_come() -> None:
    game = shipped_game("empires", 1, 0)
    labels = {str(one): [one.label(language) for language in ("en", "pl")] for one in choices_of(game).candidates}
    assert labels["place"] == ["Place: … → …", "Umieść … → …"]


def test_what_is_offered_by_nothing_is_told_once_whatever_would_follow() -> None:
    game = random_game("caravan", 1, 10)
    found = [one for one in choices_of(game).candidates if str(one) == "show_seals"]
    assert [reason.message for one in found for reason in one.reasons()] == [
        "You have nothing that offers this: Show seals."
    ]


def test_a_candidate_says_what_it_stands_for_as_a_picture_does() -> None:
    choices = choices_of(rules_of("harbour").new_game(players=2, seed=1))
    assert [one.address for one in choices.candidates] == ["decision.place.options.place"]
    workers = choices.pick("place")
    assert [one.address for one in workers.candidates] == ["worker.bosun", "worker.sailor"]
    drawn = {
        node.symbol for node in aodrules.svg.scene(rules_of("harbour").new_game(players=2, seed=1)).nodes().values()
    }
    assert {one.address for one in workers.pick("sailor").candidates} <= drawn
    heaps = choices_of(shipped_game("nim", 1, 0)).pick("take")
    assert {one.address for one in heaps.pick(heaps.candidates[0]).candidates} == {None}


@pytest.mark.parametrize("word", ["empires", "harbour", "caravan", "isles"])
def test_whatever_a_candidate_stands_for_has_words(word: str) -> None:
    for number in range(0, 60, 6):
        game = shipped_game(word, number, number)
        parts = set() if game.over else {name for action in game.actions for name in action.args}
        for name in parts:
            for one in choices_of(game)._candidates(name):
                if one.address is not None:
                    assert game.rules.text(one.address)
                    assert one.address.endswith(f".{str(one.value).split()[-1]}")


def test_what_is_the_only_possibility_need_not_be_chosen() -> None:
    game = rules_of("harbour").new_game(players=2, seed=1)
    settled = choices_of(game).settle()
    assert settled.picked == {"option": "place"}
    assert settled.part == "worker"
    assert settled.settle() is settled
    caravan = rules_of("caravan").new_game(players=2, seed=1)
    while len(caravan.actions) > 1:
        caravan.push(caravan.actions[0])
    assert choices_of(caravan).settle().action == caravan.actions[0]
