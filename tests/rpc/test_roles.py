"""Each connection is told what it may know: a host all, a seat its own, those who look on what is for everybody."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from aodrules.compiler.runtime.compiled import Compiled
from aodrules.game import Game
from aodrules.rpc.methods import methods
from aodrules.rpc.open_games import OpenGame
from aodrules.rpc.parameters import PositionParameters
from aodrules.rpc.sessions import SPECTATOR, Role
from tests.every_ruleset import has_secrets, marked, rules_of
from tests.play.worlds import another_world, public_answers, shows_something
from tests.rpc.clients import Client, RefusedError, service_of_tests
from tests.rpc.test_methods import EXAMPLES

HOST_ONLY = {"game.state", "game.redo", "game.goto", "game.save", "game.record", "game.close"}
NEEDS_SEAT = {
    *("game.choices", "game.why_not", "game.answer", "game.leaving", "game.what_if", "game.undo_needs"),
    *("game.undo", "game.learned", "game.hint"),
}


def table() -> tuple[Client, Client, Client, Client, str]:
    """Return a host, two players and somebody who looks on, all at one game with secrets."""
    service = service_of_tests()
    host, amber, jade, other = (Client(service) for _ in range(4))
    opened = host.call("game.new", rules="caravan", seed=1)
    game = opened["game"]
    amber.call("game.join", game=game, key=opened["keys"]["amber"])
    jade.call("game.join", game=game, seat="jade", key=opened["keys"]["jade"])
    other.call("game.join", game=game)
    return host, amber, jade, other, game


def test_a_key_says_for_whom_a_connection_speaks() -> None:
    host, amber, _jade, other, game = table()
    assert amber.call("game.list")[0]["seat"] == "amber"
    assert other.call("game.list")[0]["role"] == "spectator"
    keys = host.call("game.new", rules="caravan", seed=1)["keys"]
    for given in ({"seat": "jade"}, {"key": "wrong"}, {"key": keys["amber"]}, {"seat": "jade", "key": "wrong"}):
        with pytest.raises(RefusedError) as refused:
            Client(host.service).call("game.join", game=game, **given)
        assert refused.value.kind == "not-permitted"
    with pytest.raises(RefusedError) as refused:
        amber.call("game.join", game=game, seat="nobody")
    assert refused.value.kind == "wrong-argument"


def test_a_host_that_speaks_for_a_seat_is_no_host_any_more() -> None:
    client = Client()
    opened = client.call("game.new", rules="caravan", seed=1)
    game = opened["game"]
    assert client.call("game.join", game=game, seat="jade")["role"] == "seat"
    with pytest.raises(RefusedError, match="is for the host"):
        client.call("game.state", game=game)
    with pytest.raises(RefusedError):
        client.call("game.join", game=game, seat="amber")
    assert client.call("game.join", game=game, key=opened["host_key"])["role"] == "host"
    assert client.call("game.state", game=game)


def test_who_has_not_joined_is_told_nothing() -> None:
    host, *_, game = table()
    stranger = Client(host.service)
    for name, method in methods().items():
        if issubclass(method.parameters, PositionParameters):
            with pytest.raises(RefusedError) as refused:
                stranger.call(name, **EXAMPLES[name](host, game))
            assert refused.value.kind == "not-permitted", name


@pytest.mark.parametrize("name", sorted(HOST_ONLY))
def test_what_is_for_the_host_is_refused_to_all_others(name: str) -> None:
    host, amber, _jade, other, game = table()
    given = EXAMPLES[name](host, game)
    for client in (amber, other):
        with pytest.raises(RefusedError) as refused:
            client.call(name, **given)
        assert refused.value.kind == "not-permitted"


@pytest.mark.parametrize("name", ["game.value", "game.log", "game.scores", "game.ranking"])
def test_secrets_are_asked_for_by_the_host_alone(name: str) -> None:
    host, amber, _jade, _other, game = table()
    given = {**EXAMPLES[name](host, game), "secrets": True}
    assert host.call(name, **given)
    given.pop("seat", None)
    with pytest.raises(RefusedError) as refused:
        amber.call(name, **given)
    assert refused.value.kind == "not-permitted"


def test_no_method_speaks_for_another_seat() -> None:
    host, amber, _jade, other, game = table()
    for name, method in methods().items():
        if issubclass(method.parameters, PositionParameters) and name not in HOST_ONLY:
            given = {**EXAMPLES[name](host, game), "game": game, "seat": "jade", "secrets": None}
            given = {part: value for part, value in given.items() if value is not None and part != "agreed"}
            for client in (amber, other):
                with pytest.raises(RefusedError) as refused:
                    client.call(name, **given)
                assert refused.value.kind == "not-permitted", name


@pytest.mark.parametrize("name", sorted(NEEDS_SEAT))
def test_who_only_looks_on_does_nothing(name: str) -> None:
    host, *_, other, game = table()
    given = {part: value for part, value in EXAMPLES[name](host, game).items() if part not in ("seat", "agreed")}
    with pytest.raises(RefusedError) as refused:
        other.call(name, **{**given, "game": game})
    assert refused.value.kind == "not-permitted"


def test_only_the_seat_that_is_asked_answers_and_hears_what_may_be_answered() -> None:
    _host, amber, jade, _other, game = table()
    assert jade.call("game.view", game=game)["view"]["actions"] == []
    with pytest.raises(RefusedError) as refused:
        jade.call("game.why_not", game=game, action="sware 1")
    assert "swear" not in refused.value.message
    for name, given in (("answer", {"action": "sware 1"}), ("choices", {})):
        with pytest.raises(RefusedError) as refused:
            jade.call(f"game.{name}", game=game, **given)
        assert (refused.value.kind, refused.value.data.keys()) == ("not-asked", {"kind"})
    told = amber.call("game.answer", game=game, action="swear 2", after=0)
    assert told["view"]["seat"] == "amber"
    assert jade.call("game.view", game=game)["view"]["played"] == [{"player": "amber", "text": "swear"}]


def test_a_seat_does_not_say_that_others_agreed() -> None:
    _host, amber, jade, _other, game = table()
    amber.call("game.answer", game=game, action=0)
    with pytest.raises(RefusedError) as refused:
        amber.call("game.undo", game=game, agreed=["jade"])
    assert refused.value.kind == "not-permitted"
    with pytest.raises(RefusedError):
        amber.call("game.agree", game=game, seat="jade", undo_of="amber")
    jade.call("game.agree", game=game, undo_of="amber")
    assert amber.call("game.undo", game=game)["answers"] == 0


def test_who_is_ahead_is_told_at_the_end_or_where_there_are_no_secrets() -> None:
    host, amber, _jade, other, game = table()
    for client in (host, amber, other):
        with pytest.raises(RefusedError) as refused:
            client.call("game.ranking", game=game)
        assert refused.value.kind == "secret"
    assert [each["total"] for each in amber.call("game.scores", game=game)] == [4, 4]
    while not (position := host.call("game.view", game=game))["over"]:
        decider = position["view"]["decision"]["player"]
        action = host.call("game.view", game=game, seat=decider)["view"]["actions"][-1]
        host.call("game.answer", game=game, action=action)
    assert amber.call("game.ranking", game=game) == other.call("game.ranking", game=game)
    nim = host.new("nim")
    other.call("game.join", game=nim)
    assert other.call("game.ranking", game=nim)[0]["player"] == "first"


def test_points_that_depend_on_secrets_are_told_to_the_host_alone() -> None:
    state = Client().call("game.new", rules="caravan+secret-ledgers", seed=1, keep=False)["state"]
    client = Client()
    told = client.call("game.scores", state=state, seat="amber")
    assert [each["origins"] for each in told] == [[], []]
    assert all(each["origins"] for each in client.call("game.scores", state=state, secrets=True))


def test_what_was_taken_back_is_not_shown_to_a_seat() -> None:
    host, amber, _jade, _other, game = table()
    host.call("game.answer", game=game, action=0)
    assert amber.call("game.scene_patch", game=game, since=0)["put"]
    host.call("game.goto", game=game, answers=0)
    with pytest.raises(RefusedError, match="`since` is a whole number from 0 to 0"):
        amber.call("game.scene_patch", game=game, since=1)


def game_of(word: str) -> Game:
    """Return a game under way."""
    rules, chance = rules_of(word), random.Random(2)
    game = rules.new_game(players=rules.players[0], seed=2)
    for _ in range(11):
        if not game.over:
            game.push(chance.choice(game.codes))
    while game.over:
        game.pop()
    return game


# What a seat is told in two worlds that differ only in what it may not know.


def asked_for(game: Game, seat: str) -> list[tuple[str, dict[str, Any]]]:
    """Return calls of every method that a seat may call and that changes nothing, with what it may be given."""
    found: list[tuple[str, dict[str, Any]]] = [
        ("game.view", {"language": "en"}),
        ("game.log", {"noise": True, "language": "en"}),
        ("game.scores", {}),
        ("game.ranking", {}),
        ("game.picture", {}),
        ("game.scene", {}),
        ("game.scene_patch", {"since": 0}),
        ("game.choices", {}),
        ("game.leaving", {}),
        ("game.undo_needs", {"language": "en"}),
        ("game.undo", {}),
        ("game.learned", {}),
        ("game.follow", {"picture": True}),
        ("game.hint", {"bot": "casual"}),
    ]
    found += [("game.value", {"name": name, "arguments": {"player": seat}}) for name in game.book.checked.values]
    found += [("game.why_not", {"action": code}) for code in (0, 1, 2, 5, 9)]
    return found + [("game.what_if", {"action": code, "seed": 5}) for code in game.codes[:2]]


def told(game: Game, seat: str | None) -> list[str]:
    """Return all that a seat is told about a game, errors too; without a seat, all that one is told who looks on."""
    client = Client()
    kept: OpenGame = client.service._games.add(game, {})
    del client.service._games._games[kept.id]
    kept.id = "table"
    client.service._games._games["table"] = kept
    client.session.roles["table"] = SPECTATOR if seat is None else Role("seat", seat)
    found = []
    for name, given in asked_for(game, seat or game.players[0]):
        text = json.dumps({"jsonrpc": "2.0", "id": 1, "method": name, "params": {"game": "table", **given}})
        found.append(json.dumps(client.send(text)))
    return found


def after_the_same(game: Game, machines: list[Compiled], seat: int) -> bool:
    """Let the same be answered in each world, as far as the seat hears; tell whether it told the seat something."""
    one, other = (dict(public_answers(game, machine, seat)) for machine in machines)
    answer = next((text for text in one if text in other), None)
    if answer is None:
        return True
    for machine, code in zip(machines, (one[answer], other[answer]), strict=True):
        machine.apply(code)
    return any(shows_something(game, machine, seat) for machine in machines)


@pytest.mark.parametrize("word", marked(("caravan", "harbour")))
def test_what_a_seat_is_told_does_not_depend_on_what_it_may_not_know(word: str) -> None:
    if not has_secrets(word):
        pytest.skip("nothing in it is hidden")
    game, rounds = game_of(word), 0
    for number, seat in enumerate(game.players):
        machines = [another_world(game, number, seed) for seed in (7, 8)]
        for _ in range(2):
            for looker in (seat, None):
                one, other = (told(Game(game.book, game._seating, each.copy()), looker) for each in machines)
                assert one == other
            assert not [each for each in one if "our-mistake" in each]
            rounds += 1
            if after_the_same(game, machines, number):
                break
    assert rounds >= len(game.players)


def test_what_a_seat_is_told_shows_no_card_of_another() -> None:
    host, amber, jade, other, game = table()
    for _ in range(2):
        host.call("game.answer", game=game, action=0)
    hands = {seat: body["hand"] for seat, body in host.call("game.state", game=game)["players"].items()}
    assert hands["amber"]
    for client, known in ((amber, "amber"), (jade, "jade"), (other, None)):
        players = client.call("game.view", game=game)["view"]["state"]["players"]
        for seat, hand in hands.items():
            if seat == known:
                assert players[seat]["hand"] == hand
            else:
                assert sum(each["count"] for each in players[seat]["hand"]) == len(hand)
        assert "seed" not in json.dumps(players)
