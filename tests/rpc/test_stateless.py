"""Games that are kept elsewhere: a state and an answer go in, a state and what happened come out."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import aodrules
from aodrules.rpc.service import Service
from tests.playing import GAMES
from tests.rpc.clients import Client, RefusedError


@pytest.mark.parametrize("rules", ["nim", "caravan"])
def test_a_stateless_game_equals_one_that_is_kept(rules: str) -> None:
    client, chance = Client(check=False), random.Random(3)
    game = client.new(rules)
    opened = client.call("game.new", rules=rules, seed=1, keep=False)
    assert (opened["game"], opened["keys"]) == (None, {})
    state, over = opened["state"], False
    while not over:
        player = client.call("game.view", state=state)["view"]["decision"]["player"]
        for where in ({"state": state}, {"game": game}):
            actions = client.call("game.view", seat=player, **where)["view"]["actions"]
        action = chance.choice(actions)["text"]
        stateless = client.call("game.answer", state=state, seat=player, action=action)
        kept = client.call("game.answer", game=game, seat=player, action=action)
        state, over = stateless.pop("state"), stateless["over"]
        assert kept.pop("state") is None
        assert stateless == kept
    assert state == client.call("game.save", game=game)["save"]
    for method in ("game.ranking", "game.log", "game.record", "game.scores", "game.scene"):
        assert client.call(method, state=state) == client.call(method, game=game)


def test_a_state_is_opened_by_a_service_that_never_saw_it() -> None:
    client = Client()
    state = client.call("game.new", rules="caravan", seed=1, keep=False)["state"]
    here = client.call("game.answer", state=state, action=0)
    elsewhere = Client(Service()).call("game.answer", state=state, action=0)
    assert here == elsewhere


def test_a_state_stays_what_it_was() -> None:
    client = Client()
    state = client.call("game.new", rules="nim", seed=1, keep=False)["state"]
    after = client.call("game.answer", state=state, action="take low_heap 1")["state"]
    assert client.call("game.view", state=state)["answers"] == 0
    assert client.call("game.answer", state=state, action="take low_heap 2")["answers"] == 1
    back = client.call("game.undo", state=after, seat="first", agreed=["second"])
    assert (back["answers"], back["state"]) == (0, state)


def test_notes_travel_with_the_state() -> None:
    client = Client()
    game = client.new()
    state = client.call("game.save", game=game, notes={"table": "seven"})["save"]
    after = client.call("game.answer", state=state, action=0)["state"]
    assert client.call("game.open", save=after)["notes"] == {"table": "seven"}


def test_a_state_that_was_changed_is_refused() -> None:
    client = Client()
    state = client.call("game.new", rules="caravan", seed=1, keep=False)["state"]
    with pytest.raises(RefusedError) as refused:
        client.call("game.view", state=state.replace('"coins": 12', '"coins": 99', 1))
    assert refused.value.kind == "wrong-notation"
    with pytest.raises(RefusedError, match="one of `game` and `state`"):
        client.call("game.view", state=state, game="x")


def test_a_state_may_bring_its_own_documents(tmp_path: Path) -> None:
    house = tmp_path / "house.yaml"
    house.write_text((GAMES / "nim-misere.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    rules = aodrules.load(GAMES / "nim.yaml", [house])
    state = rules.new_game(seed=1).save()
    client = Client()
    assert client.call("rules.about", state=state)["variants"] == list(rules.variants)
    after = client.call("game.answer", state=state, action=0)["state"]
    assert client.call("rules.about", state=after)["fingerprint"] == rules.fingerprint
    changed = json.loads(state)
    ((path, text),) = ((path, text) for path, text in changed["documents"].items() if "variant:" in text)
    changed["documents"][path] = text.replace("change:", "chance:")
    with pytest.raises(RefusedError) as refused:
        client.call("game.view", state=json.dumps(changed))
    assert refused.value.kind == "wrong-rules"
    assert refused.value.data["diagnostics"][0]["primary"]["span"]["path"]


def test_more_states_than_are_remembered_stay_what_they_were() -> None:
    client, states = Client(check=False), list[str]()
    for seed in range(70):
        states.append(client.call("game.new", rules="nim", seed=seed, keep=False)["state"])
    for seed in (0, 69):
        assert f'"seed": {seed},' in client.call("game.save", state=states[seed])["save"]
