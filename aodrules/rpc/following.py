"""What those who follow a game are told when it changes: each what its seat may know."""

from __future__ import annotations

from typing import Any, Literal

from aodrules.exchange.values import to_plain
from aodrules.rpc.messages import notification
from aodrules.rpc.method import MethodCall, Table
from aodrules.rpc.open_games import OpenGame
from aodrules.rpc.patches import json_patch
from aodrules.rpc.positions import position_of, words_of
from aodrules.rpc.results import GameClosed, PositionTold, UndoAsked
from aodrules.rpc.sessions import Following, RpcSession
from aodrules.svg import patch

CHANGED, ASKED, CLOSED = "game.changed", "game.undo_asked", "game.closed"

Why = Literal["answer", "undo", "redo", "goto"]


def changed(call: MethodCall, table: Table, why: Why, seat: str | None, language: str | None) -> PositionTold:
    """Return the position after a change, and let those be told who follow the game."""
    if table.open is None:
        return position_of(table.game, seat, language, call.states.write(table.game, table.notes))
    table.open.agreed.clear()
    for session, following in _followers(table.open):
        call.told.append((session, notification(CHANGED, _change(table.open, session, following, why))))
    return position_of(table.game, seat, language)


def asked(call: MethodCall, kept: OpenGame, seat: str) -> None:
    """Let those be told who follow a game that a seat asks to take back its last turn."""
    _tell_others(call, kept, ASKED, UndoAsked(kept.id, seat, kept.game.answered))


def closed(call: MethodCall, kept: OpenGame) -> None:
    """Let those be told who follow a game that it is closed."""
    _tell_others(call, kept, CLOSED, GameClosed(kept.id))


def _followers(kept: OpenGame) -> list[tuple[RpcSession, Following]]:
    return [(one, one.followed[kept.id]) for one in kept.sessions if kept.id in one.followed]


def _tell_others(call: MethodCall, kept: OpenGame, name: str, what: object) -> None:
    text = notification(name, to_plain(what))
    call.told += [(session, text) for session, _ in _followers(kept) if session is not call.session]


def _change(kept: OpenGame, session: RpcSession, following: Following, why: Why) -> dict[str, Any]:
    game = kept.game
    view = game.view(session.roles[kept.id].seat)
    snapshot = to_plain(view)
    steps, following.view = json_patch(following.view, snapshot), snapshot
    return {
        "game": kept.id,
        "why": why,
        "answers": game.answered,
        "over": game.over,
        "events": snapshot["events"] if why == "answer" else [],
        "patch": steps,
        "words": to_plain(words_of(game, view, following.language)),
        "picture": _picture(kept, following),
    }


def _picture(kept: OpenGame, following: Following) -> dict[str, Any] | None:
    if following.pictures is None or following.scene is None:
        return None
    scene, before = following.pictures.scene(kept.game), following.scene
    following.scene = scene
    return patch(before, scene).plain()
