"""Games for the tests of the engines: rules from a text, and the legal answers in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from textwrap import dedent
from typing import Any, TypeAlias

from aodrules.check.checked import CheckedRules
from aodrules.check.from_ruleset import check
from aodrules.compiler.layout import POINT
from aodrules.compiler.runtime.compiled import Compiled, Program
from aodrules.compose.from_documents import compose
from aodrules.interpreter.interpreter import Interpreter
from aodrules.interpreter.tables import Tables
from aodrules.play.comparison import first_difference
from aodrules.play.engines import program_of
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Source
from aodrules.syntax.from_source import read

FRAME = """
game: {players: 2..4, seats: [ann, bob, cid, dan], play: main}
"""


def rules_of(text: str, variant: str = "") -> CheckedRules:
    """Return the rules a text declares, with a variant `extra`; the frame of the game is added if it has none."""
    whole = dedent(text)
    if "\ngame:" not in whole:
        whole = FRAME + whole
    report = Report()
    sources = [Source("test.yaml", whole)]
    if variant:
        sources.append(Source("extra.yaml", "variant: extra\nhouse: true\n" + dedent(variant)))
    documents = [document for source in sources if (document := read(source, report)) is not None]
    rules = check(compose(documents, None, ["extra"] if variant else [], report), report)
    problems = [f"{problem.primary.span}: {problem.message}" for problem in report]
    assert not problems, problems
    return rules


Programs: TypeAlias = Sequence[Program]


def programs_of(rules: CheckedRules, players: int) -> Programs:
    """Return generated code that keeps a log, and the same without."""
    return [program_of(rules, players, log=log) for log in (True, False)]


class Both(Interpreter):
    """A game on the interpreter that is played by generated code as well: after every answer they must agree."""

    def __init__(
        self, rules: CheckedRules, players: int, seed: int, tables: Tables | None = None, programs: Programs = ()
    ) -> None:
        super().__init__(rules, players, seed, tables)
        self.twins = [Compiled.new_game(each, seed) for each in programs or programs_of(rules, players)]
        self._compare()

    def apply(self, code: int) -> tuple[int, ...]:
        """Give a legal answer on both engines."""
        codes = super().apply(code)
        for twin in getattr(self, "twins", ()):
            twin.apply(code)
        self._compare()
        return codes

    def _compare(self) -> None:
        for twin in getattr(self, "twins", ()):
            assert_agree(self, twin)


def assert_agree(game: Interpreter, twin: Compiled) -> None:
    """Fail unless generated code stands where the interpreter stands, and has left nothing in its frames."""
    difference = first_difference(game, twin, game.tables.players)
    assert difference is None or (difference == "events" and not twin.program.log)
    assert twin.listed() == game.codes, "the codes listed from the cells alone"
    assert not left_over(twin), "cells that are not live are 0"


def left_over(game: Compiled) -> set[int]:
    """Return the cells of the frames that are neither live nor 0: none, or equal positions would differ."""
    frames = game.program.plan.frames
    live = live_cells(game) if game.codes else set()
    return {cell for cell in range(frames.first, frames.first + frames.size) if game.cells[cell] != 0} - live


def live_cells(game: Compiled) -> set[int]:
    """Return the cells of frames that are needed while a question waits.

    These are the variables of the body that asks and, by the blocks it returns to, of all that wait for it.
    """
    graph, frames = game.program.plan.graph, game.program.plan.frames
    entry = next(entry for entry, point in graph.answers.items() if point == game.cells[POINT])
    live: set[int] = set()
    while True:
        live |= {frames.cells[name] for name in frames.live_in[entry]}
        back = frames.returns.get(graph.blocks[entry].procedure)
        if back is None:
            return live
        live.add(back)
        entry = game.cells[back]


def game_of(text: str, players: int = 2, seed: int = 1, variant: str = "") -> Interpreter:
    """Return a game of the rules a text declares, which both engines play."""
    return Both(rules_of(text, variant), players, seed)


def games_of(text: str, players: int = 2) -> Callable[[int], Interpreter]:
    """Return what makes games of the rules a text declares by their seeds; the rules are compiled once."""
    rules = rules_of(text)
    programs = programs_of(rules, players)
    return lambda seed: Both(rules, players, seed, programs=programs)


def words(game: Interpreter, code: int) -> str:
    """Return an answer in words: the option and its arguments as numbers."""
    assert game.pending is not None
    choice, arguments = game.spaces[game.pending.decision].decode(code)
    return " ".join([choice.id, *(str(argument) for argument in arguments)])


def answers(game: Interpreter) -> list[str]:
    """Return all legal answers in words."""
    return [words(game, code) for code in game.codes]


def answer(game: Interpreter, said: str) -> None:
    """Give an answer in words."""
    game.apply(next(code for code in game.codes if words(game, code) == said))


def cells(game: Interpreter, field: str) -> list[Any]:
    """Return what a field holds."""
    return game.state.fields[field]


def asked(game: Interpreter) -> tuple[str, int] | None:
    """Return which decision waits and who decides."""
    return None if game.pending is None else (game.pending.decision, game.pending.player)


def entries(game: Interpreter, *sorts: str) -> list[tuple[Any, ...]]:
    """Return the entries of the log of some sorts."""
    return [entry for entry in game.happenings if entry[0] in sorts]
