"""Findings: a broken law with the game that breaks it, as a record and as a scenario that can be run again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import define, field, frozen

from aodrules.check.steps import AnyStep, For, Step
from aodrules.facts.state import PlainState
from aodrules.interpreter.entry.enter_at_step import EntryPath, EntryPoint, entry_paths_to, is_step, state_after_setup
from aodrules.interpreter.interpreter import Interpreter
from aodrules.interpreter.options import Locals
from aodrules.interpreter.places import cell
from aodrules.lang.types import item_of
from aodrules.play.actions import ActionTable
from aodrules.play.ids import field_path, format_scalar
from aodrules.play.record_text import format_record
from aodrules.play.rules_context import RulesContext
from aodrules.play.saves import Notes, SavedAction
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Source
from aodrules.syntax.from_source import read
from aodrules.testing.exploring import MOST_ACTIONS, follower, shorten_game
from aodrules.testing.law_values import format_values
from aodrules.testing.playing import GameObserver, Line, PlayedGame, play
from aodrules.testing.properties import Property
from aodrules.testing.scenario_runner import ScenarioRunner
from aodrules.testing.scenarios import Scenario, ScenarioReader
from aodrules.testing.statements import in_document

_STEPS_KEPT = 8


@frozen(eq=False)
class Kept:
    """The state when a named step began, and how many answers had been given."""

    way: EntryPath
    names: Locals
    state: PlainState
    answers: int

    def at(self, action_table: ActionTable) -> str:
        """Return the step and the items of the loops around it, as they are written under `at`."""
        step, loops = self.way.target, self.way.loops()
        assert isinstance(step, Step)  # only named steps are kept
        words = [f"step: {step.address}"]
        words += [
            f"{name}: {action_table.names.text(item_of(loops[name].items.type), item)}"
            for name, item in self.names.items()
            if item is not None
        ]
        return f"{{{', '.join(words)}}}"

    def given(self, action_table: ActionTable, seed: int) -> Iterator[tuple[str, str]]:
        """Iterate over what is not as after the set-up with a seed: where, and what is written there."""
        names, state = action_table.names, self.state
        begun = state_after_setup(names.tables, action_table.spaces, seed)
        for name, one in names.tables.rules.fields.items():
            for at in names.tables.shapes[name].indices():
                now = cell(names.tables, state, name, at)
                if now != cell(names.tables, begun, name, at):
                    yield field_path(names, name, at), format_yaml(names.readable(one.type, now))


@define(eq=False)
class StepKeeper(GameObserver):
    """Looks on and keeps the state at the last named steps that began."""

    book: RulesContext
    kept: list[Kept] = field(factory=list)
    _interpreter: Interpreter | None = None
    _names: dict[int, Locals] = field(factory=dict)
    _ways: dict[str, list[EntryPath]] = field(factory=dict)

    def watch(self, interpreter: Interpreter) -> None:
        """Begin to look on."""
        self._interpreter = interpreter

    def on_step(self, step: AnyStep, names: Locals) -> None:
        """Keep the state if this is a named step that can be entered."""
        self._names[id(step)] = names
        if isinstance(step, Step) and self._interpreter is not None:
            for way in self._ways_to(step):
                loops = self._loops(way)
                if loops is not None:
                    self.kept.append(Kept(way, loops, self._interpreter.plain(), self._interpreter.answered))
            del self.kept[:-_STEPS_KEPT]

    def _ways_to(self, step: Step) -> list[EntryPath]:
        if step.address not in self._ways:
            self._ways[step.address] = list(entry_paths_to(self.book.checked, is_step(step.address)))[:20]
        return self._ways[step.address]

    def _loops(self, way: EntryPath) -> Locals | None:
        """Return the items of the loops on a way; nothing if play did not come that way."""
        items: Locals = {}
        for link, inner in zip(way.links, way.links[1:], strict=False):
            names = self._names.get(id(inner.step))
            if names is None or id(link.step) not in self._names:
                return None
            if isinstance(link.step, For):
                items[link.step.name] = names.get(link.step.name)
        return items


def format_yaml(value: Any) -> str:
    """Return what a field holds, as it is written in a scenario."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {format_yaml(inner)}" for name, inner in value.items()) + "}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(format_yaml, value))}]"
    return format_scalar(value)


@frozen(eq=False)
class Draft:
    """A scenario that is not yet a document, in its parts."""

    name: str
    players: tuple[str, ...]
    seed: int
    moves: Sequence[SavedAction]
    then: Sequence[str] = ()
    at: str | None = None
    given: tuple[tuple[str, str], ...] = ()

    def text(self) -> str:
        """Return it as a document."""
        lines = ["scenario:", f"  {self.name}:", f"    players: [{', '.join(self.players)}]", f"    seed: {self.seed}"]
        if self.given:
            lines += ["    given:", *(f"      {place}: {value}" for place, value in self.given)]
        if self.at is not None:
            lines.append(f"    at: {self.at}")
        if self.moves:
            lines += ["    when:", *(f"      - {move.player}: {move.text}" for move in self.moves)]
        if self.then:
            lines += ["    then:", *(f"      {line}" for line in self.then)]
        elif not self.moves:
            lines.append("    when: []")
        return "\n".join(lines) + "\n"

    def read(self, reader: ScenarioReader) -> Scenario | None:
        """Return it as a scenario of some rules; nothing if they do not know what it speaks of."""
        report = Report()
        document = read(Source("draft.yaml", self.text()), report)
        statements = [] if document is None else list(in_document(document))
        scenario = reader.read(statements[0], report) if statements else None
        return None if report.has_errors else scenario


LONGEST_RECORD = 40
"""A game with more actions is also told as a scenario, which begins at a named step."""


@frozen(eq=False)
class Finding:
    """A law that broke, and the shortest way found to see it."""

    law: Property
    actions: int
    record: str
    """The whole game as text, from which `aodrules.replay` makes it again."""
    scenario: str | None = None
    """For long games: a document with a scenario that begins shortly before, and breaks the law too."""
    scenario_actions: int | None = None
    line: Line | None = None
    answers: tuple[int, ...] = ()
    asked: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    """What the names of the law were worth when it broke, in the part of it that does not hold."""

    @property
    def shortest(self) -> int:
        """How many actions are needed to see it."""
        return self.actions if self.scenario_actions is None else min(self.actions, self.scenario_actions)


def make_finding(book: RulesContext, law: Property, played: PlayedGame, most: int = MOST_ACTIONS) -> Finding:
    """Return a broken law with a short game that breaks it, sought by playing so many actions."""
    best = shorten_game(book, law, played, most)
    teller = _GameTeller(book, law, best)
    actions, moves = len(best.answers), teller.moves()
    draft = teller.draft(moves) if actions > LONGEST_RECORD else None
    return Finding(
        law,
        actions,
        format_record(book, Notes(teller.seats, best.line.seed, (), moves)),
        None if draft is None else draft.text(),
        None if draft is None else len(draft.moves),
        best.line,
        tuple(best.answers),
        tuple(best.asked),
        teller.values(),
    )


@define(eq=False)
class _GameTeller:
    """Tells a game in which a law breaks."""

    book: RulesContext
    law: Property
    played: PlayedGame

    @property
    def seats(self) -> tuple[str, ...]:
        return self.book.checked.game.seats[: self.played.line.players]

    @property
    def _action_table(self) -> ActionTable:
        return self.book.actions(self.seats)

    def values(self) -> tuple[str, ...]:
        """Return what the names of the law were worth when it broke."""
        (breach,) = [each for each in self.played.breaches if each.law.id == self.law.id]
        return format_values(self._action_table.names, breach.values)

    def moves(self) -> list[SavedAction]:
        """Return who did what."""
        line = self.played.line
        game = self.book.interpreter(line.players, line.seed)
        moves = []
        for answer in self.played.answers:
            assert game.pending is not None  # it was answered
            text = self._action_table.action(game.pending.decision, answer).text
            moves.append(SavedAction(self.seats[game.pending.player], text))
            game.apply(answer)
        return moves

    def draft(self, moves: Sequence[SavedAction]) -> Draft | None:
        """Return the end of the game as a scenario that breaks the law too; nothing if none was found."""
        keeper, table, seed = StepKeeper(self.book), self._action_table, self.played.line.seed
        self._play(0, onlookers=[keeper])
        for kept in reversed(keeper.kept):
            if not kept.state.left:
                given = tuple(kept.given(table, seed))
                late = moves[kept.answers :]
                draft = Draft(f"found.{self.law.id}", self.seats, seed, late, (), kept.at(table), given)
                if self._breaks(draft, kept.answers):
                    return draft
        return None

    def _breaks(self, draft: Draft, start: int) -> bool:
        """Whether the law breaks when a scenario is played that begins after so many answers."""
        scenario = draft.read(ScenarioReader(self.book))
        entry = None if scenario is None else ScenarioRunner(self.book).entry(scenario, Report())
        return entry is not None and bool(self._play(start, entry=entry).breaches)

    def _play(
        self, start: int, *, onlookers: Sequence[GameObserver] = (), entry: EntryPoint | None = None
    ) -> PlayedGame:
        """Play the game again, or what followed after so many answers."""
        answers = [*zip(self.played.asked, self.played.answers, strict=True)][start:]
        line = self.played.line
        choose = follower(self.book, line, answers)
        return play(self.book, line, [self.law], choose=choose, most=len(answers), onlookers=onlookers, entry=entry)
