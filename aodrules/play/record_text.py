"""Records: a line of play as text, with a head, a line for each decision, comments and an end mark.

::

    # aodrules record 3
    rules: RULES
    fingerprint: 9a0c...
    players: SEAT SEAT
    seed: 3
    name SEAT: Anna
    date: 2031-05-17
    result: unfinished

    ; said before anything is done
    SEAT: ACTION ; said behind an answer
    SEAT: ACTION
    ; said behind it in
    ; several lines
    end after 2 actions: unfinished
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from attrs import define, field

from aodrules.errors import NotationError
from aodrules.play.record_notes import ToldNotes, is_date, is_name
from aodrules.play.rules_context import RulesContext
from aodrules.play.saves import LONGEST, Notes, SavedAction, check_size
from aodrules.play.scores import Standing
from aodrules.play.settings import format_settings, parse_settings
from aodrules.source.wording import count, did_you_mean, has_controls, join, quote

RECORD = "aodrules record 3"
OLDER = "aodrules record 2"
"""The form of before, which is still read: all that it can say the form of now says alike."""
UNFINISHED = "unfinished"
_END = "end after"
_MOVE = re.compile(r"(?P<player>\w+): (?P<text>\S.*)")
_NAME = "name "
_NEEDED = ("rules", "fingerprint", "players", "seed")
_HEAD = (*_NEEDED, "settings", "date", "result")
_NO_NOTES = ToldNotes()


@define
class Record:
    """A line of play, as it stands in its text."""

    rules: str
    fingerprint: str
    players: list[str]
    seed: int
    settings: dict[str, str] = field(factory=dict)
    moves: list[SavedAction] = field(factory=list)
    names: dict[str, str] = field(factory=dict)
    """What the players are called, by seat."""
    date: str | None = None
    result: str | None = None
    comments: dict[int, str] = field(factory=dict)
    """Under the number of the answer after which each stands."""


def format_result(ranking: Sequence[Standing], points: dict[str, int]) -> str:
    """Return how a finished game ended, on one line: who won, and what everybody has."""
    winners = [one.player for one in ranking if one.won]
    who = f"{join(winners)} win{'s' if len(winners) == 1 else ''}" if winners else "nobody wins"
    told = ", ".join(f"{seat} {number}" for seat, number in points.items())
    return f"{who} ({told})"


# Writing.


def format_record(context: RulesContext, notes: Notes, told: ToldNotes = _NO_NOTES, result: str | None = None) -> str:
    """Return a line of play as text."""
    head = [
        f"# {RECORD}",
        f"rules: {context.request}",
        f"fingerprint: {context.checked.fingerprint}",
        f"players: {' '.join(notes.players)}",
        f"seed: {notes.seed}",
        *([f"settings: {format_settings(notes.settings)}"] if notes.settings else []),
        *(f"{_NAME}{seat}: {name}" for seat, name in told.names.items()),
        *([f"date: {told.date}"] if told.date else []),
        *([f"result: {result}"] if result else []),
        "",
    ]
    return "\n".join([*head, *_lines(notes.moves, told), _end_after(notes.moves, result)]) + "\n"


def _lines(moves: Sequence[SavedAction], told: ToldNotes) -> Iterator[str]:
    yield from _comment_lines(told.comments.get(0))
    for number, move in enumerate(moves, 1):
        line, said = f"{move.player}: {move.text}", told.comments.get(number)
        if said is None or "\n" in said:
            yield line
            yield from _comment_lines(said)
        else:
            yield f"{line} ; {said}"


def _comment_lines(said: str | None) -> Iterator[str]:
    if said is not None:
        yield from (f"; {line}".rstrip() for line in said.split("\n"))


def _end_after(moves: Sequence[SavedAction], result: str | None) -> str:
    end = f"{_END} {count(len(moves), 'action')}"
    return end if result is None else f"{end}: {result}"


# Reading.


def parse_record(text: str) -> Record:
    """Return the line of play that a text holds.

    Raises:
        NotationError: A line is not what it should be, or the end is missing.
    """
    check_size("a record", text)
    lines = text.replace("\r\n", "\n").split("\n")
    for number, line in enumerate(lines, 1):
        if has_controls(line):
            raise NotationError(f"line {number}: a record has no control characters, and this line is {quote(line)}")
    first = lines[0].strip()
    if first not in (f"# {RECORD}", f"# {OLDER}"):
        raise NotationError(f"line 1: a record begins with `# {RECORD}`, or `# {OLDER}` as it did before")
    blank = next((number for number, line in enumerate(lines) if not line.strip()), len(lines))
    record = _head(lines[1:blank])
    _read_moves(record, lines, blank)
    return record


def _head(lines: Sequence[str]) -> Record:
    words: dict[str, str] = {}
    for number, line in enumerate(lines, 2):
        name, value = _head_line(number, line)
        if name in words:
            raise NotationError(f"line {number}: {quote(name)} stands twice in the head of the record")
        words[name] = value
    missing = [name for name in _NEEDED if name not in words]
    if missing:
        raise NotationError(f"the head of the record does not say `{missing[0]}`")
    if not re.fullmatch(r"-?[0-9]{1,30}", words["seed"]):
        raise NotationError(f"the seed is a number, not {quote(words['seed'])}")
    record = Record(words["rules"], words["fingerprint"], words["players"].split(), int(words["seed"]))
    record.settings = _settings(words.get("settings", ""))
    record.date, record.result = words.get("date"), words.get("result")
    record.names = {name.removeprefix(_NAME): value for name, value in words.items() if name.startswith(_NAME)}
    _check_notes(record)
    return record


def _head_line(number: int, line: str) -> tuple[str, str]:
    name, sign, value = line.partition(": ")
    if not sign or len(value) > LONGEST:
        raise NotationError(f"line {number}: expected `name: value` in the head of the record")
    name = name.strip()
    if name not in _HEAD and not name.startswith(_NAME):
        near = did_you_mean(name, _HEAD)
        raise NotationError(f"line {number}: the head of a record has no {quote(name)}" + (f"; {near}" if near else ""))
    return name, value.strip()


def _check_notes(record: Record) -> None:
    for seat, name in record.names.items():
        if seat not in record.players:
            raise NotationError(f"the head of the record names {quote(seat)}, who is not among its players")
        if not is_name(name):
            raise NotationError(f"{quote(name)} in the head of the record is no name")
    if record.date is not None and not is_date(record.date):
        raise NotationError(f"the date is written as in `2031-05-17`, not as {quote(record.date)}")


def _settings(text: str) -> dict[str, str]:
    try:
        return parse_settings(text)
    except ValueError as cause:
        raise NotationError(f"the settings of the record: {cause}") from None


def _read_moves(record: Record, lines: Sequence[str], first: int) -> None:
    """Read the actions of a record up to its end, which says how many they are: so a part is not taken for all."""
    is_over = False
    for number, line in _without_comments(lines, first, _comment_keeper(record)):
        if is_over:
            raise NotationError(f"line {number}: the record goes on after its end")
        if not line.startswith(_END):
            record.moves.append(_move(number, line))
        elif line == _end_after(record.moves, record.result):
            is_over = True
        else:
            expected = _end_after(record.moves, record.result)
            raise NotationError(f"line {number}: expected `{expected}`, found {quote(line)}")
    if not is_over:
        raise NotationError(f"the record breaks off: expected `{_end_after(record.moves, record.result)}` at its end")


def _comment_keeper(record: Record) -> Callable[[str], None]:
    """Return what puts a line of a comment behind the action that was read last."""

    def keep(said: str) -> None:
        place = len(record.moves)
        before = record.comments.get(place)
        record.comments[place] = said if before is None else f"{before}\n{said}"

    return keep


def _without_comments(lines: Sequence[str], first: int, keep: Callable[[str], None]) -> Iterator[tuple[int, str]]:
    """Iterate over the lines that say something to the game, with their numbers; hand over what is commented.

    A comment stands behind `;` up to the end of its line, or between `{` and `}` over any number of lines.
    """
    opened = 0
    for number, raw in enumerate(lines[first:], first + 1):
        line = raw.strip()
        sign, rest = "{", line
        if not opened:
            said, sign, rest = _split(line)
            if said and not said.startswith("#"):
                yield number, said
        if sign == "{":
            opened = _keep_inside(opened or number, number, rest, keep)
        elif sign:
            keep(rest)
    if opened:
        raise NotationError(f"line {opened}: the comment that begins here has no `}}`")


def _keep_inside(opened: int, number: int, line: str, keep: Callable[[str], None]) -> int:
    """Hand over what a line says inside brackets; return the line where they began, or 0 if they are closed."""
    inside, closing, after = line.partition("}")
    if after.strip():
        raise NotationError(f"line {number}: expected the end of the line after `}}`, found {quote(after)}")
    if inside.strip():
        keep(inside.strip())
    return 0 if closing else opened


def _split(line: str) -> tuple[str, str, str]:
    """Return what stands before a comment, the sign that begins it, and what follows the sign."""
    found = re.search(r"[;{]", line)
    if found is None or line.startswith("#"):
        return line, "", ""
    return line[: found.start()].strip(), found[0], line[found.end() :].strip()


def _move(number: int, line: str) -> SavedAction:
    found = _MOVE.fullmatch(line)
    if found is None or len(line) > LONGEST:
        raise NotationError(f"line {number}: expected `player: action`, found {quote(line)}")
    return SavedAction(found["player"], found["text"])
