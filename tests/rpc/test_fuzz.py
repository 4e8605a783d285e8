"""Whatever is sent: the reply is JSON of ours, and what a seat or an onlooker hears depends on no secret."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import find, given
from hypothesis import strategies as st

from aodrules.compiler.runtime.compiled import Compiled
from aodrules.game import Game
from aodrules.rpc.methods import methods
from aodrules.rpc.sessions import HOST, SPECTATOR, Role
from tests.play.worlds import another_world, shows_something
from tests.playing import fewer, random_game
from tests.rpc.clients import Client, described

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just("\ud800"),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=10,
)
SEATS = st.sampled_from(["amber", "jade", "nobody", ""])
NUMBERS = st.integers(-1, 12)
TEXTS = st.sampled_from(["swear 1", "swear", "pass", "sware 2", "buy", "0", "players.jade.hand", "total", "x" * 300])
LIKELY: Mapping[str, st.SearchStrategy[Any]] = {
    "game": st.sampled_from(["table", "table", "table", "other", ""]),
    "state": st.none(),
    "seat": st.none() | SEATS,
    "undo_of": SEATS,
    "agreed": st.just(["amber", "jade"]) | st.lists(SEATS, max_size=2),
    "action": NUMBERS | TEXTS,
    "picked": st.dictionaries(TEXTS | st.sampled_from(["option", "card", "player"]), NUMBERS | TEXTS, max_size=2),
    "arguments": st.just({"player": "amber"})
    | st.dictionaries(st.sampled_from(["player", "card"]), SEATS | NUMBERS, max_size=2),
    "name": st.sampled_from(["total", "points", "worth", "price"]),
    "language": st.sampled_from(["en", "pl", "xx", None]),
    "key": st.none() | st.text("ab", max_size=3),
    "theme": st.sampled_from(["light", "dark"]),
    **dict.fromkeys(("ask", "noise", "picture", "reasons", "secrets"), st.booleans()),
    "ms": st.just(10_000),
    "bot": st.just("casual"),
    **dict.fromkeys(("since", "answers", "after", "seed"), NUMBERS),
}


@st.composite
def calls(draw: st.DrawFn, names: tuple[str, ...] = tuple(methods())) -> dict[str, Any]:
    """Draw a call with parameters that may mean something, and now and then with any."""
    name = draw(st.sampled_from(names))
    (method,) = (each for each in described()["methods"] if each["name"] == name)
    given = {}
    for one in method["params"]:
        if one["required"] or draw(st.booleans()):
            likely = LIKELY.get(one["name"], JSON)
            given[one["name"]] = draw(likely if draw(st.integers(0, 5)) else JSON)
    return {"jsonrpc": "2.0", "id": 1, "method": name, "params": given}


def seated(game: Game, role: Role) -> Client:
    """Return a client with a role in a game that is called `table`."""
    client = Client(check=False)
    kept = client.service._games.add(game, {})
    del client.service._games._games[kept.id]
    kept.id = "table"
    client.service._games._games["table"] = kept
    kept.sessions.append(client.session)
    client.session.roles["table"] = role
    return client


def test_what_is_likely_is_a_parameter() -> None:
    assert set(LIKELY) <= {one["name"] for each in described()["methods"] for one in each["params"]}


QUICK = tuple(name for name in methods() if name.split(".")[0] == "game" and name != "game.hint")
"""Those that answer at once, whatever they are given."""


@given(st.lists(JSON | calls(QUICK) | st.lists(calls(QUICK), max_size=3), max_size=5))
def test_any_json_is_answered_in_json(messages: list[Any]) -> None:
    written: list[str] = []
    client = seated(random_game("caravan", 1, 5), HOST)
    client.service.log = written.append
    for message in messages:
        before = len(client.received)
        client.service.receive(client.session, json.dumps(message))
        replies: list[Any] = [*client.received[before:]]
        for reply in replies:
            for one in reply if isinstance(reply, list) else [reply]:
                assert one["jsonrpc"] == "2.0"
                assert "id" not in one or ("result" in one) != ("error" in one)
    assert written == []


@given(st.text() | st.binary().map(lambda given: given.decode("latin-1")))
def test_any_text_is_answered_in_json(text: str) -> None:
    client = Client(check=False)
    client.service.receive(client.session, text)
    assert all(reply["jsonrpc"] == "2.0" for reply in client.received)


OPENS = {"game.new", "game.open", "game.replay"}
ABOUT_A_GAME = tuple(name for name in methods() if name.startswith("game.") and name not in OPENS)


# That the right ones agree to an undo is drawn too seldom.
@pytest.mark.parametrize("name", sorted({*ABOUT_A_GAME} - {"game.undo"}))
def test_what_is_drawn_reaches_every_method(name: str) -> None:
    """Or else nothing would be compared: some call that is drawn is answered by a result."""

    def is_answered(message: dict[str, Any]) -> bool:
        game = random_game("caravan", 0, 2)
        game.goto(1)
        return "result" in seated(game, HOST).send(json.dumps(message))

    assert find(calls((name,)), is_answered)["method"] == name


@pytest.mark.slow
@fewer
@given(
    st.sampled_from(["caravan", "harbour"]),
    st.integers(0, 20),
    st.integers(0, 25),
    st.lists(calls(ABOUT_A_GAME), min_size=1, max_size=8),
    st.booleans(),
)
def test_what_is_heard_in_two_worlds_is_the_same(
    word: str, seed: int, decisions: int, sent: list[dict[str, Any]], is_seated: bool
) -> None:
    game = random_game(word, seed, decisions)
    if game.over:
        return
    number = seed % len(game.players)
    role = Role("seat", game.players[number]) if is_seated else SPECTATOR
    worlds = [Game(game.book, game._seating, another_world(game, number, each)) for each in (7, 8)]
    clients = [seated(world, role) for world in worlds]
    for message in sent:
        text = json.dumps(message)
        replies = [client.send(text) for client in clients]
        answered = any(world.answered and shows_something(game, _machine(world), number) for world in worlds)
        if answered:
            return  # it may know now which world it is
        assert replies[0] == replies[1], message
        assert clients[0].received == clients[1].received


def _machine(game: Game) -> Compiled:
    assert isinstance(game.machine, Compiled)
    return game.machine
