"""What a record says beside the line of play: what the players are called, when it was played, and comments."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from attrs import evolve, field, frozen

from aodrules.arguments import check_text, check_type, format_argument
from aodrules.errors import ArgumentError
from aodrules.source.wording import has_controls, listed

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_LONGEST = 1000
"""How many characters a line of a comment, or a name, may have."""


@frozen
class ToldNotes:
    """The notes of one line of play."""

    names: dict[str, str] = field(factory=dict)
    """What the players are called, by seat."""
    date: str | None = None
    comments: dict[int, str] = field(factory=dict)
    """Under the number of the answer after which each stands."""


@frozen
class RecordNotes:
    """The notes of a game, whose line of play may change."""

    names: tuple[tuple[str, str], ...] = ()
    date: str | None = None
    comments: tuple[tuple[tuple[int, ...], str], ...] = ()
    """Each with all answers up to where it stands: it belongs to these and no others."""

    def told(self, answers: Sequence[int]) -> ToldNotes:
        """Return the notes that belong to a line of play."""
        found = {len(line): text for line, text in self.comments if tuple(answers[: len(line)]) == line}
        return ToldNotes(dict(self.names), self.date, dict(sorted(found.items())))

    def with_comment(self, answers: Sequence[int], text: str) -> RecordNotes:
        """Return notes with another comment after some answers; without one if it says nothing.

        Raises:
            ArgumentError: It has control characters or is too long.
        """
        line, said = tuple(answers), _plain_comment(text)
        others = tuple(one for one in self.comments if one[0] != line)
        return evolve(self, comments=(*others, (line, said)) if said else others)

    def with_head(self, seats: Sequence[str], names: Mapping[str, str] | None, date: str | None) -> RecordNotes:
        """Return notes with other names or another date; what is not given stays.

        Raises:
            ArgumentError: There is no such seat, or something is no name or no date.
        """
        if date is not None and not is_date(check_text("the date", date)):
            raise ArgumentError(f"the date is written as in `2031-05-17`, not as {format_argument(date)}")
        changed = self if date is None else evolve(self, date=date)
        if names is None:
            return changed
        check_type("`names`", names, Mapping)
        for seat, name in names.items():
            if check_text("a seat", seat) not in seats:
                raise ArgumentError(f"{format_argument(seat)} has no seat here; {listed(seats)}")
            if not is_name(check_text("the name of a player", name)):
                raise ArgumentError(f"the name of a player is a line of text, not {format_argument(name)}")
        return evolve(changed, names=tuple((seat, " ".join(names[seat].split())) for seat in seats if seat in names))


NO_NOTES = RecordNotes()


def is_date(text: str) -> bool:
    """Whether a text has the form of a date."""
    return _DATE.fullmatch(text) is not None


def is_name(text: str) -> bool:
    """Whether a text can be the name of a player."""
    return bool(text.strip()) and len(text) <= _LONGEST and "\n" not in text and not has_controls(text)


def _plain_comment(text: str) -> str:
    lines = [line.strip() for line in text.strip().split("\n")]
    for line in lines:
        if len(line) > _LONGEST or has_controls(line):
            raise ArgumentError(
                f"a line of a comment has at most {_LONGEST:,} characters and no control characters, "
                f"not as {format_argument(line)}"
            )
    return "\n".join(lines)
