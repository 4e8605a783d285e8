"""Messages on lines, of a program of its own and within this one."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from io import BytesIO, StringIO, TextIOWrapper
from typing import Any

import pytest

from aodrules.rpc import stdio
from aodrules.rpc.service import Limits, Service
from aodrules.rpc.stdio import Lines, serve_lines

SERVE = (sys.executable, "-m", "aodrules", "serve", "--rpc")


def line(number: int, method: str, **given: Any) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": given}) + "\n"


def replies(text: str, **limits: int) -> list[dict[str, Any]]:
    """Return what is answered to lines."""
    written = StringIO()
    Lines(Service(Limits(**limits)), StringIO(text), written).run()
    return [json.loads(each) for each in written.getvalue().splitlines()]


def test_each_line_is_answered_by_a_line() -> None:
    found = replies("\n" + line(1, "game.list") + "  \n" + line(2, "game.lst").rstrip())
    assert [each["id"] for each in found] == [1, 2]
    assert found[1]["error"]["data"]["help"] == "did you mean `game.list`?"


def test_a_huge_line_is_passed_over() -> None:
    huge = line(1, "game.list", odd="x" * 5000)
    for text in (huge + line(2, "game.list"), line(2, "game.list") + huge.rstrip()):
        found = replies(text, message=2000)
        assert sorted((each["id"] or 0, "error" in each) for each in found) == [(0, True), (2, False)]
    assert len(replies("x" * 10_000, message=2000)) == 1


def test_what_is_not_utf_8_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    written = BytesIO()
    text = b'{"a": "\xff"}\r\n' + line(1, "rules.text", rules="nim", address="decision.take", language="ż").encode()
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(text), "latin-1"))
    monkeypatch.setattr(sys, "stdout", TextIOWrapper(written, "ascii"))
    serve_lines(Service())
    sys.stdout.flush()
    first, second = (json.loads(each) for each in written.getvalue().splitlines())
    assert first["error"]["message"] == "the message is not in UTF-8"
    assert "`ż`" in second["error"]["message"]


def test_what_asks_to_end_waits_for_the_reply() -> None:
    stopping = stdio._Stopping()
    stopping.ask(signal.SIGTERM, None)
    assert stopping.is_asked
    stopping.is_waiting = True
    with pytest.raises(stdio._EndAskedError):
        stopping.ask(signal.SIGTERM, None)


def test_signals_are_left_as_they_were() -> None:
    before = [signal.getsignal(name) for name in (signal.SIGINT, signal.SIGTERM)]
    replies("")
    assert [signal.getsignal(name) for name in (signal.SIGINT, signal.SIGTERM)] == before


@pytest.mark.parametrize("name", [None, signal.SIGINT, signal.SIGTERM], ids=["end of input", "SIGINT", "SIGTERM"])
def test_a_program_of_its_own_ends_gracefully(name: signal.Signals | None) -> None:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(SERVE, text=True, env={**os.environ}, **pipes) as program:  # type: ignore[call-overload]  # pipes are numbers
        program.stdin.write(line(1, "game.new", rules="nim", seed=1))
        program.stdin.flush()
        assert json.loads(program.stdout.readline())["result"]["seats"] == ["first", "second"]
        if name is None:
            program.stdin.close()
        else:
            program.send_signal(name)
        assert program.wait(timeout=30) == 0
        assert (program.stdout.read(), program.stderr.read()) == ("", "")


def test_what_was_saved_is_there_after_the_program_was_killed() -> None:
    begun = line(1, "game.new", rules="nim", seed=1, keep=False)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(SERVE, text=True, **pipes) as program:  # type: ignore[call-overload]  # pipes are numbers
        program.stdin.write(begun)
        program.stdin.flush()
        state = json.loads(program.stdout.readline())["result"]["state"]
        program.stdin.write(line(2, "game.answer", state=state, action=0))
        program.stdin.flush()
        after = json.loads(program.stdout.readline())["result"]
        program.kill()
    # Another program, that knows nothing of the first one, goes on from what the host had kept.
    found = subprocess.run(
        SERVE,
        input=line(1, "game.view", state=after["state"]) + line(2, "game.open", save=after["state"]),
        text=True,
        capture_output=True,
        check=True,
        timeout=60,
    )
    viewed, opened = (json.loads(each)["result"] for each in found.stdout.splitlines())
    assert (viewed["answers"], opened["answers"]) == (1, 1)
    assert viewed["view"]["state"] == after["view"]["state"]
    assert opened["keys"].keys() == {"first", "second"}
