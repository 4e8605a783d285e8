"""Follows a game as a front end may that is sent one view and after that only events.

An event says what a field holds and not in which order, so lists are compared as so many things. Of pieces in a place
where some are hidden events say how many there are with each back; which of them a view shows, it showed at first, or
an event told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from typing import Any, TypeAlias

from attrs import define, field

from aodrules.rulebook import Rules

Back: TypeAlias = tuple[tuple[str, Any], ...]
"""What a back shows, by name of the attribute."""


def is_hidden(value: object) -> bool:
    """Whether something in a plain state is hidden."""
    return isinstance(value, dict) and isinstance(value.get("hidden"), str)


def _back(shows: Mapping[str, Any]) -> Back:
    return tuple(sorted(shows.items()))


@define(eq=False)
class Pieces:
    """The pieces in a place, as far as one who looks on knows."""

    faces: Counter[str] = field(factory=Counter)
    """Those that were seen there or seen to come, without those that were seen to go."""
    hidden: Counter[Back] = field(factory=Counter)
    """Those that came without being seen, less those that went; of the latter some may be among the faces."""
    ever: Counter[str] = field(factory=Counter)
    """All that were seen there, so that a view may show them."""
    is_blurred: bool = False
    """Whether something came or went, or lay there, that was not seen."""

    @classmethod
    def of(cls, value: Any) -> Pieces:
        """Return what a plain state shows of a place."""
        found = cls()
        for one, count in _things_in(value):
            if isinstance(one, str):
                found.faces[one] += count
            else:
                found.hidden[one] += count
                found.is_blurred = True
        found.ever = found.faces.copy()
        return found

    def move(self, what: Mapping[str, Any], count: int, *, by_member: bool) -> None:
        """Let pieces come, or go if there are less than none."""
        if is_hidden(what):
            self.hidden[_back(what["shows"])] += count
            self.is_blurred = True
        else:
            owned = what["owner"] is not None and not by_member
            face = f"{what['owner']} {what['member']}" if owned else what["member"]
            self.faces[face] += count
            self.ever[face] += max(count, 0)

    def backs(self, kind: str | None, attributes: Iterable[str], rules: Rules) -> Counter[Back]:
        """Return how many there are of each back."""
        found = self.hidden.copy()
        for face, count in self.faces.items():
            known = rules.components[kind][face.split()[-1]].attributes if kind in rules.components else {}
            found[tuple((name, known[name]) for name in sorted(attributes))] += count
        return Counter({back: count for back, count in found.items() if count})


def _things_in(value: Any) -> Iterator[tuple[str | Back, int]]:
    """Iterate over what lies in a place: faces and backs, each with how many there are."""
    if is_hidden(value) and "backs" in value:
        yield from ((_back(one["shows"]), one["count"]) for one in value["backs"])
    elif is_hidden(value):
        yield _back(value["shows"]), value["count"]
    elif isinstance(value, dict):
        yield from value.items()
    elif isinstance(value, list):
        for one in value:
            yield from _things_in(one)
    elif value is not None:
        yield value, 1


@define(eq=False)
class Follower:
    """One who was sent a view, and then events."""

    rules: Rules
    first: dict[str, Any]
    """The state that the view showed."""
    values: dict[tuple[str, ...], Any] = field(factory=dict, init=False)
    """What holds no pieces and changed since, by where it stands."""
    pieces: dict[tuple[str, ...], Pieces] = field(factory=dict, init=False)
    """The places to or from which something moved since."""

    def follow(self, event: Mapping[str, Any]) -> None:
        """Change what an event changes."""
        kind = event["kind"]
        if kind == "set":
            self.values[self._way(event["place"]["path"])] = event["new"]
        elif kind in {"shuffle", "sort"}:
            self._pieces(event["place"]["path"])
        elif kind == "reveal" and isinstance(event["what"], dict) and "member" in event["what"]:
            there = self._pieces(event["place"]["path"])
            there.is_blurred = True
            there.ever.update((event["what"]["member"],))
        elif kind == "move":
            for end, count in ((event["source"], -event["count"]), (event["target"], event["count"])):
                there = self._pieces(end["path"])
                there.move(event["what"], count, by_member=isinstance(_at(self.first, self._way(end["path"])), dict))

    def _pieces(self, path: str) -> Pieces:
        way = self._way(path)
        if way not in self.pieces:
            self.pieces[way] = Pieces.of(_at(self.first, way))
        return self.pieces[way]

    def _way(self, path: str) -> tuple[str, ...]:
        """Return the keys that lead to a path; how often something was used stands under `used` by its whole name."""
        for name in self.first.get("used", ()):
            if f"{path}.".startswith(f"{name}."):
                return ("used", name, *path[len(name) + 1 :].split(".")) if path != name else ("used", name)
        return tuple(path.split("."))

    def differences(self, state: dict[str, Any]) -> list[tuple[tuple[str, ...], Any, Any]]:
        """Return where a state is otherwise than it should be after the events, with what should be there and is."""
        found = []
        before, now = deepcopy(self.first), deepcopy(state)
        for way, value in self.values.items():
            if _taken(now, way) != value:
                found.append((way, value, _at(state, way)))
            _taken(before, way)
        for way, pieces in self.pieces.items():
            if not self._agree(pieces, _taken(now, way)):
                found.append((way, pieces, _at(state, way)))
            _taken(before, way)
        if before != now:
            found.append(((), before, now))
        return found

    def _agree(self, pieces: Pieces, value: Any) -> bool:
        shown = Pieces.of(value)
        if not shown.is_blurred and not pieces.is_blurred:
            return Counter(+shown.faces) == Counter(+pieces.faces) and not -pieces.faces
        attributes = {name for back in (*shown.hidden, *pieces.hidden) for name, _ in back}
        kind = next((kind for kind in self.rules.components if self._is_of(kind, pieces, shown)), None)
        ways = [one.backs(kind, attributes, self.rules) for one in (pieces, shown)]
        return ways[0] == ways[1] and shown.faces <= pieces.ever

    def _is_of(self, kind: str, *pieces: Pieces) -> bool:
        return all(face.split()[-1] in self.rules.components[kind] for one in pieces for face in one.faces)


def _at(state: Any, way: tuple[str, ...]) -> Any:
    for word in way:
        state = state[word]
    return state


def _taken(state: Any, way: tuple[str, ...]) -> Any:
    """Return what stands somewhere, and put nothing into its place."""
    inside = _at(state, way[:-1])
    found, inside[way[-1]] = inside[way[-1]], None
    return found
