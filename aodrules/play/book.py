"""A ruleset ready to be played: what games of any number of players share."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from attrs import define, field

from aodrules.check.checked import SEAT, CheckedRules
from aodrules.compose.addresses import Missing, Place, resolve
from aodrules.compose.ruleset import Ruleset
from aodrules.engine.interpreter import Interpreter
from aodrules.engine.machine import Machine
from aodrules.engine.preparation import tables_for
from aodrules.engine.state import Facts
from aodrules.engine.tables import Tables
from aodrules.play.actions import ActionBook
from aodrules.play.asked import Asked
from aodrules.play.cache import Store
from aodrules.play.machines import Program, kept_program, new_compiled
from aodrules.play.names import Names
from aodrules.play.settings import Settings, setting_cells
from aodrules.play.words import Words
from aodrules.source.spans import Span
from aodrules.syntax.tree import Mapping, Scalar, Sequence

ENGINES = ("compiled", "interpreter")


@define(eq=False, slots=False)
class Book:
    """Checked rules, the ruleset they come from, and the tables made of them so far."""

    asked: Asked
    checked: CheckedRules
    _composed: Callable[[], Ruleset]
    """The ruleset; asked for only when something about its text is wanted."""
    _store: Store | None = None
    """Where generated code is kept."""
    _programs: dict[tuple[int, bool], Program] = field(factory=dict, init=False)
    _tables: dict[tuple[Any, ...], Tables] = field(factory=dict, init=False)
    _actions: dict[tuple[str, ...], ActionBook] = field(factory=dict, init=False)

    @cached_property
    def ruleset(self) -> Ruleset:
        """The composed ruleset."""
        return self._composed()

    @cached_property
    def words(self) -> Words:
        """The texts of the game."""
        return Words(self.checked.texts)

    def tables(self, players: int, facts: Facts | None = None) -> Tables:
        """Return the tables of a game of so many players, begun with these facts."""
        key = (players, *sorted((facts or {}).items()))
        if key not in self._tables:
            self._tables[key] = tables_for(self.checked, players, facts)
        return self._tables[key]

    def facts(self, seats: tuple[str, ...], settings: Settings = ()) -> Facts:
        """Return what a game is begun with: where in the list of seats its players sit, and its settings."""
        numbers = tuple(self.checked.game.seats.index(seat) for seat in seats)
        seated = {SEAT: numbers} if SEAT in self.checked.fields else {}
        return {**seated, **setting_cells(self.actions(seats).names, settings)} if settings else seated

    def actions(self, seats: tuple[str, ...]) -> ActionBook:
        """Return all actions of a game with these seats."""
        if seats not in self._actions:
            self._actions[seats] = ActionBook(Names(self.tables(len(seats), self.facts(seats)), seats), self.words)
        return self._actions[seats]

    def machine(self, engine: str, players: int, seed: int, facts: Facts | None = None, *, log: bool = True) -> Machine:
        """Return a new game on one of the engines, begun with these facts."""
        if engine == "interpreter":
            return self.interpreter(players, seed, facts)
        return new_compiled(self.program(players, log=log), seed, facts)

    def program(self, players: int, *, log: bool = True) -> Program:
        """Return the generated code for so many players."""
        if (players, log) not in self._programs:
            self._programs[players, log] = kept_program(self._store, self.checked, players, log=log)
        return self._programs[players, log]

    def interpreter(self, players: int, seed: int, facts: Facts | None = None) -> Interpreter:
        """Return a new game on the reference engine, begun with these facts."""
        return Interpreter(self.checked, players, seed, self.tables(players, facts))

    # What the ruleset says beside what is played.

    @cached_property
    def clauses(self) -> dict[str, Mapping]:
        """The clauses the ruleset declares, by id."""
        section = self.ruleset.root.get("clause")
        entries = section if isinstance(section, Mapping) else ()
        return {entry.name: entry.value for entry in entries if isinstance(entry.value, Mapping)}

    def clause_text(self, clause: str, language: str) -> str | None:
        """Return what a clause says."""
        body = self.clauses.get(clause)
        return None if body is None else said(body, language)

    def clauses_at(self, address: str) -> tuple[str, ...]:
        """Return the clauses that a node models: its own, else those of what encloses it."""
        place = resolve(self.ruleset.root, address)
        if isinstance(place, Missing):
            place = place.deepest
        for cut in range(len(place.parts), 0, -1):
            around = resolve(self.ruleset.root, ".".join(place.parts[:cut]))
            found = _clauses(around) if isinstance(around, Place) else ()
            if found:
                return found
        return ()

    def layer_of(self, span: Span) -> tuple[str, str]:
        """Return the name and kind of the document that a place belongs to: game, module, edition or variant."""
        kinds = {
            document.source.path: (document.head.name.text, document.head.kind)
            for document in self.ruleset.documents
            if document.head is not None
        }
        return kinds.get(span.path, (self.ruleset.name, "game"))


def said(body: Mapping, language: str, key: str = "says") -> str | None:
    """Return what a clause or ruling says in a language, or in another."""
    words = body.get(key)
    if isinstance(words, Scalar):
        return words.text
    if not isinstance(words, Mapping):
        return None
    texts = {entry.name: entry.value.text for entry in words if isinstance(entry.value, Scalar)}
    return texts.get(language) or texts.get("en") or next(iter(texts.values()), None)


def _clauses(place: Place) -> tuple[str, ...]:
    node = place.node.get("clauses") if isinstance(place.node, Mapping) else None
    items = node.items if isinstance(node, Sequence) else ()
    return tuple(item.text for item in items if isinstance(item, Scalar))
