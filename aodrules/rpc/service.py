"""Answers messages of many connections about many games."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from typing import Any

from attrs import define, field, frozen

from aodrules.rpc.messages import not_utf8, reply_to, too_large
from aodrules.rpc.method import MethodCall
from aodrules.rpc.methods import methods
from aodrules.rpc.open_games import OpenGames
from aodrules.rpc.problems import problem_of, refused
from aodrules.rpc.rules_words import RulesByWord
from aodrules.rpc.sessions import RpcSession
from aodrules.rpc.states import States
from aodrules.source.wording import did_you_mean, quote


@frozen
class Limits:
    """How much is kept and read."""

    games: int = 100
    """How many games may be open."""
    message: int = 16 * 1024 * 1024
    """How many characters a message may have. A save has at most half as many."""
    connections: int = 200
    """How many connections there may be."""


def _to_stderr(text: str) -> None:
    sys.stderr.write(text)


@define(eq=False)
class Service:
    """The games that are open, and what answers for them. It does one thing after the other."""

    limits: Limits = field(factory=Limits)
    allow_paths: bool = False
    """Whether rules may be files and folders of this machine."""
    log: Callable[[str], None] = _to_stderr
    """Where a mistake of ours is written down, which who asks is told in one sentence."""
    _games: OpenGames = field(init=False)
    _rules: RulesByWord = field(init=False)
    _states: States = field(factory=States, init=False)

    def __attrs_post_init__(self) -> None:
        self._games = OpenGames(self.limits.games)
        self._rules = RulesByWord(self.allow_paths)

    def receive(self, session: RpcSession, text: str) -> None:
        """Answer a message: first who sent it, then those who follow what it changed."""
        told: list[tuple[RpcSession, str]] = []
        if len(text) > self.limits.message:
            session.send(too_large(self.limits.message))
            return
        reply = reply_to(text, lambda method, given: self._answer(session, told, method, given))
        if reply is not None:
            session.send(reply)
        for other, message in told:
            other.send(message)

    def refuse_bytes(self, session: RpcSession) -> None:
        """Answer a message that is no text."""
        session.send(not_utf8())

    def refuse_large(self, session: RpcSession) -> None:
        """Answer a message that was too large to be read."""
        session.send(too_large(self.limits.message))

    def leave(self, session: RpcSession) -> None:
        """Forget a connection. The games that it had joined stay open."""
        for kept in self._games:
            if session in kept.sessions:
                kept.sessions.remove(session)
        session.roles.clear()
        session.followed.clear()

    def _answer(self, session: RpcSession, told: list[tuple[RpcSession, str]], name: str, given: Any) -> Any:
        method = methods().get(name)
        if method is None:
            help_ = did_you_mean(name, methods()) or "`rpc.discover` lists all"
            raise refused("unknown-method", f"there is no method {quote(name)}", help=help_)
        call = MethodCall(name, session, self._games, self._states, self._rules)
        try:
            return method.call(call, given)
        except Exception as wrong:  # noqa: BLE001 - whatever it is, who asked is told in a sentence
            problem = problem_of(wrong)
            if problem is None:
                self.log(f"aodrules serve: `{name}` failed\n{traceback.format_exc()}")
                problem = refused(
                    "our-mistake", f"`{name}` failed by a mistake of ours; the server has written it down"
                )
            raise problem from None
        finally:
            told += call.told
