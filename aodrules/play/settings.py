"""How a game is begun: seats, seed and settings (facts outside the game), as people and as engines have them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from attrs import field, frozen

from aodrules.arguments import check_text, format_argument
from aodrules.check.checked import Field
from aodrules.errors import ArgumentError
from aodrules.lang.types import Flag, Maybe, Member, Number, Type
from aodrules.play.ids import IdTable, format_scalar
from aodrules.play.labels import Words
from aodrules.source.wording import quote

Settings: TypeAlias = "tuple[tuple[str, Any], ...]"
"""Names and values that were given, sorted by name."""
_NUMBER = re.compile(r"-?[0-9]{1,18}")


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
class Setting:
    """A fact outside the game that is asked for when a game is made.

    Examples:
        >>> import aodrules
        >>> rules = aodrules.load("aoe3-ru", variants=["auction"])
        >>> youngest = rules.settings["youngest"]
        >>> youngest.type, youngest.choices[:2], youngest.text("pl")
        ('player', ('red', 'blue'), 'Najmłodszy gracz')
    """

    id: str
    """What `new_game` calls it."""
    type: str
    """As the rules declare it: `player`, `number 0..20`, `flag`, a kind, or `maybe` one of these."""
    choices: Sequence[Any]
    """What may be given; for a player, all seats of the game."""
    default: Any
    """What it is where nothing is given."""
    _words: Words = field(factory=lambda: Words({}), repr=False, eq=False)

    @property
    def name(self) -> str:
        """What it is called in English, or its id in plain letters."""
        return self.text("en")

    def text(self, language: str = "en") -> str:
        """Return what it is called in a language."""
        return self._words.say(f"game.settings.{self.id}", self._words.check(language))


def setting_of(names: IdTable, declared: Field, words: Words) -> Setting:
    """Return a setting as a front end meets it."""
    id_ = declared.name.removeprefix("table.")
    (start,) = names.tables.starts[declared.name]
    return Setting(id_, str(declared.type), choices(names, declared.type), names.readable(declared.type, start), words)


def choices(names: IdTable, type_: Type) -> Sequence[Any]:
    """Return all that a setting of some type may be."""
    if isinstance(type_, Maybe):
        return (None, *choices(names, type_.of))
    if isinstance(type_, Number):
        assert type_.low is not None  # a setting has a range
        assert type_.high is not None
        return range(type_.low, type_.high + 1)
    if isinstance(type_, Flag):
        return (False, True)
    return names.tables.rules.family(type_.kind).members if isinstance(type_, Member) else names.seats


def normal_settings(name: str, names: IdTable, given: Mapping[str, Any]) -> Settings:
    """Return settings as they are kept, each in the form in which it is read.

    Raises:
        ArgumentError: There is no such setting, or it cannot be that.
    """
    if not isinstance(given, Mapping):
        raise TypeError(f"settings are given by name, as in {{'name': value}}, not as {format_argument(given)}")
    known, found = names.tables.rules.settings, []
    for setting in sorted(check_text("the name of a setting", setting) for setting in given):
        if setting not in known:
            raise ArgumentError(f"`{name}` has no setting {quote(setting)}")
        choice = choice_of(names, known[setting], given[setting])
        if isinstance(choice, Misfit):
            raise ArgumentError(f"`{setting}` is {choice.expected}; not {quote(choice.found)}")
        found.append((setting, choice))
    return tuple(found)


def setting_cells(names: IdTable, settings: Settings) -> dict[str, tuple[Any]]:
    """Return settings as the engines keep them, by field."""
    known = names.tables.rules.settings
    return {known[name].name: (_cell(names, known[name].type, value),) for name, value in settings}


def format_settings(settings: Settings) -> str:
    """Return settings as one line of text."""
    return " ".join(f"{name}={_text(value)}" for name, value in settings)


def parse_settings(text: str) -> dict[str, str]:
    """Return the settings that a line of text gives.

    Raises:
        ArgumentError: Some word of it is none.
    """
    found = {}
    for word in text.split():
        name, sign, value = word.partition("=")
        if not sign:
            raise ArgumentError(f"expected `NAME=VALUE`, found {quote(word)}")
        found[name] = value
    return found


@frozen
class Misfit:
    """Something that a setting cannot be, and what it could be."""

    expected: str
    found: str


def choice_of(names: IdTable, declared: Field, value: Any) -> Any:
    """Return the choice that is meant, by itself or by its text; a misfit if there is no such choice."""
    possible, text = choices(names, declared.type), _text(value)
    if isinstance(possible, range):
        number = int(text) if _NUMBER.fullmatch(text) else None
        return number if number in possible else Misfit(f"a {declared.type}", text)
    found = [one for one in possible if _text(one) == text]
    return found[0] if found else Misfit(f"one of {', '.join(map(_text, possible))}", text)


def _text(value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return format_argument(value)
    return format_scalar(value)


def _cell(names: IdTable, type_: Type, value: Any) -> Any:
    if value is None or isinstance(type_, Number | Flag):
        return value
    return choices(names, type_.of if isinstance(type_, Maybe) else type_).index(value)
