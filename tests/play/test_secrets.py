"""What a seat may see, do and notice never depends on what is hidden from it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

import aodrules
from aodrules.compiler.runtime.compiled import Compiled
from aodrules.facts.state import PlainState
from aodrules.interpreter.places import unpacked
from aodrules.lang.types import Bag, ListOf
from aodrules.play.events import EventTexts, Happenings, events_for
from aodrules.play.ids import IdTable
from aodrules.play.states import SeatReader, State, hidden_piece
from tests.play import secret_games as small
from tests.play.dealing import played, spread
from tests.play.worlds import ALL, ON_A_MAP, another_world, middle, public_answers, seen, shows_something
from tests.playing import random_game

pytestmark = pytest.mark.slow

WORDS = ("harbour", "caravan", "isles")
positions = st.tuples(st.sampled_from(WORDS), st.integers(0, 30), st.integers(0, 60))


def names_of(game: aodrules.Game) -> IdTable:
    return game._names


def hidden_positions(names: IdTable, state: PlainState, seat: int) -> Iterator[tuple[str, int, list[int]]]:
    """Return the positions of each cell of pieces whose identity a seat does not know."""
    for name, numbers in state.knowledge.items():
        for offset, number in enumerate(numbers):
            held: Any = number if isinstance(number, tuple) else (number,)
            items = state.fields[name][offset]
            if items is None or not isinstance(items, tuple):
                continue
            known: list[Any] = [unpacked(names.tables, each) for each in held]
            yield name, offset, [place for place in range(len(items)) if not known[place].which >> seat & 1]


def shuffled(names: IdTable, state: PlainState, seat: int, chance: random.Random) -> PlainState:
    """Return a state in which pieces that a seat does not know have changed places, so that it cannot notice."""
    other = deepcopy(state)
    for name, offset, places in hidden_positions(names, state, seat):
        items: list[Any] = list(other.fields[name][offset])  # type: ignore[arg-type]
        numbers: list[Any] = list(other.knowledge[name][offset])  # type: ignore[arg-type]
        for place in places:
            twin = chance.choice([each for each in places if same_back(names, name, items[each], items[place])])
            swap(names, items, numbers, place, twin)
        other.fields[name][offset] = tuple(items)
        other.knowledge[name][offset] = tuple(numbers)
    return other


def same_back(names: IdTable, name: str, one: int, two: int) -> bool:
    declared = names.tables.rules.fields[name]
    return hidden_piece(names, declared, one) == hidden_piece(names, declared, two)


def swap(names: IdTable, items: list[Any], numbers: list[Any], one: int, two: int) -> None:
    """Let two pieces change places; who knows that a piece is in the field goes with the piece."""
    items[one], items[two] = items[two], items[one]
    first, second = (unpacked(names.tables, numbers[place]) for place in (one, two))
    seats = names.tables.players
    numbers[one], numbers[two] = first.which | second.within << seats, second.which | first.within << seats


@given(positions, st.integers(0, 10**6))
def test_a_view_does_not_depend_on_what_is_hidden(position: tuple[str, int, int], luck: int) -> None:
    game = random_game(*position)
    names, state = names_of(game), game._state()
    for seat in range(len(game.players)):
        other = shuffled(names, state, seat, random.Random(luck))
        one, two = (State(SeatReader(names, each, seat)) for each in (state, other))
        assert one.plain() == two.plain()
        for name in state.knowledge:
            for at in names.tables.shapes[name].indices():
                insides = [SeatReader(names, each, seat).inside(name, at) for each in (state, other)]
                assert insides[0] == insides[1]


@given(positions, st.integers(0, 10**6))
def test_legal_actions_do_not_depend_on_what_is_hidden(position: tuple[str, int, int], luck: int) -> None:
    game = random_game(*position)
    machine = game._machine
    assert isinstance(machine, Compiled)
    if machine.pending is None:
        return
    other = machine.copy()
    state = shuffled(names_of(game), machine.plain(), machine.pending.player, random.Random(luck))
    for name, field in machine.program.plan.layout.fields.items():
        if field.knowledge is not None:
            other.cells[field.base : field.base + field.size] = state.fields[name]
            other.cells[field.knowledge : field.knowledge + field.size] = state.knowledge[name]
    assert other.listed() == machine.listed()


@given(positions, st.integers(0, 10**6))
def test_events_do_not_depend_on_what_was_not_seen(position: tuple[str, int, int], luck: int) -> None:
    game = random_game(*position)
    names, chance = names_of(game), random.Random(luck)
    happened = game._machine.happenings
    for seat in range(len(game.players)):
        other = [_with_another(names, entry, seat, chance) for entry in happened]
        texts = EventTexts(game.book, names)
        noticed, as_well = (events_for(texts, Happenings(each), seat) for each in (happened, other))
        assert noticed == as_well
        assert [event.text() for event in noticed] == [event.text() for event in as_well]


def _with_another(names: IdTable, entry: tuple[Any, ...], seat: int, chance: random.Random) -> tuple[Any, ...]:
    """Return a move of another piece with the same back, if the seat did not see which it was."""
    if entry[0] != "move" or entry[9] == -1 or entry[9] >> seat & 1:
        return entry
    fields = names.tables.rules.fields
    secret = [fields[name] for name in (entry[5], entry[7]) if fields[name].secret]
    members = [
        member
        for member in range(names.tables.family_size(entry[1]))
        if all(hidden_piece(names, each, member) == hidden_piece(names, each, entry[2]) for each in secret)
    ]
    return (*entry[:2], chance.choice(members), *entry[3:])


def test_secrets_are_hidden_and_counted() -> None:
    game = random_game("caravan", 3, 10)
    first, second = game.players[:2]
    mine, theirs = game.view(first), game.view(second)
    secrets = [name for name, field in names_of(game).tables.rules.fields.items() if field.secret == "owner"]
    hands = [name.split(".")[1] for name in secrets if name.startswith("player.")]
    assert hands
    told = [(getattr(mine.players[first], hand), getattr(theirs.players[first], hand)) for hand in hands]
    assert any(own != other for own, other in told)
    for own, other in told:
        if isinstance(own, tuple) and own:
            assert len(own) == sum(each.count if isinstance(each, aodrules.Hidden) else 1 for each in other)


def test_only_who_decides_sees_what_can_be_done() -> None:
    game = random_game("caravan", 3, 10)
    decision = game.decision
    assert decision is not None
    for seat in game.players:
        view = game.view(seat)
        assert view.seat == seat
        assert (list(view.actions) == game.actions) == (seat == decision.player)
        assert view.decision is not None
        assert view.decision.player == decision.player


def test_of_a_hidden_option_others_see_only_which_it_is() -> None:
    found = 0
    for seed in range(4):
        game = random_game("caravan", seed, 60)
        for seat in game.players:
            own = [str(action) for action in game.record().splitlines()[7:-1]]
            seen = [f"{each.player}: {each.text}" for each in game.view(seat).played]
            assert len(own) == len(seen)
            for told, shown in zip(own, seen, strict=True):
                assert told.startswith(shown)
                found += told != shown
                assert told == shown or not told.startswith(f"{seat}:")
    assert found


def test_a_seat_learns_what_it_is_shown() -> None:
    game = random_game("harbour", 2, 0)
    while not any(game.learned(seat) for seat in game.players):
        game.push(game.codes[-1])
        assert not game.over
    learned = [one for seat in game.players for one in game.learned(seat)]
    assert all(one.piece and one.place for one in learned)
    actions = len(game.record().splitlines()) - 8
    assert all(game.learned(seat, since=actions) == () for seat in game.players)


def test_nobody_else_can_look_into_a_bag() -> None:
    game = random_game("harbour", 1, 30)
    fields = names_of(game).tables.rules.fields
    secret = [field for field in fields.values() if field.secret and isinstance(field.type, Bag | ListOf)]
    assert secret
    for field in secret:
        reader = SeatReader(names_of(game), game._state(), 0)
        for at in names_of(game).tables.shapes[field.name].indices():
            told = reader.read(field.name, at)
            assert all(isinstance(each, str | aodrules.Hidden) for each in told)


def test_hidden_things_have_a_text() -> None:
    assert str(aodrules.Hidden("card")) == "hidden card"
    assert str(aodrules.Hidden("card", 3, (("age", "I"),))) == "3 hidden card (I)"
    assert str(aodrules.Hidden("card", 1, (("red", False), ("worth", 2)))) == "hidden card (red: false, 2)"


def test_a_view_knows_what_is_inside() -> None:
    view = random_game("harbour", 1, 0).view("red")
    assert sum(view.inside("hold").values()) >= 0
    with pytest.raises(aodrules.NotationError):
        view.inside("nowhere")


@pytest.mark.parametrize("word", [*ALL, ON_A_MAP])
def test_the_same_answer_in_two_worlds_is_noticed_alike(word: str) -> None:
    """Of hidden answers a seat hears the option alone: whatever was chosen, it must notice the same."""
    compared = 0
    for seed in range(8 if word == "caravan" else 2):
        for decisions in (3, 12, 24, 45, 60) if word == "caravan" else (0, 2, 5, 21):
            game = middle(word, seed, decisions)
            if not game.over:
                compared += sum(_compare_answers(game, seat, seed) for seat in range(len(game.players)))
    assert compared > 5


def test_what_is_compared_has_events() -> None:
    game = middle("caravan", 2, 20)
    assert isinstance(game.machine, Compiled)
    # Who answered, a position without a past cannot tell; the question before it was the same in all worlds.
    told = tuple(evolve(event, by=None) for event in game.view(game.players[0]).events)
    assert seen(game, game.machine, 0)[3] == told != ()


def _compare_answers(game: aodrules.Game, seat: int, seed: int) -> int:
    """Give every answer in two worlds, and return how many pairs there were."""
    machine = game.machine
    assert isinstance(machine, Compiled)
    noticed: dict[str, list[Any]] = {}
    for world in (machine, another_world(game, seat, seed)):
        assert seen(game, world, seat)[0] == seen(game, machine, seat)[0]
        for text, code in public_answers(game, world, seat):
            after = world.copy()
            after.apply(code)
            if not shows_something(game, after, seat):
                noticed.setdefault(text, []).append(seen(game, after, seat))
    for text, views in noticed.items():
        assert all(view == views[0] for view in views), (game.record(), game.players[seat], text)
    return sum(len(views) > 1 for views in noticed.values())


def test_an_answer_in_the_open_is_told_to_all_and_what_else_was_possible_is_not() -> None:
    game = played(small.PLAYED_OPENLY, "fill 4", "fill 2")
    assert [str(each) for each in game.view("bob").actions] == []
    assert any(str(each) == "boast 4" for each in game.view("ann").actions)
    before = game.view("bob").plain()
    game.push("boast 1")
    assert not game.can_undo, "all have heard it"
    assert [each.text for each in game.view("bob").played] == ["fill", "fill 2", "boast 1"]
    assert game.view("bob").plain()["players"]["ann"]["purse"] == before["players"]["ann"]["purse"]
    assert set(spread(game, "bob", "players.ann.purse", 60)) == {1, 2, 3, 4, 5}
    game.pop()
    game.push("boast 3")
    assert set(spread(game, "bob", "players.ann.purse", 60)) == {3, 4, 5}


def test_worlds_stay_alike_until_an_answer_in_the_open_tells_them_apart() -> None:
    poor, rich = (played(small.PLAYED_OPENLY, f"fill {held}", "fill 2") for held in (2, 5))
    for action in ("boast 2", "pass", "pass"):
        for one, other in ((poor, rich), (rich, poor)):
            views = [game.view("bob") for game in (one, other)]
            assert [view.plain() for view in views[:1]] == [view.plain() for view in views[1:]]
            assert views[0].events == views[1].events
            assert views[0].played == views[1].played
            assert views[0].actions == views[1].actions
            assert one.sample("bob", 5).machine.plain() == other.sample("bob", 5).machine.plain()
        for game in (poor, rich):
            game.push(action)


def test_a_fact_is_told_to_all_and_nothing_else_is() -> None:
    low, high = (played(small.TOLD, f"offer {bid}", "offer 1") for bid in (3, 5))
    assert str(low.view("bob").events[1]) == "tell: name is_high, what true"
    assert low.view("bob").events == high.view("bob").events
    assert low.view("bob").plain() == high.view("bob").plain()
    assert low.sample("bob", 3).machine.plain() == high.sample("bob", 3).machine.plain()
    assert set(spread(low, "bob", "players.ann.bid", 60)) == {3, 4, 5}
    assert set(spread(low, "ann", "players.bob.bid", 60)) == {0, 1, 2, 3, 4, 5}, "of bob nothing was told yet"
    assert not low.can_undo
