"""Who follows a game is told of every change, as its seat may see it, and of nothing else."""

from __future__ import annotations

import random
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aodrules.game import Game
from aodrules.rpc.patches import json_patch
from tests.every_ruleset import marked, rules_of
from tests.rpc.clients import Client, RefusedError, service_of_tests

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab/~", max_size=2), inner, max_size=3),
    max_leaves=12,
)


def patched(value: Any, steps: list[dict[str, Any]]) -> Any:
    """Return a value after the steps of a JSON Patch, as far as we write them."""
    value = deepcopy(value)
    for step in steps:
        if step["path"] == "":
            value = step["value"]
            continue
        *way, last = [part.replace("~1", "/").replace("~0", "~") for part in step["path"].split("/")[1:]]
        inside = value
        for part in way:
            inside = inside[part]
        if step["op"] == "remove":
            del inside[last]
        elif isinstance(inside, list):
            assert (step["op"], last) == ("add", "-")
            inside.append(step["value"])
        else:
            assert (last in inside) == (step["op"] == "replace")
            inside[last] = step["value"]
    return value


@given(JSON, JSON)
def test_a_patch_makes_one_value_of_another(old: Any, new: Any) -> None:
    assert patched(old, json_patch(old, new)) == new
    assert json_patch(new, new) == []


def test_a_list_that_grew_is_not_sent_again() -> None:
    assert json_patch({"played": [1, 2]}, {"played": [1, 2, 3]}) == [{"op": "add", "path": "/played/-", "value": 3}]


def table(*, check: bool = True) -> tuple[dict[str | None, Client], str]:
    """Return the clients of a game with secrets, by seat; the host is the one without."""
    service = service_of_tests()
    host = Client(service, check=check)
    opened = host.call("game.new", rules="caravan", seed=1)
    clients: dict[str | None, Client] = {None: host}
    for seat, key in opened["keys"].items():
        clients[seat] = Client(service, check=check)
        clients[seat].call("game.join", game=opened["game"], key=key)
    return clients, opened["game"]


def test_patches_lead_to_the_view_of_the_seat() -> None:
    clients, game = table(check=False)
    known, scenes = {}, {}
    for seat, client in clients.items():
        begun = client.call("game.follow", game=game, picture=True, language="en")
        known[seat], scenes[seat] = begun["position"]["view"], {each["id"]: each for each in begun["scene"]["nodes"]}
    for number in range(1, 9):
        decider = clients[None].call("game.view", game=game)["view"]["decision"]["player"]
        possible = clients[decider].call("game.view", game=game)["view"]["actions"]
        clients[None].call("game.answer", game=game, action=possible[0])
        for seat, client in clients.items():
            (told,) = client.told()
            assert (told["method"], told["params"]["answers"], told["params"]["why"]) == (
                "game.changed",
                number,
                "answer",
            )
            known[seat] = patched(known[seat], told["params"]["patch"])
            now = client.call("game.view", game=game, language="en")
            assert known[seat] == now["view"]
            assert told["params"]["events"] == now["view"]["events"]
            assert told["params"]["words"] == now["words"]
            for gone in told["params"]["picture"]["remove"]:
                del scenes[seat][gone]
            scenes[seat] |= {each["id"]: each for each in told["params"]["picture"]["put"]}
            assert scenes[seat] == {each["id"]: each for each in client.call("game.scene", game=game)["nodes"]}


def test_what_was_taken_back_is_told_too() -> None:
    clients, game = table()
    begun = clients["jade"].call("game.follow", game=game)["position"]["view"]
    clients["amber"].call("game.answer", game=game, action=1)
    clients[None].call("game.goto", game=game, answers=0)
    first, second = (each["params"] for each in clients["jade"].told())
    assert (second["why"], second["answers"], second["events"]) == ("goto", 0, [])
    assert patched(patched(begun, first["patch"]), second["patch"]) == begun


def test_a_hidden_answer_is_told_to_others_without_what_it_hides() -> None:
    clients, game = table()
    clients["jade"].call("game.follow", game=game)
    clients["amber"].call("game.answer", game=game, action="swear 2")
    (told,) = clients["jade"].told()
    (played,) = (step["value"] for step in told["params"]["patch"] if step["path"] == "/played")
    assert played == [{"player": "amber", "text": "swear"}]
    assert clients["amber"].told() == []


def test_a_seat_asks_the_others_whether_it_may_take_back() -> None:
    clients, game = table()
    clients["jade"].call("game.follow", game=game)
    clients["amber"].call("game.answer", game=game, action=0)
    with pytest.raises(RefusedError):
        clients["amber"].call("game.undo", game=game, ask=True)
    asked = clients["jade"].told()[-1]
    assert (asked["method"], asked["params"]) == ("game.undo_asked", {"game": game, "seat": "amber", "answers": 1})
    clients["jade"].call("game.agree", game=game, undo_of="amber")
    assert clients["amber"].call("game.undo", game=game)["answers"] == 0
    assert clients["jade"].told()[-1]["params"]["why"] == "undo"


def test_who_follows_no_more_or_was_left_alone_is_told_nothing_more() -> None:
    clients, game = table()
    for seat in ("amber", "jade"):
        clients[seat].call("game.follow", game=game)
    clients["amber"].call("game.unfollow", game=game)
    clients[None].call("game.answer", game=game, action=0)
    clients[None].call("game.close", game=game)
    assert clients["amber"].told() == []
    assert [each["method"] for each in clients["jade"].told()] == ["game.changed", "game.closed"]
    with pytest.raises(RefusedError, match="no game"):
        clients["jade"].call("game.view", game=game)


def test_a_new_role_is_not_told_what_the_old_one_followed() -> None:
    clients, game = table()
    clients[None].call("game.follow", game=game)
    clients[None].call("game.join", game=game, seat="jade")
    clients["amber"].call("game.answer", game=game, action=0)
    assert clients[None].told() == []


def test_a_lost_connection_is_not_told_anything() -> None:
    clients, game = table()
    clients["jade"].call("game.follow", game=game)
    clients["jade"].service.leave(clients["jade"].session)
    clients["amber"].call("game.answer", game=game, action=0)
    assert clients["jade"].told() == []


def test_two_connections_may_speak_for_one_seat_and_answer_once() -> None:
    service = service_of_tests()
    host, here, there = (Client(service) for _ in range(3))
    opened = host.call("game.new", rules="caravan", seed=1)
    game = opened["game"]
    for client in (here, there):
        client.call("game.join", game=game, key=opened["keys"]["amber"])
        client.call("game.follow", game=game)
    here.call("game.answer", game=game, action="swear 1", after=0)
    with pytest.raises(RefusedError) as refused:
        there.call("game.answer", game=game, action="swear 2", after=0)
    assert refused.value.kind == "stale-action"
    assert [each["params"]["answers"] for each in (*here.told(), *there.told())] == [1, 1]
    service.leave(here.session)
    assert there.call("game.view", game=game)["view"]["played"] == [{"player": "amber", "text": "swear 1"}]


@pytest.mark.parametrize("word", marked(("nim", "caravan", "harbour")))
def test_patches_lead_there_in_random_games_back_and_forth(word: str) -> None:
    rules, chance = rules_of(word), random.Random(word)
    host = Client(check=False)
    kept = host.service._games.add(rules.new_game(seed=2), {})
    clients: dict[str | None, Client] = {None: host}
    host.call("game.join", game=kept.id, key=kept.host_key)
    for one, key in kept.keys.items():
        clients[one] = Client(host.service, check=False)
        clients[one].call("game.join", game=kept.id, key=key)
    known = {seat: each.call("game.follow", game=kept.id)["position"]["view"] for seat, each in clients.items()}
    for number in range(40):
        _do_something(clients[None], kept.id, kept.game, chance)
        for seat, client in clients.items():
            for told in client.told():
                known[seat] = patched(known[seat], told["params"]["patch"])
                assert told["params"]["answers"] == kept.game.answered
            if number % 4 == 0:
                assert known[seat] == client.call("game.view", game=kept.id)["view"]


def _do_something(host: Client, id_: str, game: Game, chance: random.Random) -> None:
    """Answer, go back, take back, or give again."""
    what = chance.randrange(10)
    if game.over or (what == 0 and game.answered):
        host.call("game.goto", game=id_, answers=chance.randrange(game.answered))
    elif what == 1 and game.answered:
        last = game.players[game._played_actions(game._last)[-1][0]]
        host.call("game.undo", game=id_, seat=last, agreed=list(game.players))
    elif what == 2 and game._ahead is not None and game._ahead.last is game._last:
        host.call("game.redo", game=id_)
    else:
        host.call("game.answer", game=id_, action=chance.choice(game.codes))
