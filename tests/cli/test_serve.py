from __future__ import annotations

import importlib.util
import json
import socket
import sys
from io import StringIO

import pytest

from aodrules.cli import serve
from aodrules.cli.main import run


def test_messages_on_lines_are_answered(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", StringIO('{"jsonrpc": "2.0", "id": 1, "method": "game.list"}\n'))
    assert run(["serve", "--rpc"]) == 0
    assert capsys.readouterr().out == '{"jsonrpc":"2.0","id":1,"result":[]}\n'


def test_rules_are_files_only_where_that_is_allowed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = '{"jsonrpc": "2.0", "id": 1, "method": "rules.about", "params": {"rules": "tests/games/nim.yaml"}}\n'
    found = []
    for arguments in (["--rpc"], ["--rpc", "--allow-paths"]):
        monkeypatch.setattr(sys, "stdin", StringIO(text))
        assert run(["serve", *arguments]) == 0
        found.append(json.loads(capsys.readouterr().out))
    assert found[0]["error"]["data"]["kind"] == "unknown-name"
    assert found[1]["result"]["name"] == "nim"


def test_the_description_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["serve", "--describe"]) == 0
    assert "game.answer" in [each["name"] for each in json.loads(capsys.readouterr().out)["methods"]]


def test_without_the_extra_web_sockets_are_refused_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(serve, "find_spec", lambda name: None if name == "websockets" else found(name))
    assert run(["serve", "--rpc", "--port", "0"]) == 2
    assert "pip install 'aodrules[serve]'" in capsys.readouterr().err


def test_what_cannot_be_served_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["serve"]) == 2
    assert "say what to serve" in capsys.readouterr().err
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert run(["serve", "--rpc", "--port", str(port)]) == 2
    assert f"`127.0.0.1:{port}` cannot be listened at" in capsys.readouterr().err
    assert run(["serve", "--rpc", "--port", "70000"]) == 2
