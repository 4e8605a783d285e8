"""Whatever is sent, the reply is a result or a sentence: nothing is a mistake of ours."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from aodrules.rpc.service import Limits, Service
from tests.rpc.clients import Client, described
from tests.rpc.test_methods import EXAMPLES, played

ODD: tuple[Any, ...] = (
    *(None, True, 0, -1, 10**30, 1.5, "", "x" * 5000, "\ud800", "players.amber", "swear 1", "../..", "a\nb", "{}", "0"),
    *([], [[]], [None], [1, "a"], {}, {"a": {"b": []}}, {"hidden": "card", "count": 1, "shows": {}}, {"player": ["x"]}),
    *({"option": {}}, {"option": ["swear"]}, {"permits_promised": True}, {"1": "text"}, {"amber": "\n"}, ["amber"]),
)


@pytest.mark.parametrize("name", EXAMPLES)
def test_no_parameter_makes_a_mistake_of_ours(name: str) -> None:
    written: list[str] = []
    chance = random.Random(name)
    client, game = played()
    client.service.log = written.append
    example = EXAMPLES[name](client, game)
    (method,) = (each for each in described()["methods"] if each["name"] == name)
    for parameter in (each["name"] for each in method["params"]):
        for odd in chance.sample(ODD, 8):
            request = {"jsonrpc": "2.0", "id": 1, "method": name, "params": {**example, parameter: odd}}
            reply = client.send(json.dumps(request))
            assert "result" in reply or reply["error"]["message"]
    assert written == []


@pytest.mark.parametrize("word", ["/dev/null", "tests/games", "tests/games/none.yaml", "\x00", "~", "nim+/", "+", ""])
def test_a_path_that_is_no_game_is_told_so(word: str) -> None:
    written: list[str] = []
    for allow_paths in (False, True):
        client = Client(Service(Limits(), allow_paths, written.append))
        request = {"jsonrpc": "2.0", "id": 1, "method": "rules.about", "params": {"rules": word}}
        assert client.send(json.dumps(request))["error"]["data"]["kind"] in {"unknown-name", "wrong-rules"}
    assert written == []
