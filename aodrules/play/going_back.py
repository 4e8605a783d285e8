"""Taking back one's turn: how far it goes, who must agree and why, and what nobody can unlearn.

A turn is a row of answers of one seat. To take back is to go to the start of one's last turn. Nobody has to be asked
if the last answer is one's own, nobody else is asked now and nothing came to light. Else all those must agree who
answered since or are asked now; and everybody, where chance decided or somebody learned something, because going
back does not make that unknown.

All this is told from what the seat itself may know: it must not learn by it what others were shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from attrs import field, frozen

from aodrules.arguments import check_text
from aodrules.facts.action_codes import Choice
from aodrules.facts.state import LogEntry, Question
from aodrules.lang.types import bits
from aodrules.play.event_types import Event
from aodrules.play.ids import IdTable
from aodrules.play.labels import phrase, pickle_without
from aodrules.play.scores import Speak

CHANCE_ENTRIES = frozenset({"roll", "shuffle"})
"""The entries of the log that tell of chance; draws tell it by the generator."""
ANSWERED, ASKED, LEARNED, CHANCE = "answered", "asked", "learned", "chance"


@frozen
class UndoNeeds:
    """What it takes that a seat takes back its last turn.

    Examples:
        >>> import aodrules
        >>> game = aodrules.load("nim").new_game(players=2, seed=3)
        >>> game.push(game.actions[0])
        >>> needs = game.undo_needs("first")
        >>> assert needs
        >>> needs.answers, needs.free, needs.agree
        (1, False, {'second': ('asked',)})
    """

    seat: str
    """Who wants to take back."""
    to: int
    """After how many answers the game would stand."""
    answers: int
    """How many answers would be taken back, the seat's own and those that others gave since."""
    agree: dict[str, tuple[str, ...]] = field(hash=False)
    """The seats that must agree, each with the reasons: `answered`, `asked`, `learned` or `chance`."""
    told: tuple[Event, ...] = ()
    """What came to light meanwhile or was decided by chance, as far as the seat noticed."""
    _speak: Speak | None = field(default=None, eq=False, repr=False)

    @property
    def free(self) -> bool:
        """Whether nobody has to agree."""
        return not self.agree

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why somebody must agree: `answered`, `asked`, `learned` and `chance`, those that hold."""
        given = {reason for reasons in self.agree.values() for reason in reasons}
        return tuple(reason for reason in (ANSWERED, ASKED, LEARNED, CHANCE) if reason in given)

    def text(self, language: str = "en") -> str:
        """Return who must agree and why, in the words of a language."""
        check_text("a language", language)
        if self.free:
            return phrase("undo-free", language)
        told = [phrase("undo-agree", language, players=self._called(self.agree, language))]
        for reason in self.reasons:
            players = [seat for seat, reasons in self.agree.items() if reason in reasons]
            told.append(phrase(f"undo-{reason}", language, players=self._called(players, language)))
        return "; ".join(told)

    def _called(self, seats: Iterable[str], language: str) -> str:
        """Return what seats are called in a language; by their ids where no game is behind it."""
        return ", ".join(seats if self._speak is None else map(self._speak(language).seat, seats))

    def __reduce__(self) -> tuple[Any, ...]:
        return pickle_without(self, "_speak")

    def __str__(self) -> str:
        return self.text()


@frozen(eq=False)
class Past:
    """The answers of a game so far, as they are looked at for going back."""

    names: IdTable
    questions: Sequence[Question]
    """The question before each answer."""
    choices: Sequence[Choice]
    """The option of each answer."""
    entries: Sequence[Sequence[LogEntry]]
    """What happened after each answer."""
    chances: Sequence[bool]
    """For each answer whether chance decided anything after it."""
    asked: int | None
    """The seat that is asked now."""
    left: tuple[int, ...]
    """The seats that left the game."""

    def turn_start(self, seat: int) -> int | None:
        """Return after how many answers a seat's last turn began; nothing if it never answered."""
        mine = [place for place, question in enumerate(self.questions) if question.player == seat]
        if not mine:
            return None
        start = mine[-1]
        while start and self.questions[start - 1].player == seat:
            start -= 1
        return start

    def reasons(self, seat: int, start: int) -> dict[int, list[str]]:
        """Return the seats that must agree to go back, with the reasons."""
        everybody = [one for one in range(len(self.names.seats)) if one != seat and one not in self.left]
        found: dict[int, list[str]] = {}
        for other in dict.fromkeys(question.player for question in self.questions[start:]):
            if other != seat:
                found.setdefault(other, []).append(ANSWERED)
        if self.asked not in (None, seat):
            found.setdefault(self.asked, []).append(ASKED)
        came_to_light = any(map(self.is_told_in_the_open, range(start, len(self.questions))))
        if came_to_light or any(is_learned(self.names, entry, seat) for entry in self._entries(start)):
            for other in everybody:
                found.setdefault(other, []).append(LEARNED)
        if any(self.chances[start:]):
            for other in everybody:
                found.setdefault(other, []).append(CHANCE)
        return dict(sorted(found.items()))

    def telling(self, seat: int, start: int) -> tuple[LogEntry, ...]:
        """Return what came to light since, or was decided by chance, as far as a seat noticed."""
        return tuple(
            entry for entry in self._entries(start) if entry[0] in CHANCE_ENTRIES or is_learned(self.names, entry, seat)
        )

    def is_told_in_the_open(self, place: int) -> bool:
        """Whether an answer told all what only who decided could know to be possible."""
        option = self.choices[place].option
        return option is not None and option.open

    def _entries(self, start: int) -> Iterable[LogEntry]:
        return (entry for entries in self.entries[start:] for entry in entries)


def is_learned(names: IdTable, entry: LogEntry, seat: int) -> bool:
    """Whether a seat noticed that it or somebody else got to see something hidden.

    Who sees a piece that the seat does not see is told by where it goes, not by who looked.
    """
    kind = entry[0]
    if kind == "tell":
        return True
    if kind == "reveal":
        # That something is shown, and to whom, is no secret; of a piece it may be one whether somebody knew it before.
        is_piece = names.tables.rules.fields[entry[1]].holds is not None
        return not is_piece or bool((entry[6] | names.tables.visible_to(entry[1], entry[2])) >> seat & 1)
    if kind != "move" or names.tables.rules.fields[entry[5]].secret is None:
        return False
    before, after = names.tables.visible_to(entry[5], entry[6]), names.tables.visible_to(entry[7], entry[8])
    seen = names.tables.everybody if entry[9] == -1 else after | entry[9] & 1 << seat
    return any(not before >> one & 1 for one in bits(seen & names.tables.everybody))
