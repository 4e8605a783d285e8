"""How a game is begun, and what is told about what a seat got to know."""

from __future__ import annotations

from attrs import frozen

from aodrules.play.settings import Settings


@frozen
class Seating:
    """How a game is begun: who sits where, with which chance and settings, on which engine."""

    seats: tuple[str, ...]
    seed: int
    settings: Settings = ()
    undo: bool = True
    log: bool = True
    engine: str = "compiled"


@frozen
class Learned:
    """A piece that a seat got to see, and where it lay."""

    piece: str
    place: str
