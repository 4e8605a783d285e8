"""Games as text: saves (JSON with everything needed to go on) and records (one line for each action)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from attrs import define, field, frozen

from aodrules.errors import NotationError
from aodrules.play.book import Book
from aodrules.play.saved import Save
from aodrules.play.settings import Settings, format_settings, parse_settings
from aodrules.source.shipped import is_shipped

FORMAT = "aodrules save 1"
RECORD = "aodrules record 1"
LARGEST = 32 * 1024 * 1024
_MOVE = re.compile(r"(?P<player>\w+): (?P<text>\S.*)")


@frozen
class Move:
    """One action taken: who, and its text."""

    player: str
    text: str


@frozen
class Notes:
    """What a save and a record have in common."""

    players: tuple[str, ...]
    seed: int
    settings: Settings
    moves: list[Move]


@define
class Record:
    """A line of play, as it stands in its text."""

    rules: str
    fingerprint: str
    players: list[str]
    seed: int
    settings: dict[str, str] = field(factory=dict)
    moves: list[Move] = field(factory=list)


def format_save(book: Book, notes: Notes, state: dict[str, Any], own: Mapping[str, str] | None = None) -> str:
    """Return a game as JSON, with a front end's own notes."""
    ruleset = book.ruleset
    save = {
        "format": FORMAT,
        "game": book.asked.base,
        "edition": ruleset.edition,
        "variants": list(ruleset.variants),
        "fingerprint": book.checked.fingerprint,
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
    if len(text) > LARGEST:
        raise NotationError(f"a save has at most {LARGEST:,} characters, this text has {len(text):,}")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as cause:
        raise NotationError(f"this is no saved game: {cause}") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise NotationError(f"this is no saved game: it does not begin with the format `{FORMAT}`")
    return _structured(found)


def _structured(found: dict[str, Any]) -> Save:
    import cattrs

    converter = cattrs.Converter(forbid_extra_keys=True)
    for plain in (str, int):
        converter.register_structure_hook(plain, _exactly)
    try:
        return converter.structure(found, Save)
    except cattrs.BaseValidationError as cause:
        raise NotationError("; ".join(cattrs.transform_error(cause, "save"))) from None


def _exactly(value: Any, type_: type) -> Any:
    if not isinstance(value, type_) or isinstance(value, bool):
        words = {str: "a text", int: "a number"}
        raise TypeError(f"expected {words[type_]}")
    return value


def format_record(book: Book, notes: Notes) -> str:
    """Return a line of play as text."""
    head = [
        f"# {RECORD}",
        f"rules: {book.asked}",
        f"fingerprint: {book.checked.fingerprint}",
        f"players: {' '.join(notes.players)}",
        f"seed: {notes.seed}",
        *([f"settings: {format_settings(notes.settings)}"] if notes.settings else []),
        "",
    ]
    return "\n".join([*head, *(f"{move.player}: {move.text}" for move in notes.moves)]) + "\n"


def parse_record(text: str) -> Record:
    """Return the line of play that a text holds.

    Raises:
        NotationError: A line is not what it should be.
    """
    lines = text.split("\n")
    if lines[0].strip() != f"# {RECORD}":
        raise NotationError(f"line 1: a record begins with `# {RECORD}`")
    end = 6 if len(lines) > 5 and lines[5].startswith("settings: ") else 5
    words = dict(_head_line(number, lines) for number in range(1, end))
    missing = [name for name in ("rules", "fingerprint", "players", "seed") if name not in words]
    if missing:
        raise NotationError(f"the head of the record does not say `{missing[0]}`")
    if not re.fullmatch(r"-?\d{1,30}", words["seed"]):
        raise NotationError(f"the seed is a number, not `{words['seed']}`")
    record = Record(words["rules"], words["fingerprint"], words["players"].split(), int(words["seed"]))
    record.settings = _settings(words.get("settings", ""))
    for number, line in enumerate(lines[end:], end + 1):
        if line.strip() and not line.startswith("#"):
            record.moves.append(_move(number, line))
    return record


def _head_line(number: int, lines: list[str]) -> tuple[str, str]:
    name, sign, value = (lines[number] if number < len(lines) else "").partition(": ")
    if not sign:
        raise NotationError(f"line {number + 1}: expected `name: value` in the head of the record")
    return name.strip(), value.strip()


def _settings(text: str) -> dict[str, str]:
    try:
        return parse_settings(text)
    except ValueError as cause:
        raise NotationError(f"the settings of the record: {cause}") from None


def _move(number: int, line: str) -> Move:
    found = _MOVE.fullmatch(line.strip())
    if found is None:
        raise NotationError(f"line {number}: expected `player: action`, found `{line.strip()}`")
    return Move(found["player"], found["text"])
