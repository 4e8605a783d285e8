"""Games as text: saves (JSON with everything needed to go on) and records (one line for each action)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from attrs import define, field, frozen

from aodrules.errors import NotationError
from aodrules.play.rules_context import RulesContext
from aodrules.play.settings import Settings
from aodrules.source.shipped import is_shipped
from aodrules.source.wording import has_controls, printable, quote


@define
class Save:
    """A saved game, as it stands in its text."""

    format: str
    game: str
    """What was loaded: a name or a path."""
    edition: str | None
    variants: list[str]
    """The names of all variants in use."""
    documents: dict[str, str]
    """The texts of the documents that do not ship with the package, by path."""
    fingerprint: str
    players: list[str]
    seed: int
    actions: list[str]
    state: dict[str, Any]
    settings: dict[str, Any] = field(factory=dict)
    notes: dict[str, str] = field(factory=dict)
    """What a front end wants to find again; nothing of it has to do with the game."""


FORMAT = "aodrules save 1"
LARGEST = 8 * 1024 * 1024
"""How many characters a save or a record may have."""
MOST_VARIANTS, MOST_DOCUMENTS = 100, 500
"""How many a save may have."""
LONGEST = 4096
"""How many characters a name, path or action may have: as many as the longest path."""


@frozen
class SavedAction:
    """One action taken: who, and its text."""

    player: str
    text: str


@frozen
class Notes:
    """What a save and a record have in common."""

    players: tuple[str, ...]
    seed: int
    settings: Settings
    moves: list[SavedAction]


def format_save(
    context: RulesContext, notes: Notes, state: dict[str, Any], own: Mapping[str, str] | None = None
) -> str:
    """Return a game as JSON, with a front end's own notes."""
    ruleset = context.ruleset
    save = {
        "format": FORMAT,
        "game": context.request.base,
        "edition": ruleset.edition,
        "variants": list(ruleset.variants),
        "fingerprint": context.checked.fingerprint,
        "settings": dict(notes.settings),
        "seed": notes.seed,
        "players": list(notes.players),
        "actions": [move.text for move in notes.moves],
        "state": state,
        "documents": {
            document.source.path: document.source.text
            for document in ruleset.documents
            if not is_shipped(document.source.path)
        },
        **({"notes": dict(own)} if own else {}),
    }
    return json.dumps(save, indent=1, ensure_ascii=False) + "\n"


def parse_save(text: str) -> Save:
    """Return the saved game that a text holds.

    Raises:
        NotationError: It is no save, or something in it is not what it should be.
    """
    check_size("a save", text)
    try:
        found = json.loads(text, object_pairs_hook=_refuse_doubles, parse_constant=_refuse_constant)
    except NotationError:
        raise
    except (ValueError, RecursionError) as cause:
        raise NotationError(f"this is no saved game: {printable(str(cause))}") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise NotationError(f"this is no saved game: it does not begin with the format `{FORMAT}`")
    return _make_save(found)


def check_size(what: str, text: str) -> None:
    """Refuse a text that is too long to be looked at."""
    if len(text) > LARGEST:
        raise NotationError(f"{what} has at most {LARGEST:,} characters, this text has {len(text):,}")


def _refuse_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise NotationError(f"{quote(name)} stands twice in one place of the save")
        found[name] = value
    return found


def _refuse_constant(word: str) -> NoReturn:
    raise NotationError(f"`{word}` in the save is no number")


# What each part of a save may be, and in words. A save may come from anybody: whatever is not a few plain texts and
# numbers is refused before anything is done with it.


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST and not has_controls(value)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _are_names(value: Any) -> bool:
    return _are_texts(value) and len(set(value)) == len(value) <= MOST_VARIANTS


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _are_settings(value: Any) -> bool:
    if not isinstance(value, dict) or not all(map(_is_text, value)):
        return False
    return all(each is None or isinstance(each, int) or _is_text(each) for each in value.values())


def _are_named_texts(value: Any) -> bool:
    return isinstance(value, dict) and all(_is_text(name) and isinstance(text, str) for name, text in value.items())


_PARTS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "format": (_is_text, "a text"),
    "game": (_is_text, f"a name or path of at most {LONGEST:,} characters"),
    "edition": (lambda value: value is None or _is_text(value), "a name, or `null`"),
    "variants": (_are_names, f"a list of at most {MOST_VARIANTS} different names"),
    "documents": (
        lambda value: _are_named_texts(value) and len(value) <= MOST_DOCUMENTS,
        f"at most {MOST_DOCUMENTS} texts, each under its path",
    ),
    "fingerprint": (_is_text, "a text"),
    "players": (_are_texts, "a list of seats"),
    "seed": (_is_number, "a whole number"),
    "actions": (_are_texts, f"a list of texts of at most {LONGEST:,} characters"),
    "state": (lambda value: isinstance(value, dict), "a mapping"),
    "settings": (_are_settings, "texts and numbers, each under its name"),
    "notes": (_are_named_texts, "texts, each under its name"),
}


def _make_save(found: dict[str, Any]) -> Save:
    given = {"settings": {}, "notes": {}, **found}
    for name in found:
        if name not in _PARTS:
            raise NotationError(f"a save has no part {quote(name)}")
    for name, (is_right, words) in _PARTS.items():
        if name not in given:
            raise NotationError(f"the save has no `{name}`")
        if not is_right(given[name]):
            raise NotationError(f"`{name}` in the save should be {words}")
    return Save(**given)
