"""JSON-RPC over standard input and output: each line is a message."""

from __future__ import annotations

import signal
import sys
from io import TextIOWrapper
from types import FrameType
from typing import TextIO

from attrs import define, field

from aodrules.rpc.service import Service
from aodrules.rpc.sessions import RpcSession


class _EndAskedError(Exception):
    """Somebody asks to end while nothing is being done."""


@define(eq=False)
class _Stopping:
    """Ends at once while the next message is waited for, and after the reply while one is answered."""

    is_waiting: bool = False
    is_asked: bool = False

    def ask(self, _signal: int, _frame: FrameType | None) -> None:
        """Note that somebody asks to end."""
        self.is_asked = True
        if self.is_waiting:
            raise _EndAskedError


@define(eq=False)
class Lines:
    """Reads messages and writes replies."""

    service: Service
    read_from: TextIO
    write_to: TextIO
    _stopping: _Stopping = field(factory=_Stopping, init=False)

    def run(self) -> None:
        """Answer until the input ends, or somebody asks to end."""
        before = {name: signal.signal(name, self._stopping.ask) for name in (signal.SIGINT, signal.SIGTERM)}
        session = RpcSession(self._write)
        try:
            while not self._stopping.is_asked and self._answer_one(session):
                pass
        except _EndAskedError:
            pass
        finally:
            for name, handler in before.items():
                signal.signal(name, handler)

    def _answer_one(self, session: RpcSession) -> bool:
        """Answer the next message, if there is one."""
        largest = self.service.limits.message
        line = self._read(largest + 1)
        if len(line) > largest and not line.endswith("\n"):
            while line and not line.endswith("\n"):
                line = self._read(largest)
            self.service.refuse_large(session)
        elif not line.isprintable() and _has_halves(line):
            self.service.refuse_bytes(session)
        elif line.strip():
            self.service.receive(session, line.rstrip("\n"))
        return bool(line)

    def _read(self, most: int) -> str:
        self._stopping.is_waiting = True
        try:
            return self.read_from.readline(most)
        finally:
            self._stopping.is_waiting = False

    def _write(self, text: str) -> None:
        self.write_to.write(f"{text}\n")
        self.write_to.flush()


def _has_halves(line: str) -> bool:
    """Whether something in a line was no UTF-8."""
    return any("\ud800" <= sign <= "\udfff" for sign in line)


def serve_lines(service: Service) -> None:
    """Answer on standard input and output until the input ends."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, TextIOWrapper):
            # What is no UTF-8 is told so, and the end of a line is the same everywhere.
            stream.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")
    Lines(service, sys.stdin, sys.stdout).run()
