"""The results of the methods, as classes. What the library itself returns is sent as it writes it."""

from __future__ import annotations

from typing import Any, Literal

from attrs import frozen

from aodrules.games import CatalogueEntry, CatalogueRuling
from aodrules.play.actions import Action
from aodrules.play.event_types import Event
from aodrules.play.game_log import LogGroup
from aodrules.play.going_back import UndoNeeds
from aodrules.play.reason import Reason
from aodrules.play.scores import ScoreLine
from aodrules.play.settings import Setting
from aodrules.play.views import Snapshot
from aodrules.source.diagnostics import Diagnostic


@frozen(eq=False)
class PlainData:
    """What is sent as it is."""

    data: Any


# Rules.


@frozen
class GameListed:
    """What a game that ships with the package can be played with, by id."""

    id: str
    editions: tuple[str, ...]
    variants: tuple[str, ...]
    other_readings: tuple[str, ...]
    """Variants that play another reading of a ruling than the chosen one."""
    house_rules: tuple[str, ...]
    rulings: tuple[str, ...]


@frozen
class GameTold:
    """A game that ships with the package, with all that it can be played with."""

    id: str
    names: dict[str, str]
    """What it is called, by language."""
    players: tuple[int, int]
    """How many can play: the fewest and the most."""
    seats: tuple[str, ...]
    languages: tuple[str, ...]
    editions: tuple[CatalogueEntry, ...]
    variants: tuple[CatalogueEntry, ...]
    other_readings: tuple[CatalogueEntry, ...]
    house_rules: tuple[CatalogueEntry, ...]
    rulings: tuple[CatalogueRuling, ...]


@frozen
class RulesTold:
    """Rules that can be played."""

    name: str
    """The id of the game."""
    edition: str | None
    variants: tuple[str, ...]
    fingerprint: str
    """A hash of all that play depends on."""
    players: tuple[int, int]
    """How many can play: the fewest and the most."""
    seats: tuple[str, ...]
    settings: tuple[Setting, ...]
    """The facts outside the game that may be given to `game.new`."""
    languages: tuple[str, ...]
    values: tuple[str, ...]
    """The values that `game.value` can read."""
    warnings: tuple[Diagnostic, ...]


@frozen
class TextTold:
    """Words."""

    text: str
    language: str
    """The language that they are in: another than was asked for, where that had none."""
    is_fallback: bool
    """Whether some of them are not in the language that was asked for."""


# Games.


@frozen
class GameOpened:
    """A game that is open now, or whose state is kept elsewhere."""

    game: str | None
    """Its id; none if it does not stay open here."""
    host_key: str | None
    """The key by which another connection becomes its host."""
    keys: dict[str, str]
    """The key of each seat, to be handed to whoever plays it."""
    seats: tuple[str, ...]
    answers: int
    """How many answers have been given."""
    notes: dict[str, str]
    """What a front end had written into the save."""
    state: str | None
    """The state, if the game does not stay open here. It holds all secrets: it is for the host alone."""


@frozen
class GameJoined:
    """For whom a connection speaks in a game."""

    game: str
    role: Literal["host", "seat", "spectator"]
    seat: str | None
    """The seat that it speaks for, if it is one."""
    answers: int
    """How many answers have been given."""
    over: bool


@frozen
class PositionWords:
    """A position in the words of a language."""

    decision: str | None
    """The question that waits."""
    around: str | None
    """The steps and turns in which it is asked."""
    actions: tuple[str, ...]
    """A label for each action of the view."""
    events: tuple[str, ...]
    """A sentence for each event of the view."""


@frozen
class PositionTold:
    """A position as somebody may see it."""

    answers: int
    """How many answers have been given."""
    over: bool
    """Whether the game is over."""
    view: Snapshot
    words: PositionWords | None
    """The same in a language, if one was asked for."""
    state: str | None = None
    """The state after it, where the game is kept elsewhere and was changed. It is for the host alone."""


@frozen
class CandidateTold:
    """Something that could be taken for a part of an answer."""

    value: Any
    address: str | None
    """What it stands for, as the `symbol` of a picture calls it: an option, a member, a seat."""
    label: str
    possible: bool
    reasons: tuple[Reason, ...]
    """Why no answer is possible with it."""


@frozen
class ChoicesTold:
    """An answer under way: what is chosen, and what could be chosen next."""

    player: str
    picked: dict[str, Any]
    part: str | None
    """What is to be chosen next; nothing when all is chosen."""
    parts: tuple[str, ...]
    action: Action | None
    """The action that is chosen; nothing as long as a part is missing."""
    candidates: tuple[CandidateTold, ...]


@frozen
class TurnWords:
    """What a seat answered and what happened upon it, in words."""

    label: str
    events: tuple[str, ...]


@frozen
class StepWords:
    """What a step is called, and what happened in it, in words."""

    title: str
    turns: tuple[TurnWords, ...]


@frozen
class LogTold:
    """What happened so far, by named step and by answer."""

    groups: tuple[LogGroup, ...]
    words: tuple[StepWords, ...] | None
    """The same in a language, if one was asked for."""


@frozen
class UndoTold:
    """What it takes that a seat takes back its last turn."""

    needs: UndoNeeds | None
    """Nothing if the seat had no turn."""
    text: str | None
    """Who must agree and why, in words."""
    agreed: tuple[str, ...]
    """The seats that have agreed since the last answer."""


@frozen
class ScoreLineTold:
    """A line of the score sheet as somebody may know it."""

    source: str
    points: int | None
    """Nothing if it depends on what the seat may not know."""


@frozen
class ScoreTold:
    """A player's points, as if the game ended now."""

    player: str
    total: int | None
    """Nothing if it depends on what the seat may not know."""
    lines: tuple[ScoreLineTold, ...]
    origins: tuple[ScoreLine, ...]
    """Where each point comes from, if all is told."""


@frozen
class WhatIfTold:
    """What an answer did in one position that the seat could believe in."""

    action: str
    events: tuple[Event, ...]
    """What happened, as far as the seat would notice."""
    chance: tuple[Event, ...]
    """Those of the events that chance decided, or something that the seat does not know."""
    is_certain: bool
    """Whether nothing was left to chance."""
    points: dict[str, int]
    """By how much each player's points would change there."""


@frozen
class SaveTold:
    """A game as text."""

    save: str
    """It holds all secrets: it is for the host alone."""


@frozen
class RecordTold:
    """A line of play as text."""

    record: str
    result: str
    """How the game ended, on one line; `unfinished` before that."""


@frozen
class PictureTold:
    """A picture."""

    svg: str


@frozen
class NodeData:
    """Something in a picture; of what is inside it only the ids."""

    id: str
    classes: tuple[str, ...]
    x: float
    y: float
    scale: float
    symbol: str
    """The address of the member that it shows."""
    label: str
    title: str
    pieces: int
    """How many pieces it stands for."""
    marks: tuple[tuple[str, dict[str, str | float], str], ...]
    """What is drawn: a tag of SVG, its presentation attributes, and the text in it."""
    inside: tuple[str, ...]


@frozen
class SceneData:
    """A picture as nodes with ids that stay."""

    version: int
    width: float
    height: float
    title: str
    description: str
    language: str
    root: str
    """The id of the node that all others are inside of."""
    nodes: tuple[NodeData, ...]
    """Each before what is inside it."""


@frozen
class PatchData:
    """What makes one picture of another: nodes that go, nodes that come or change, the frame if it changes."""

    version: int
    remove: tuple[str, ...]
    put: tuple[NodeData, ...]
    frame: dict[str, str | float]
    """Width, height, title, description and language, if one of them changed."""


@frozen
class FollowTold:
    """Where a connection begins to follow a game."""

    position: PositionTold
    scene: SceneData | None
    """The picture, if it was asked for."""


# What is told without being asked.


@frozen
class PatchStep:
    """A step of a JSON Patch (RFC 6902)."""

    op: Literal["add", "remove", "replace"]
    path: str
    value: Any = None
    """What is put there; left out where something is removed."""


@frozen
class GameChanged:
    """A game that a connection follows has changed."""

    game: str
    why: Literal["answer", "undo", "redo", "goto"]
    """By what."""
    answers: int
    """How many answers have been given now."""
    over: bool
    events: tuple[Event, ...]
    """What happened since the last answer, as the seat noticed it; nothing where something was taken back."""
    patch: tuple[PatchStep, ...]
    """What makes the view of now from the one that was told last."""
    words: PositionWords | None
    """The position in words, if a language was given."""
    picture: PatchData | None
    """What changes in the picture, if it is followed."""


@frozen
class UndoAsked:
    """A seat asks the others whether it may take back its last turn: `game.agree` agrees."""

    game: str
    seat: str
    answers: int
    """How many answers have been given."""


@frozen
class GameClosed:
    """A game that a connection follows has been closed."""

    game: str
