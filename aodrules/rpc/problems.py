"""What is refused, as an error of JSON-RPC: a number, a sentence, and data that programs can read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from aodrules.errors import (
    AmbiguousActionError,
    AodrulesError,
    ArgumentError,
    IllegalActionError,
    InternalError,
    InvalidActionError,
    NotationError,
    RulesError,
    SampleError,
    SecretError,
    UndoError,
    UnknownNameError,
)
from aodrules.exchange.values import to_plain
from aodrules.play.going_back import UndoNeeds
from aodrules.play.reason import Reason
from aodrules.source.diagnostics import Diagnostic
from aodrules.source.wording import count, quote, quotes

PARSE, REQUEST, METHOD, PARAMS, INTERNAL = -32700, -32600, -32601, -32602, -32603

CODES: dict[str, tuple[int, str]] = {
    "no-json": (PARSE, "The message is no JSON."),
    "no-request": (REQUEST, "The JSON is no request, or the message is too large."),
    "unknown-method": (METHOD, "There is no such method."),
    "wrong-parameters": (PARAMS, "A parameter is missing, unknown, or of another type."),
    "our-mistake": (INTERNAL, "Something is wrong with the library. Please report it."),
    "wrong-rules": (1, "The rules cannot be loaded; `diagnostics` says all that is wrong with them."),
    "unknown-name": (2, "There is no game, seat, address or text of that name."),
    "wrong-argument": (3, "Something cannot be used: so many players, a seat, a setting, a language, a number."),
    "wrong-notation": (4, "A save, a record or a state cannot be understood."),
    "unknown-game": (5, "No game is open under that id."),
    "not-permitted": (6, "Who asks is not the host, or speaks for another seat."),
    "too-many-games": (7, "As many games are open as may be."),
    "unknown-action": (8, "It is no answer to the question that waits; `nearest` may be meant."),
    "impossible-action": (9, "It is not possible now; `reasons` says why."),
    "ambiguous-action": (10, "It fits several possible answers, the `candidates`."),
    "stale-action": (11, "The game has gone on since; `answers` says how far."),
    "not-asked": (12, "Another seat is asked now."),
    "cannot-undo": (13, "Nothing can be taken back, or somebody did not agree; `needs` says who must."),
    "secret": (14, "It depends on what the seat may not know."),
    "cannot-sample": (15, "What the seat does not know cannot be dealt anew in a fair way."),
}
"""The number and the meaning of each kind of error."""


@frozen
class ProblemData:
    """What a program can read of an error. What does not apply is left out."""

    kind: str
    """A stable name, which says more than the number."""
    help: str | None = None
    """What may be meant, or what to do."""
    diagnostics: tuple[Diagnostic, ...] = ()
    """What is wrong with rules: code, message, places and help of each problem."""
    reasons: tuple[Reason, ...] = ()
    """Why an action is not possible, the reason that fits best first."""
    nearest: tuple[str, ...] = ()
    """Texts of possible actions that may be meant."""
    candidates: tuple[str, ...] = ()
    """The actions that a text fits."""
    answers: int | None = None
    """How many answers have been given."""
    needs: UndoNeeds | None = None
    """Who must agree, and why."""


class RpcProblemError(Exception):
    """A request that is refused."""

    def __init__(self, message: str, data: ProblemData) -> None:
        super().__init__(message)
        self.message, self.data = message, data

    @property
    def code(self) -> int:
        """The number of the error."""
        return CODES[self.data.kind][0]

    def plain(self) -> dict[str, Any]:
        """Return the error as it is sent."""
        told = {name: part for name, part in to_plain(self.data).items() if part not in (None, [])}
        return {"code": self.code, "message": self.message, "data": told}


def refused(kind: str, message: str, **more: Any) -> RpcProblemError:
    """Return a problem of some kind; what else is known of it is told by the parts of `ProblemData`."""
    return RpcProblemError(message, ProblemData(kind, **more))


def unknown_game(id_: str) -> RpcProblemError:
    """Return the problem that no game is open under an id."""
    return refused("unknown-game", f"no game {quote(id_)} is open here")


def not_joined(id_: str) -> RpcProblemError:
    """Return the problem that somebody asks for a game without having joined it."""
    return refused("not-permitted", f"this connection has not joined the game {quote(id_)}", help="call `game.join`")


def host_only(method: str) -> RpcProblemError:
    """Return the problem that something is for the host alone."""
    return refused("not-permitted", f"`{method}` is for the host of a game: it tells or changes what a seat may not")


def other_seat(role: str, seat: str) -> RpcProblemError:
    """Return the problem that a connection asks for a seat that it does not speak for."""
    return refused("not-permitted", f"this connection speaks for {role}, not for {quote(seat)}")


def no_seat(method: str) -> RpcProblemError:
    """Return the problem that somebody without a seat asks for what only seats have."""
    return refused("not-permitted", f"`{method}` is for a seat; who only looks on has none")


def stale(given: int, now: int) -> RpcProblemError:
    """Return the problem that an answer is for a position that is past."""
    return refused("stale-action", f"the game stands after {count(now, 'answer')}, not after {given}", answers=now)


def not_asked(seat: str, decider: str | None) -> RpcProblemError:
    """Return the problem that a seat answers which is not asked."""
    if decider is None:
        return refused("unknown-action", "the game is over")
    return refused("not-asked", f"{quote(decider)} is asked now, not {quote(seat)}")


def wrong_parameters(method: str, why: str) -> RpcProblemError:
    """Return the problem that a method is given something else than it takes."""
    return refused("wrong-parameters", f"wrong parameters of `{method}`: {why}")


def problem_of(wrong: Exception) -> RpcProblemError | None:
    """Return what an error of the library is for who asked; nothing if it is a mistake of ours."""
    if isinstance(wrong, RpcProblemError):
        return wrong
    if isinstance(wrong, InternalError) or not isinstance(wrong, AodrulesError):
        return None
    if isinstance(wrong, RulesError):
        return _wrong_rules(wrong)
    if isinstance(wrong, IllegalActionError):
        message = f"{quote(wrong.action)} is not possible now: {wrong.why}"
        return refused("impossible-action", message, reasons=wrong.reasons)
    if isinstance(wrong, InvalidActionError):
        help_ = f"did you mean {quotes(wrong.nearest, 'or')}?" if wrong.nearest else None
        message = f"{quote(wrong.text)} is no action here: {wrong.why}"
        return refused("unknown-action", message, nearest=wrong.nearest, help=help_)
    if isinstance(wrong, AmbiguousActionError):
        return refused("ambiguous-action", str(wrong), candidates=wrong.candidates)
    kind = next((kind for class_, kind in _KINDS.items() if isinstance(wrong, class_)), None)
    return None if kind is None else refused(kind, str(wrong))


_KINDS: Mapping[type[Exception], str] = {
    UnknownNameError: "unknown-name",
    ArgumentError: "wrong-argument",
    NotationError: "wrong-notation",
    UndoError: "cannot-undo",
    SecretError: "secret",
    SampleError: "cannot-sample",
}


def _wrong_rules(wrong: RulesError) -> RpcProblemError:
    found = tuple(wrong.report)
    first = found[0]
    more = f", and {count(len(found) - 1, 'problem')} more" if found[1:] else ""
    return refused("wrong-rules", f"{first.message}{more}", diagnostics=found, help=first.help)
