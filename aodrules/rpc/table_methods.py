"""Methods that open, join, follow and close games."""

from __future__ import annotations

from collections.abc import Mapping

from aodrules.exchange.values import to_plain
from aodrules.game import Game
from aodrules.records import replay as replay_record
from aodrules.rpc.following import closed
from aodrules.rpc.method import MethodCall, methods_of
from aodrules.rpc.open_games import OpenGame
from aodrules.rpc.parameters import (
    FollowParameters,
    GameParameters,
    JoinParameters,
    NewParameters,
    NoParameters,
    OpenParameters,
    ReplayParameters,
)
from aodrules.rpc.positions import position_of
from aodrules.rpc.results import FollowTold, GameJoined, GameOpened, PlainData
from aodrules.rpc.sessions import HOST, Following
from aodrules.svg import Pictures


def new(call: MethodCall, given: NewParameters) -> GameOpened:
    """Begin a game. Who calls is its host."""
    game = call.rules.load(given.rules).new_game(given.players, given.seed, given.settings)
    return _opened(call, game, {}, keep=given.keep)


def open_(call: MethodCall, given: OpenParameters) -> GameOpened:
    """Open a saved game, at the very decision it was saved at. Who calls is its host."""
    found = call.states.open(given.save)
    return _opened(call, found.game, found.notes, keep=given.keep)


def replay(call: MethodCall, given: ReplayParameters) -> GameOpened:
    """Open the game that a record tells, played to its last line. Who calls is its host."""
    # A text of several lines is never taken for the path of a file.
    return _opened(call, replay_record(f"{given.record.rstrip()}\n"), {}, keep=given.keep)


def _opened(call: MethodCall, game: Game, notes: Mapping[str, str], *, keep: bool) -> GameOpened:
    if not keep:
        state = call.states.write(game, notes)
        return GameOpened(None, None, {}, game.players, game.answered, dict(notes), state)
    kept = call.games.add(game, notes)
    kept.sessions.append(call.session)
    call.session.roles[kept.id] = HOST
    return GameOpened(kept.id, kept.host_key, kept.keys, game.players, game.answered, dict(notes), None)


def list_(call: MethodCall, _given: NoParameters) -> tuple[GameJoined, ...]:
    """Return the games that this connection has joined, with its role in each."""
    return tuple(_joined(call, kept) for kept in call.games if kept.id in call.session.roles)


def join(call: MethodCall, given: JoinParameters) -> GameJoined:
    """Speak for a seat from now on, or for the host, or only look on: as the key says.

    A host that joins as a seat is no host any more, until it joins with the key of the host again.
    What the connection followed for its old role it follows no more.
    """
    kept, session = call.games.get(given.game), call.session
    role = kept.role_of(given.key, given.seat, session.roles.get(kept.id))
    session.roles[kept.id] = role
    session.followed.pop(kept.id, None)
    if session not in kept.sessions:
        kept.sessions.append(session)
    return _joined(call, kept)


def _joined(call: MethodCall, kept: OpenGame) -> GameJoined:
    role = call.session.roles[kept.id]
    return GameJoined(kept.id, role.kind, role.seat, kept.game.answered, kept.game.over)


def follow(call: MethodCall, given: FollowParameters) -> PlainData:
    """Be told of every change from now on by `game.changed`, as the seat of the connection may see it."""
    kept, role = call.joined(given.game)
    pictures = Pictures(given.language or "en", role.seat, given.theme) if given.picture else None
    position = to_plain(position_of(kept.game, role.seat, given.language))
    scene = None if pictures is None else pictures.scene(kept.game)
    call.session.followed[kept.id] = Following(given.language, position["view"], pictures, scene)
    return PlainData({"position": position, "scene": None if scene is None else scene.plain()})


def unfollow(call: MethodCall, given: GameParameters) -> None:
    """Be told of changes no more."""
    call.joined(given.game)
    call.session.followed.pop(given.game, None)


def close(call: MethodCall, given: GameParameters) -> None:
    """Close a game, for the host alone. What was not saved is gone."""
    kept, role = call.joined(given.game)
    call.check_host(role)
    closed(call, kept)
    for session in kept.sessions:
        session.roles.pop(kept.id, None)
        session.followed.pop(kept.id, None)
    call.games.remove(kept.id)


METHODS = methods_of("game", (new, open_, replay, list_, join, follow, unfollow, close), {"follow": FollowTold})
