"""Messages of JSON-RPC 2.0, right and wrong ones."""

from __future__ import annotations

import json
from typing import Any

import pytest

from aodrules.rpc.messages import DEEPEST, LARGEST_BATCH, reply_to, write
from aodrules.rpc.problems import CODES
from aodrules.rpc.service import Limits, Service
from tests.rpc.clients import Client


def echo(method: str, params: Any) -> Any:
    return [method, params]


def reply(text: str) -> Any:
    found = reply_to(text, echo)
    return None if found is None else json.loads(found)


def call(**parts: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": "m", **parts}


def test_a_call_is_answered_under_its_id() -> None:
    for id_ in (7, "seven", None):
        assert reply(json.dumps(call(id=id_, params={"a": 1}))) == {
            "jsonrpc": "2.0",
            "id": id_,
            "result": ["m", {"a": 1}],
        }


def test_nobody_is_told_what_a_notification_did() -> None:
    assert reply(json.dumps(call())) is None
    assert reply(json.dumps([call(), call()])) is None


def test_a_batch_is_answered_without_its_notifications() -> None:
    found = reply(json.dumps([call(id=1), call(), {"odd": 1}, call(id=2, params=[3])]))
    assert [each.get("result") for each in found] == [["m", {}], None, ["m", [3]]]
    assert found[1]["error"]["code"] == -32600


@pytest.mark.parametrize(
    "text, code, said",
    [
        ("", -32700, "this is no JSON"),
        ("{", -32700, "this is no JSON"),
        ('{"id": NaN}', -32700, "NaN is no number of JSON"),
        ("[" * 100_000, -32700, "too long or too deep"),
        ("[" + "9" * 10_000 + "]", -32700, "too long or too deep"),
        ("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), -32600, "too deep"),
        ("[]", -32600, "the batch holds no call"),
        (json.dumps([1] * (LARGEST_BATCH + 1)), -32600, "a batch holds at most 100 calls, not 101"),
        ("3", -32600, "a call is an object, not 3"),
        ('{"method": "m", "id": 1}', -32600, '"jsonrpc": "2.0"'),
        (json.dumps(call(method=3, id=1)), -32600, "names its `method`"),
        (json.dumps(call(id=[1])), -32600, "the `id` of a call"),
        (json.dumps(call(id=True)), -32600, "the `id` of a call"),
        (json.dumps(call(id=1, more=2)), -32600, "a call has no part `more`"),
    ],
)
def test_what_is_no_call_is_refused(text: str, code: int, said: str) -> None:
    found = reply(text)
    assert found["error"]["code"] == code
    assert said in found["error"]["message"]


def test_a_refused_call_keeps_its_id_where_it_has_one() -> None:
    assert reply('{"id": 5}')["id"] == 5
    assert reply('{"id": [5]}')["id"] is None


def test_parameters_by_position_are_refused() -> None:
    found = Client().send('{"jsonrpc": "2.0", "id": 1, "method": "rpc.discover", "params": [1]}')
    assert found["error"]["code"] == -32602
    assert "given by name" in found["error"]["message"]


def test_a_message_that_is_too_large_is_not_read() -> None:
    client = Client(Service(Limits(message=1000)))
    found = client.send(" " * 1001)
    assert (found["id"], found["error"]["code"]) == (None, -32600)
    assert "at most 1,000 characters" in found["error"]["message"]
    assert client.send(json.dumps(call(id=1, method="game.list")))["result"] == []


def test_halves_of_signs_are_written_so_that_utf_8_can_hold_them() -> None:
    assert write({"a": "ż"}) == '{"a":"ż"}'
    assert write({"a": "\ud800"}).isascii()
    found = reply_to('{"jsonrpc": "2.0", "id": "\\ud800", "method": "ż"}', echo)
    assert found is not None
    found.encode()


def test_every_kind_of_error_has_a_number_of_its_own_or_of_the_standard() -> None:
    numbers = [code for code, _ in CODES.values()]
    assert len(set(numbers)) == len(numbers)
    assert [code for code in numbers if code < 0] == [-32700, -32600, -32601, -32602, -32603]
