"""Loaded rules: read from the cache or made when first needed, and the tables that games with them share.

A load from the cache comes through here: whatever a question needs beyond that is imported, read or made when it is
asked.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from aodrules.arguments import RulesRequest
from aodrules.cache.store import Store

if TYPE_CHECKING:
    from aodrules.check.checked import CheckedRules
    from aodrules.check.steps import For
    from aodrules.compiler.runtime.compiled import Program
    from aodrules.compose.ruleset import Ruleset
    from aodrules.facts.state import Facts, Machine
    from aodrules.interpreter.interpreter import Interpreter
    from aodrules.interpreter.tables import Tables
    from aodrules.play.actions import ActionTable
    from aodrules.play.components import Component
    from aodrules.play.ids import IdTable
    from aodrules.play.labels import Labels, Words
    from aodrules.play.pipeline import Loaded
    from aodrules.play.settings import Settings
    from aodrules.play.texts import Text
    from aodrules.source.diagnostics import Diagnostic
    from aodrules.source.spans import Span
    from aodrules.syntax.tree import Mapping

ENGINES = ("compiled", "interpreter")
# What the cache keeps of a ruleset; the generated code beside it.
_RULES, _TEXT = "rules", "text"


class RulesSummary(NamedTuple):
    """The few facts that are asked for before anything is played: plain, so that the cache gives them at once."""

    name: str
    edition: str | None
    variants: tuple[str, ...]
    fingerprint: str
    players: tuple[int, int]
    seats: tuple[str, ...]


def summarize(ruleset: Ruleset, checked: CheckedRules) -> RulesSummary:
    """Return the summary of some rules."""
    game = checked.game
    return RulesSummary(game.name, ruleset.edition, ruleset.variants, checked.fingerprint, game.players, game.seats)


class CachedRules:
    """The parts of some rules.

    The entry with the checked rules is read when the rules are loaded, so that nothing that happens to the cache later
    can change them. It becomes values when they are needed.
    """

    def __init__(self, store: Store | None, make: Callable[[], Loaded]) -> None:
        self._store = store
        self._make = make
        entry = None if store is None else store.read_plain(_RULES)
        self._entry: bytes | None = None
        if entry is None:
            self.summary, self._has_warnings = self._begin()
        else:
            summary, self._has_warnings, self._entry = entry
            self.summary = RulesSummary(*summary)

    def _begin(self) -> tuple[RulesSummary, bool]:
        """Make everything and keep it in the cache."""
        from aodrules.cache.pickles import to_pickle

        self._made = found = self._make()
        summary, has_warnings = summarize(found.ruleset, found.checked), bool(found.warnings)
        entry = None if self._store is None else to_pickle((found.checked, found.warnings))
        if self._store is not None and entry is not None:
            self._store.write_plain(_RULES, (tuple(summary), has_warnings, entry))
            self._store.write(_TEXT, found.ruleset)
        return summary, has_warnings

    @cached_property
    def _made(self) -> Loaded:
        """Everything, made anew: an entry that was there is there no more, or is damaged."""
        from aodrules.errors import AodrulesError

        found = self._make()
        if found.checked.fingerprint != self.summary.fingerprint:
            raise AodrulesError("the documents are not those that the rules were loaded from; load the rules again")
        return found

    @cached_property
    def _checked(self) -> tuple[CheckedRules, tuple[Diagnostic, ...]]:
        from aodrules.cache.pickles import from_pickle

        found = None if self._entry is None else from_pickle(self._entry)
        self._entry = None
        return found if isinstance(found, tuple) else (self._made.checked, self._made.warnings)

    @property
    def checked(self) -> CheckedRules:
        """The checked rules."""
        return self._checked[0]

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """Problems that did not stop the rules from loading."""
        return self._checked[1] if self._has_warnings else ()

    @cached_property
    def ruleset(self) -> Ruleset:
        """The composed ruleset."""
        from aodrules.compose.ruleset import Ruleset

        found = None if self._store is None or "_made" in vars(self) else self._store.read(_TEXT)
        return found if isinstance(found, Ruleset) else self._made.ruleset


class RulesContext:
    """Checked rules, the ruleset they come from, and the tables made of them so far."""

    def __init__(self, request: RulesRequest, rules: Loaded | CachedRules, store: Store | None = None) -> None:
        self.request = request
        self._rules = rules
        self._store = store
        """Where generated code is kept."""
        self._programs: dict[tuple[int, bool], Program] = {}
        self._tables: dict[tuple[Any, ...], Tables] = {}
        self._actions: dict[tuple[str, ...], ActionTable] = {}
        self._seated: dict[tuple[str, ...], Facts] = {}

    @cached_property
    def summary(self) -> RulesSummary:
        """The facts that are asked for before anything is played."""
        rules = self._rules
        return rules.summary if isinstance(rules, CachedRules) else summarize(rules.ruleset, rules.checked)

    @cached_property
    def checked(self) -> CheckedRules:
        """The checked rules."""
        return self._rules.checked

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """Problems that did not stop the rules from loading."""
        return self._rules.warnings

    @property
    def ruleset(self) -> Ruleset:
        """The composed ruleset; asked for only when something about its text is wanted."""
        return self._rules.ruleset

    @cached_property
    def words(self) -> Words:
        """The texts of the game."""
        from aodrules.play.labels import Words

        return Words(self.checked.texts)

    def labels(self, language: str = "en") -> Labels:
        """Return what things are called in a language.

        Raises:
            ArgumentError: There are no words in it.
        """
        from aodrules.play.labels import Labels

        return Labels(self.words, self.checked, self.words.check(language))

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
        if engine == "interpreter":
            return self.interpreter(players, seed, facts)
        from aodrules.compiler.runtime.compiled import Compiled

        return Compiled.new_game(self.program(players, log=log), seed, facts)

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

    @cached_property
    def components(self) -> dict[str, dict[str, Component]]:
        """The members of every kind by id, for the largest number of players."""
        from aodrules.play.components import components_of

        return components_of(self.names_for_most, self.words)

    @cached_property
    def loops(self) -> dict[str, For]:
        """The loops over items, by address."""
        from aodrules.check.steps import For
        from aodrules.check.visit import all_bodies, walk_steps

        steps = (step for body in all_bodies(self.checked) for step in walk_steps(body))
        return {step.address: step for step in steps if isinstance(step, For)}

    @cached_property
    def leaving_options(self) -> frozenset[str]:
        """The addresses of the options whose steps let who decides leave the game."""
        from aodrules.play.leaving import leaving_options

        return leaving_options(self.checked)

    @property
    def names_for_most(self) -> IdTable:
        """The names of a game with as many players as there can be."""
        game = self.checked.game
        return self.actions(game.seats[: game.players[1]]).names

    # What the ruleset says beside what is played.

    @cached_property
    def clauses(self) -> dict[str, Mapping]:
        """The clauses the ruleset declares, by id."""
        from aodrules.syntax.tree import Mapping

        section = self.ruleset.root.get("clause")
        entries = section if isinstance(section, Mapping) else ()
        return {entry.name: entry.value for entry in entries if isinstance(entry.value, Mapping)}

    def clause_text(self, clause: str, language: str) -> str | None:
        """Return what a clause says."""
        return self.clause_words(clause, language)

    def clause_words(self, clause: str, language: str) -> Text | None:
        """Return what a clause says, in its own words or in those of a document with words in the language."""
        from aodrules.play.components import said_texts
        from aodrules.play.texts import FALLBACK, Text

        body = self.clauses.get(clause)
        if body is None:
            return None
        texts = {**said_texts(body), **self.checked.texts.get(f"clause.{clause}", {})}
        spoken = next((each for each in (language, FALLBACK, *texts) if texts.get(each)), None)
        return None if spoken is None else Text(texts[spoken], spoken, is_fallback=spoken != language)

    def clauses_at(self, address: str) -> tuple[str, ...]:
        """Return the clauses that a node models: its own, else those of what encloses it."""
        from aodrules.play.components import clauses_at

        return clauses_at(self.ruleset, address)

    def layer_of(self, span: Span) -> tuple[str, str]:
        """Return the name and kind of the document that a place belongs to: game, module, edition or variant."""
        documents = {document.source.path: document.head for document in self.ruleset.documents}
        head = documents.get(span.path)
        return (self.ruleset.name, "game") if head is None else (head.name.text, head.kind)
