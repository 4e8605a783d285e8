"""The parameters of the methods, as classes: names, types, what is meant where one is left out, and descriptions."""

from __future__ import annotations

from typing import Any, Literal, TypeVar

import attrs
from attrs import field, frozen

from aodrules.errors import NotationError
from aodrules.exchange.values import public_fields, read_plain
from aodrules.play.actions import Action

_P = TypeVar("_P")


def read_parameters(of: type[_P], given: object) -> _P:
    """Return the parameters that somebody gave by name, with what is meant where one is left out.

    Raises:
        NotationError: One is missing, or unknown, or of another type.
    """
    if not isinstance(given, dict):
        raise NotationError("they are given by name, in an object")
    filled = dict(given)
    for one in public_fields(of):
        if is_optional(one):
            filled.setdefault(one.name, default_of(one))
    found: _P = read_plain(filled, of)
    return found


def is_optional(one: attrs.Attribute[Any]) -> bool:
    """Whether a parameter may be left out."""
    return one.default is not attrs.NOTHING


def default_of(one: attrs.Attribute[Any]) -> Any:
    """Return what is meant where a parameter is left out."""
    default: Any = one.default
    return default.factory() if hasattr(default, "factory") else default


@frozen(kw_only=True)
class NoParameters:
    """Nothing."""


# Rules.


@frozen(kw_only=True)
class CatalogueParameters:
    """Which game."""

    id: str
    """The id of a game that ships with the package."""


@frozen(kw_only=True)
class RulesParameters:
    """Which rules: one of the three."""

    rules: str | None = None
    """A game or edition and its variants, joined by `+`: `nim`, `edition+variant`."""
    game: str | None = None
    """The id of an open game, whose rules are meant."""
    state: str | None = None
    """A state or save, whose rules are meant."""


@frozen(kw_only=True)
class TextParameters(RulesParameters):
    """Which rules, and what stands in them."""

    address: str
    """As the rules call it, such as `decision.take`; a place as views call it; a clause by its id."""
    language: str = "en"
    """The language of the words."""
    arguments: dict[str, Any] = field(factory=dict)
    """What stands in the words in braces, by name."""


# Games opened and closed.


@frozen(kw_only=True)
class NewParameters:
    """How a game begins."""

    rules: str
    """A game or edition and its variants, joined by `+`."""
    players: int | tuple[str, ...] | None = None
    """How many play, or the seats in order; the fewest possible if not given."""
    seed: int | None = None
    """The number from which all chance comes; any if not given. Whoever knows it can foretell every draw."""
    settings: dict[str, Any] = field(factory=dict)
    """Facts outside the game, where it asks for some: see `rules.about`."""
    keep: bool = True
    """Whether the game stays open here. If not, its `state` is returned, to be kept elsewhere."""


@frozen(kw_only=True)
class OpenParameters:
    """A saved game."""

    save: str
    """The text that `game.save` gave."""
    keep: bool = True
    """Whether the game stays open here."""


@frozen(kw_only=True)
class ReplayParameters:
    """A record."""

    record: str
    """The text that `game.record` gave."""
    keep: bool = True
    """Whether the game stays open here."""


@frozen(kw_only=True)
class JoinParameters:
    """For whom a connection speaks in a game."""

    game: str
    """The id of the game."""
    seat: str | None = None
    """The seat to speak for; whose key it is if not given."""
    key: str | None = None
    """The key of the seat, or of the host. Without any one only looks on; a host needs none for a seat."""


@frozen(kw_only=True)
class GameParameters:
    """Which game."""

    game: str
    """The id of an open game."""


@frozen(kw_only=True)
class FollowParameters:
    """Which game is followed, and how it is told."""

    game: str
    """The id of an open game."""
    language: str | None = None
    """The language of the words; without one there are none."""
    picture: bool = False
    """Whether the picture is told too, as a scene and then as what changes in it."""
    theme: Literal["light", "dark"] = "light"
    """How the picture looks."""


# A position.


@frozen(kw_only=True)
class PositionParameters:
    """Which position, and for whom."""

    game: str | None = None
    """The id of an open game; else `state` is given."""
    state: str | None = None
    """A game that is kept elsewhere: the text that a method returned as `state`, or a save."""
    seat: str | None = None
    """For whom: the seat that the connection speaks for if not given. See `Roles`."""


@frozen(kw_only=True)
class ViewParameters(PositionParameters):
    """Which position, for whom, in which words."""

    language: str | None = None
    """The language of the words; without one there are none."""


@frozen(kw_only=True)
class ChoicesParameters(PositionParameters):
    """An answer under way."""

    picked: dict[str, Any] = field(factory=dict)
    """What is chosen, by part, in any order."""
    language: str = "en"
    """The language of labels and reasons."""
    reasons: bool = True
    """Whether reasons are told for what is impossible."""


@frozen(kw_only=True)
class ValueParameters(PositionParameters):
    """A value of the rules."""

    name: str
    """Its name in the rules."""
    arguments: dict[str, Any] = field(factory=dict)
    """Its arguments by name, as people write them."""
    secrets: bool = False
    """Whether it is told whatever it depends on; for the host alone."""


@frozen(kw_only=True)
class WhyNotParameters(PositionParameters):
    """An action that may be impossible."""

    action: str | int | Action
    """The action, its text or its code."""
    language: str = "en"
    """The language of the sentences."""


@frozen(kw_only=True)
class AnswerParameters(PositionParameters):
    """An answer."""

    action: str | int | Action
    """The action, its text or its code."""
    after: int | None = None
    """After how many answers it is meant; where the game has gone on since, it is refused."""
    language: str | None = None
    """The language of the words that are returned; without one there are none."""


@frozen(kw_only=True)
class LogParameters(PositionParameters):
    """What of the log."""

    since: int | None = None
    """Only what came after so many answers; from the set-up on if not given."""
    noise: bool = False
    """Whether bookkeeping is told too."""
    secrets: bool = False
    """Whether all secrets are told; for the host alone."""
    language: str | None = None
    """The language of the words; without one there are none."""


@frozen(kw_only=True)
class LearnedParameters(PositionParameters):
    """Since when."""

    since: int | None = None
    """After how many answers; from before the set-up if not given."""


@frozen(kw_only=True)
class UndoParameters(PositionParameters):
    """Who takes back."""

    agreed: tuple[str, ...] = ()
    """The seats that agreed, as the host knows; what they said themselves by `game.agree` counts too."""
    ask: bool = False
    """Whether those who follow the game are told where somebody must still agree."""
    language: str | None = None
    """The language of the words that are returned; without one there are none."""


@frozen(kw_only=True)
class AgreeParameters:
    """Who agrees with whom."""

    game: str
    """The id of an open game."""
    undo_of: str
    """The seat that takes back."""
    seat: str | None = None
    """Who agrees: the seat that the connection speaks for if not given."""


@frozen(kw_only=True)
class GotoParameters(PositionParameters):
    """Where to go."""

    answers: int
    """After how many answers: back, or on through those that were taken back."""
    language: str | None = None
    """The language of the words that are returned; without one there are none."""


@frozen(kw_only=True)
class WhatIfParameters(PositionParameters):
    """An answer to be tried out."""

    action: str | int | Action
    """The action, its text or its code."""
    seed: int = 0
    """By which what the seat does not know is dealt anew."""


@frozen(kw_only=True)
class ScoresParameters(PositionParameters):
    """Which scores."""

    secrets: bool = False
    """Whether all is told; for the host alone."""


@frozen(kw_only=True)
class SaveParameters(PositionParameters):
    """What goes into a save beside the game."""

    notes: dict[str, str] | None = None
    """What a front end wants to find again, by name; the notes it was opened with if not given."""


@frozen(kw_only=True)
class RecordParameters(PositionParameters):
    """What goes into a record beside the line of play."""

    names: dict[str, str] = field(factory=dict)
    """What players are called, by seat."""
    date: str | None = None
    """When it was played, as in `2031-05-17`."""
    comments: dict[str, str] = field(factory=dict)
    """Comments, each under the number of answers after which it stands."""


@frozen(kw_only=True)
class SceneParameters(PositionParameters):
    """How a picture is drawn."""

    language: str = "en"
    """The language of what is written."""
    theme: Literal["light", "dark"] = "light"
    """For a light or a dark page."""


@frozen(kw_only=True)
class PictureParameters(PositionParameters):
    """How a picture is drawn, as SVG."""

    language: str = "en"
    """The language of what is written."""
    theme: Literal["light", "dark"] = "light"
    """For a light or a dark page."""
    prefix: str = ""
    """What comes before every id, where several pictures stand on one page."""


@frozen(kw_only=True)
class PatchParameters(PositionParameters):
    """From where on a picture changed."""

    since: int
    """How many answers had been given when the picture was drawn that is to be changed."""
    language: str = "en"
    """The language of what is written."""
    theme: Literal["light", "dark"] = "light"
    """For a light or a dark page."""


@frozen(kw_only=True)
class HintParameters(PositionParameters):
    """How strong a bot gives the hint, and what that may cost."""

    bot: Literal["beginner", "casual", "strong"] = "strong"
    """How strong it is."""
    ms: int = 1000
    """For how many milliseconds it may think; at most 10,000. Others wait meanwhile."""
    seed: int = 0
    """What all chance of the bot comes from."""
