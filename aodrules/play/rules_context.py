"""A ruleset ready to be played: what games of any number of players share.

Rules that were loaded before are at hand at once: what a question needs is imported, read or made when it is asked.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from aodrules.cache.rules_request import RulesRequest
from aodrules.cache.store import Store
from aodrules.play.rules_summary import RulesSummary

if TYPE_CHECKING:
    from aodrules.check.checked import CheckedRules
    from aodrules.compose.ruleset import Ruleset
    from aodrules.facts.machine import Machine
    from aodrules.facts.state import Facts
    from aodrules.facts.tables import Tables
    from aodrules.interpreter.interpreter import Interpreter
    from aodrules.play.actions import ActionTable
    from aodrules.play.engines import Program
    from aodrules.play.settings import Settings
    from aodrules.play.words import Words
    from aodrules.source.spans import Span
    from aodrules.syntax.tree import Mapping

ENGINES = ("compiled", "interpreter")


class RulesContext:
    """Checked rules, the ruleset they come from, and the tables made of them so far."""

    def __init__(
        self,
        asked: RulesRequest,
        checked: Callable[[], CheckedRules],
        ruleset: Callable[[], Ruleset],
        store: Store | None = None,
        cover: RulesSummary | None = None,
    ) -> None:
        self.asked = asked
        self._checked = checked
        self._composed = ruleset
        self._store = store
        """Where generated code is kept."""
        self._cover = cover
        self._programs: dict[tuple[int, bool], Program] = {}
        self._tables: dict[tuple[Any, ...], Tables] = {}
        self._actions: dict[tuple[str, ...], ActionTable] = {}
        self._seated: dict[tuple[str, ...], Facts] = {}

    @cached_property
    def cover(self) -> RulesSummary:
        """The facts that are asked for before anything is played."""
        if self._cover is not None:
            return self._cover
        from aodrules.play.loaded import cover_of

        return cover_of(self.ruleset, self.checked)

    @cached_property
    def checked(self) -> CheckedRules:
        """The checked rules."""
        return self._checked()

    @cached_property
    def ruleset(self) -> Ruleset:
        """The composed ruleset; asked for only when something about its text is wanted."""
        return self._composed()

    @cached_property
    def words(self) -> Words:
        """The texts of the game."""
        from aodrules.play.words import Words

        return Words(self.checked.texts)

    def tables(self, players: int, facts: Facts | None = None) -> Tables:
        """Return the tables of a game of so many players, begun with these facts."""
        key = (players, *sorted((facts or {}).items()))
        if key not in self._tables:
            from aodrules.interpreter.setup import tables_for

            self._tables[key] = tables_for(self.checked, players, facts)
        return self._tables[key]

    def facts(self, seats: tuple[str, ...], settings: Settings = ()) -> Facts:
        """Return what a game is begun with: where in the list of seats its players sit, and its settings."""
        if seats not in self._seated:
            from aodrules.check.checked import SEAT

            numbers = tuple(self.checked.game.seats.index(seat) for seat in seats)
            self._seated[seats] = {SEAT: numbers} if SEAT in self.checked.fields else {}
        if not settings:
            return self._seated[seats]
        from aodrules.play.settings import setting_cells

        return {**self._seated[seats], **setting_cells(self.actions(seats).names, settings)}

    def actions(self, seats: tuple[str, ...]) -> ActionTable:
        """Return all actions of a game with these seats."""
        if seats not in self._actions:
            from aodrules.play.actions import ActionTable
            from aodrules.play.ids import IdTable

            self._actions[seats] = ActionTable(IdTable(self.tables(len(seats), self.facts(seats)), seats), self.words)
        return self._actions[seats]

    def machine(self, engine: str, players: int, seed: int, facts: Facts | None = None, *, log: bool = True) -> Machine:
        """Return a new game on one of the engines, begun with these facts."""
        from aodrules.play.engines import new_compiled

        if engine == "interpreter":
            return self.interpreter(players, seed, facts)
        return new_compiled(self.program(players, log=log), seed, facts)

    def program(self, players: int, *, log: bool = True) -> Program:
        """Return the generated code for so many players."""
        if (players, log) not in self._programs:
            from aodrules.play.engines import kept_program

            self._programs[players, log] = kept_program(self._store, self.checked, players, log=log)
        return self._programs[players, log]

    def interpreter(self, players: int, seed: int, facts: Facts | None = None) -> Interpreter:
        """Return a new game on the reference engine, begun with these facts."""
        from aodrules.interpreter.interpreter import Interpreter

        return Interpreter(self.checked, players, seed, self.tables(players, facts))

    # What the ruleset says beside what is played.

    @cached_property
    def clauses(self) -> dict[str, Mapping]:
        """The clauses the ruleset declares, by id."""
        from aodrules.play.clauses import clauses_of

        return clauses_of(self.ruleset)

    def clause_text(self, clause: str, language: str) -> str | None:
        """Return what a clause says."""
        from aodrules.play.clauses import said

        body = self.clauses.get(clause)
        return None if body is None else said(body, language)

    def clauses_at(self, address: str) -> tuple[str, ...]:
        """Return the clauses that a node models: its own, else those of what encloses it."""
        from aodrules.play.clauses import clauses_at

        return clauses_at(self.ruleset, address)

    def layer_of(self, span: Span) -> tuple[str, str]:
        """Return the name and kind of the document that a place belongs to: game, module, edition or variant."""
        from aodrules.play.clauses import layer_of

        return layer_of(self.ruleset, span)
