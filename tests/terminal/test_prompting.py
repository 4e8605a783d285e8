"""Lines are typed with completion and history where a terminal has them, and without any elsewhere."""

from __future__ import annotations

import os
import sys
import time
from types import ModuleType

import pytest

from aodrules.terminal.console import text_console
from aodrules.terminal.lines import prompting
from aodrules.terminal.session import Session
from tests.playing import rules_of
from tests.terminal.test_session import nim


def session() -> Session:
    return Session(nim(), {}, text_console(), input)


@pytest.mark.parametrize(
    "before, begun, words",
    [
        ("", "ta", ["take "]),
        ("take ", "", ["low_heap ", "middle_heap ", "tall_heap "]),
        ("take low_heap ", "", ["1", "2", "3"]),
        ("why take low_heap ", "", ["4", "5"]),
        ("what ", "pe", ["pebble"]),
        ("", "sc", ["scores"]),
        ("", "wh", ["what", "why"]),
        ("take castle ", "", []),
        ("sing ", "", []),
    ],
)
def test_the_next_words_of_actions_and_commands_are_known(before: str, begun: str, words: list[str]) -> None:
    assert session().completions(before, begun) == words


def test_an_action_that_is_taken_is_no_longer_completed() -> None:
    here = session()
    here.game.push("take low_heap 3")
    assert here.completions("take ", "") == ["middle_heap ", "tall_heap "]


class Editor(ModuleType):
    """Stands for the editor of lines."""

    def __init__(self, about: str) -> None:
        super().__init__("editor", about)
        self.completer: object = "theirs"
        self.delims = "x"
        self.bound: list[str] = []
        self.line = "take low_heap "

    def get_completer(self) -> object:
        return self.completer

    def set_completer(self, completer: object) -> None:
        self.completer = completer

    def get_completer_delims(self) -> str:
        return self.delims

    def set_completer_delims(self, delims: str) -> None:
        self.delims = delims

    def parse_and_bind(self, text: str) -> None:
        self.bound.append(text)

    def get_line_buffer(self) -> str:
        return self.line

    def get_begidx(self) -> int:
        return len(self.line)


@pytest.mark.parametrize("about, bound", [("GNU readline", "tab: complete"), ("libedit", "bind ^I rl_complete")])
def test_the_editor_completes_while_a_game_is_played_and_is_left_as_it_was(about: str, bound: str) -> None:
    editor = Editor(about)
    with prompting(session().completions, editor):
        assert editor.bound == [bound]
        assert editor.delims == " "
        assert callable(editor.completer)
        assert [editor.completer("", number) for number in range(4)] == ["1", "2", "3", None]
    assert editor.get_completer() == "theirs"
    assert editor.delims == "x"


def test_without_a_terminal_there_is_no_editor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "readline", None)
    with prompting(session().completions):
        pass


def test_a_terminal_without_an_editor_is_fine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "readline", None)
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: True, raising=False)
    with prompting(session().completions):
        pass


def read_until(terminal: int, wanted: bytes) -> bytes:
    """Return what a program says at a terminal, up to something that it will say."""
    said = b""
    until = time.monotonic() + 60
    while wanted not in said and time.monotonic() < until:
        try:
            said += os.read(terminal, 4096)
        except OSError:  # it has ended
            break
    return said


def test_tab_and_arrows_work_at_a_terminal() -> None:
    pty = pytest.importorskip("pty")
    pytest.importorskip("readline")
    assert rules_of("nim.yaml").name == "nim"
    process, terminal = pty.fork()
    if process == 0:
        environment = {**os.environ, "TERM": "dumb", "INPUTRC": os.devnull}
        os.execve(sys.executable, [sys.executable, "-m", "aodrules", "play", "nim", "--seed", "1"], environment)
    try:
        assert b"first> " in read_until(terminal, b"first> ")
        os.write(terminal, b"ta\tl\t3\n")  # completes to `take low_heap 3`
        assert b"take low_heap 3" in read_until(terminal, b"second> ")
        os.write(terminal, b"\x10\n")  # the line before
        assert b"The heap has fewer stones" in read_until(terminal, b"fewer stones")
        os.write(terminal, b"quit\nquit\n")
        assert b"the game is not over" in read_until(terminal, b"is not over\r\n")
    finally:
        os.close(terminal)
        os.waitpid(process, 0)
