"""Loading and compiling take a time that grows as the rules do: counted in calls, never by the clock."""

from __future__ import annotations

import ast
import gc
import re
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import aodrules
from benchmarks.larger_rules import write_copies
from tests.playing import GAMES

pytestmark = pytest.mark.slow

GAME = """
game: {{players: 2, seats: [one, two], play: turns}}
kinds:
  thing: {{plural: things, sorted_by: place, attributes: {{place: number{attributes}}}, pieces: {{count: 1}}}}
{kinds}
thing:
{things}
state:
  table: {{pool: {{is: bag of thing, start: all}}, n: number 0..9{fields}}}
  player: {{cash: number 0..999}}
value:
  base: {{is: size(pool)}}
{values}
verb:
  turns: {{do: [{{for: player, in: players, do: [{before}{{choose: act, by: player}}]}}]}}
{verbs}
decision:
  act: {{options: {{{options}}}}}
{decisions}
"""
STAY = "stay: {do: [{add: 1, to: player.cash}]}"
PLAIN = {
    "attributes": "",
    "kinds": "",
    "things": "  t: {place: 1}",
    "fields": "",
    "values": "",
    "before": "",
    "verbs": "",
    "options": STAY,
    "decisions": "",
}


def game(**parts: str) -> str:
    return GAME.format(**PLAIN | parts)


def rows(text: str, number: int, between: str = ", ") -> str:
    return between.join(text.replace("#", str(i)) for i in range(number))


CASE = "'#': #"
SHAPES: dict[str, Callable[[int], str]] = {
    "steps": lambda n: game(options=f"stay: {{do: [{rows('{add: 1, to: n}', n)}]}}"),
    "steps before a question": lambda n: game(before=rows("{add: 1, to: n}", n) + ", "),
    "names": lambda n: game(before=rows("{let: x#, be: n + #}", n) + ", "),
    "branches": lambda n: game(options=f"stay: {{do: [{rows('{if: n == 3, then: [{add: 1, to: n}]}', n)}]}}"),
    "named steps": lambda n: game(before=rows("{step: s#, do: [{add: 1, to: n}]}", n) + ", "),
    "questions": lambda n: game(before=rows("{choose: act, by: player}", n) + ", "),
    "inline questions": lambda n: game(before=rows("{choose: c#, by: player, options: {a: {do: []}}}", n) + ", "),
    "decisions": lambda n: game(
        before=rows("{choose: d#, by: player}", n) + ", ",
        decisions=rows("  d#: {options: {a: {do: []}, b: {do: []}}}", n, "\n"),
    ),
    "options": lambda n: game(options=rows("o#: {where: [player.cash != #], do: [{add: 1, to: player.cash}]}", n)),
    "conditions": lambda n: game(options=f"stay: {{where: [{rows('player.cash != #', n)}], do: []}}"),
    "members": lambda n: game(things=rows("  t#: {place: #}", n, "\n")),
    "kinds": lambda n: game(kinds=rows("  k#: {plural: k#s, attributes: {a: number = 1, b: maybe k#}}", n, "\n")),
    "attributes": lambda n: game(attributes=", " + rows("a#: number = 2", n)),
    "fields": lambda n: game(fields=", " + rows("f#: number 0..9", n)),
    "values": lambda n: game(values=rows("  v#: {is: base() + #}", n, "\n")),
    "cases of a table": lambda n: game(
        values=f"  v: {{given: {{k: number 0..9999}}, by: k, table: {{{rows(CASE, n)}, '{n}..': 7}}}}",
        options='stay: {where: ["v(player.cash) >= 0"], do: []}',
    ),
    "verbs": lambda n: game(
        verbs=rows("  w#: {do: [{add: 1, to: n}]}", n, "\n"), options=f"stay: {{do: [{rows('w#', n)}]}}"
    ),
    "calls that ask": lambda n: game(
        verbs="  w: {given: {player: player}, do: [{choose: act, by: player}]}", before=rows("w", n) + ", "
    ),
}


def calls_of(work: Callable[[], object]) -> int:
    """Return how many calls some work takes: a measure that no busy machine changes."""
    count = 0

    def watch(_frame: FrameType, event: str, _argument: Any) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    before = sys.getprofile()
    gc.disable()
    sys.setprofile(watch)
    try:
        work()
    finally:
        sys.setprofile(before)
        gc.enable()
    return count


def calls_to_compile(text: str, folder: Path) -> int:
    """Return how many calls it takes to load rules and to make a game of them."""
    path = folder / "rules.yaml"
    path.write_text(text, encoding="utf-8")
    return calls_of(lambda: aodrules.load(path, cache=False).new_game(2, seed=1))


@pytest.mark.parametrize("shape", SHAPES)
def test_twice_as_much_takes_twice_as_many_calls(shape: str, tmp_path: Path) -> None:
    calls_to_compile(game(), tmp_path)  # What is imported and kept once is not counted.
    few, more, many = (calls_to_compile(SHAPES[shape](n), tmp_path) for n in (20, 120, 220))
    assert many - more <= 1.1 * (more - few)


def test_the_work_of_loading_grows_with_the_number_of_documents_and_no_faster(tmp_path: Path) -> None:
    paths = write_copies(aodrules.load(GAMES / "harbour", cache=False), 17, tmp_path)
    aodrules.load(GAMES / "harbour", paths, cache=False)  # documents are read once in a process
    load = partial(aodrules.load, GAMES / "harbour", cache=False)
    few, some, many = (calls_of(partial(load, variants=paths[:number])) for number in (4, 8, 16))
    assert few < some < many
    assert many - some < 2.2 * (some - few)


PACKAGE = Path(aodrules.__file__).parent
MANY = ("statements", "steps", "options", "reactions", "blocks", "holdings", "modifiers", "kinds")
"""What there can be thousands of."""


def copies(tree: ast.AST) -> Iterator[str]:
    """Return the places where a loop over many things copies a tuple or frozenset to make it longer.

    Counted calls do not show this: Python copies without calling anything.
    """
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        loops = [node for node in ast.walk(function) if isinstance(node, ast.For)]
        for loop in loops:
            if any(word in ast.unparse(loop.iter) for word in MANY):
                names = {name for one in loop.body for name in _lengthened(one, _frozen_names(function))}
                yield from (f"{function.name}: {name}" for name in sorted(names))


def _frozen_names(function: ast.FunctionDef) -> set[str]:
    return {
        ast.unparse(node.target)
        for node in ast.walk(function)
        if isinstance(node, ast.AnnAssign) and re.match("frozenset|tuple|Statements", ast.unparse(node.annotation))
    }


def _lengthened(statement: ast.stmt, frozen: set[str]) -> Iterator[str]:
    if isinstance(statement, ast.For):
        return  # A loop inside is looked at by itself.
    for node in ast.walk(statement):
        if isinstance(node, ast.AugAssign) and ast.unparse(node.target) in frozen:
            yield ast.unparse(node.target)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple):
            taken = {ast.unparse(each.value) for each in node.value.elts if isinstance(each, ast.Starred)}
            yield from {ast.unparse(each) for each in node.targets} & taken


def test_no_loop_over_many_things_copies_what_it_gathers() -> None:
    found = [f"{path.name}: {each}" for path in PACKAGE.rglob("*.py") for each in copies(ast.parse(path.read_text()))]
    assert found == []


@pytest.mark.parametrize(
    "line, expected", [("found += (one,)", True), ("found = (one, *found)", True), ("others = (one, *rest)", False)]
)
def test_such_a_copy_is_noticed(line: str, *, expected: bool) -> None:
    tree = ast.parse(f"def gather(statements):\n  found: Statements = ()\n  for one in statements:\n    {line}\n")
    assert bool([*copies(tree)]) is expected
