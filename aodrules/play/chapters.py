"""The chapters of a rulebook, in the order in which one is read: no author has to number them.

What is in the box comes first, then the set-up, the course of play as it comes along, who wins, what belongs nowhere on
that way, and at the end what is only played besides. A chapter is a document of clauses.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from pathlib import PurePosixPath
from statistics import median_high

from attrs import define, field, frozen

from aodrules.check.analyse.clauses import applies
from aodrules.compose.citing import citations
from aodrules.play.labels import plain_words
from aodrules.play.rules_context import RulesContext
from aodrules.syntax.tree import Mapping, Node, Scalar, Sequence, at

_BOX, _SET_UP, _PLAY, _END, _REST, _BESIDES = range(6)
"""The parts of a rulebook."""


@frozen
class Chapter:
    """A chapter with its clauses, as they stand in its document."""

    id: str
    clauses: tuple[str, ...]


def chapters_of(book: RulesContext) -> tuple[Chapter, ...]:
    """Return the chapters of some rules, with the clauses that speak of these rules."""
    found: dict[str, list[str]] = {}
    for id_, body in book.clauses.items():
        if applies(body, book.ruleset):
            found.setdefault(PurePosixPath(body.span.path).stem, []).append(id_)
    course = _course(book.ruleset.root)
    clauses = book.clauses
    optional = {id_ for id_, ids in found.items() if all("with" in clauses[each] for each in ids)}
    places = {id_: (_BESIDES, 0) if id_ in optional else course.place(ids) for id_, ids in found.items()}
    series: dict[str, tuple[int, int]] = {}
    for id_, place in places.items():
        name, _ = _numbered(id_)
        series[name] = min(place, series.get(name, place))
    ordered = sorted(found, key=lambda id_: (series[_numbered(id_)[0]], *_numbered(id_)))
    return tuple(Chapter(id_, tuple(found[id_])) for id_ in ordered)


def _numbered(chapter: str) -> tuple[str, int]:
    """Return the name of a chapter and the number behind it: chapters that differ only in that stand together."""
    name, _, number = chapter.rpartition("-")
    return (name, int(number)) if number.isdecimal() else (chapter, 0)


def chapter_title(book: RulesContext, id_: str, language: str) -> str:
    """Return what a chapter is called: by its own words, or like the component that it is about."""
    own = book.words.find(f"chapter.{id_}", language)
    about = id_.replace("-", "_")
    kinds = (kind.name for kind in book.checked.kinds.values() if about in kind.members)
    named = (book.labels(language).member(kind, about) for kind in kinds)
    return own or next(named, plain_words(id_))


@frozen(eq=False)
class _Course:
    """Where each clause comes along first, and where each part of the rulebook begins there."""

    order: dict[str, int]
    beginnings: tuple[int, ...]
    """Where the set-up, play, the end and all else begin; before them comes nothing."""
    members: frozenset[str]
    """The clauses that come along only with kinds and their members."""
    frame: str | None
    """The clause that play as a whole names first."""

    def place(self, clauses: list[str]) -> tuple[int, int]:
        """Return the part that a chapter with these clauses stands in, and its place there."""
        parts = {each: self._part(each) for each in clauses}
        counts = Counter(parts.values())
        # Formulas and fields serve all parts alike, so that they say little: anything else counts more.
        told = [part for part in (_PLAY, _SET_UP, _BOX, _END) if counts[part]]
        part = max(told, key=lambda each: counts[each]) if told else _REST
        if part == _BOX and counts[_PLAY] > counts[_BOX] // 2:
            part = _PLAY  # what cards do is told where they are played, however many cards cite it
        if part == _END and counts[_REST] > counts[_END]:
            part = _REST
        places = [self.order.get(each, len(self.order)) for each in clauses if parts[each] == part]
        if part == _BOX or not places:
            return part, min(places, default=0)
        # The chapter on play itself comes first; others where most of what they say comes along.
        return part, -1 if self.frame in clauses else median_high(places)

    def _part(self, clause: str) -> int:
        if clause in self.members:
            return _BOX
        place = self.order.get(clause)
        return _REST if place is None else (_SET_UP, _PLAY, _END, _REST)[bisect_right(self.beginnings, place) - 1]


def _course(root: Mapping) -> _Course:
    """Go through a ruleset as play does."""
    walk, beginnings = _Walk(root), list[int]()
    begin, play = (_word(root, "game", name) for name in ("begin", "play"))
    for address in (("verb", begin), ("verb", play), ("game",)):
        beginnings.append(len(walk.found))
        walk.visit(*address)
    beginnings.append(len(walk.found))
    before = len(walk.found)
    for kind in root.mapping("kinds"):
        walk.visit("kinds", kind.name)
        walk.visit(kind.name)
    members = list(walk.found)[before:]
    for entry in root:
        walk.look(entry.value)
    frame = citations(at(root, "verb", play))
    order = {clause: number for number, clause in enumerate(walk.found)}
    return _Course(order, tuple(beginnings), frozenset(members), frame[0] if frame else None)


def clauses_in_order(root: Mapping) -> list[str]:
    """Return the clauses that nodes cite: along the set-up and the course of play, of the game, then all others."""
    return list(_course(root).order)


def _word(root: Mapping, *address: str) -> str:
    node = at(root, *address)
    return node.text if isinstance(node, Scalar) else ""


@define(eq=False)
class _Walk:
    """A walk through a ruleset: each declaration is visited once."""

    root: Mapping
    found: dict[str, None] = field(factory=dict)
    _visited: set[tuple[str, ...]] = field(factory=set)

    def visit(self, *address: str) -> None:
        """Go to a declaration, if there is one that was not visited."""
        node = at(self.root, *address)
        if node is not None and address not in self._visited:
            self._visited.add(address)
            self.look(node)

    def look(self, node: Node) -> None:
        """Note the clauses of a node, of what stands inside it and of what it calls, in order."""
        if isinstance(node, Scalar):
            self.visit("verb", node.text)
        elif isinstance(node, Sequence):
            for item in node:
                self.look(item)
        elif isinstance(node, Mapping):
            self.found.update(dict.fromkeys(citations(node)))
            for entry in node:
                if entry.name != "clauses":
                    self._enter(entry.name, entry.value)

    def _enter(self, key: str, value: Node) -> None:
        self.visit("verb", key)
        if key in ("choose", "run") and isinstance(value, Scalar):
            self.visit("decision", value.text)
            kind, _, hook = value.text.rpartition(".")
            members = at(self.root, kind)
            for entry in members if isinstance(members, Mapping) else ():
                self.visit(kind, entry.name)
                self.visit(kind, entry.name, hook)
        self.look(value)
