"""Who is connected: for whom each speaks in a game, and which games it follows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from attrs import define, field, frozen

from aodrules.picture.scene import Scene
from aodrules.svg import Pictures


@frozen
class Role:
    """For whom a connection speaks in a game."""

    kind: Literal["host", "seat", "spectator"]
    seat: str | None = None

    def __str__(self) -> str:
        if self.seat is not None:
            return f"`{self.seat}`"
        return "the host" if self.kind == "host" else "nobody and only looks on"


HOST = Role("host")
SPECTATOR = Role("spectator")


@define(eq=False)
class Following:
    """What a connection that follows a game was told last, and how it is told."""

    language: str | None
    view: dict[str, Any]
    """The snapshot of its view."""
    pictures: Pictures | None = None
    scene: Scene | None = None


@define(eq=False)
class RpcSession:
    """One connection."""

    send: Callable[[str], None]
    """Sends a message; it never waits."""
    roles: dict[str, Role] = field(factory=dict, init=False)
    """For whom it speaks, by the id of the game."""
    followed: dict[str, Following] = field(factory=dict, init=False)
    """The games it follows, by id."""
