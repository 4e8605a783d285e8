"""How far one reaches to add a verb or a builtin: a toy is added to a copy of the package, and a game with it plays.

The edits are data, so that the files it takes can be counted. `CONTRIBUTING.md` names them.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project.modules import CHECKOUT

pytestmark = pytest.mark.slow

MOST_FILES = 7

SCHEMA = """
    "swap": {
      "title": "Swap two numbers",
      "description": "Each field gets what the other held.",
      "properties": {
        "swap": {"$ref": "#/$defs/target"},
        "with": {"$ref": "#/$defs/target"}
      },
      "required": ["with"],
      "additionalProperties": false,
      "examples": [{"swap": "player.left", "with": "player.right"}]
    },"""

STEP = '''
@frozen(eq=False)
class Swap:
    """Give each of two numbers what the other was."""

    span: Span
    targets: tuple[Target, ...]
    values: tuple[Expression, ...]
    """What each of the targets is, read before either changes."""


'''

RESOLVE = '''

def read_swap(scope: Scope, body: Mapping) -> Read:
    """Read a `swap`."""
    from aodrules.check.steps import Swap

    nodes = [body.need(key) for key in ("swap", "with")]
    targets = [read_target(scope, node) for node in nodes]
    values = tuple(read_expression(scope, node, NUMBER) for node in nodes)
    found = tuple(each[0] for each in targets if each is not None)
    return (Swap(body.key("swap").span, found, values) if len(found) == len(nodes) else None), scope


STEPS["swap"] = read_swap
'''

INTERPRET = """
    def _swap(self, step: Any, locals_: Locals) -> None:
        values = [self._value(each, locals_) for each in step.values]
        for target, value in zip(step.targets, reversed(values), strict=True):
            self._give(target, value, locals_, up_to=False)

"""

LOWER = '''

def lower_swap(planner: Planner, step: Any, scope: LowerScope) -> Statements:
    """Return the statements of a `swap`."""
    from aodrules.check.steps import Let, SetTo
    from aodrules.lang.expressions import Local

    (one, other), (first, second) = step.targets, step.values
    kept = Let(step.span, "kept", first)
    back = SetTo(step.span, other, Local(first.type, step.span, "kept"))
    return lower_steps(planner, (kept, SetTo(step.span, one, second), back), scope)
'''

# File → (what stands there, what is put after it); with nothing before it, at the end of the file.
EDITS: dict[str, list[tuple[str, str]]] = {
    "schemas/steps.schema.json": [
        ('"dependentSchemas": {', '\n"swap": {"$ref": "#/$defs/swap"},'),
        ('"$defs": {', SCHEMA),
    ],
    "aodrules/check/steps.py": [
        ('"""What is given for a parameter: an expression, or a place for a `place of K`."""\n', STEP),
        ("AnyStep: TypeAlias = (\n    Move", "\n    | Swap"),
    ],
    "aodrules/check/resolve/bodies.py": [("", RESOLVE)],
    "aodrules/interpreter/state_changes.py": [
        ("SetTo: self._set_to,", "\n            Swap: self._swap,"),
        ("    # Numbers, flags, members, sets.\n", INTERPRET),
        ("from aodrules.check.steps import (", "\n    Swap,"),
    ],
    "aodrules/compiler/lower/bodies.py": [("", LOWER)],
    "aodrules/compiler/lower/from_checked.py": [
        ("STEPS: dict[type, LowerStep] = {", "\n    checked.Swap: bodies.lower_swap,")
    ],
}
GAME = """
game: {name: {en: Toy}, players: 2, seats: [first, second], play: take_turns, points: {right: player.right}}
state:
  player:
    left: number 0..9
    right: number 0..5
verb:
  take_turns:
    do:
      - for: player
        in: players
        do:
          - {set: player.left, to: 7}
          - {set: player.right, to: 2}
          - {choose: turn, by: player}
decision:
  turn:
    options:
      change:
        again: 2
        do: [{swap: player.left, with: player.right}]
      end:
        where: [player.left > 2]
        do: []
"""
LEAVE = """\
      leave:
        do: []
"""

PLAY = """
import pathlib
import aodrules
from aodrules.play.comparison import compare

rules = aodrules.load(pathlib.Path("toy.yaml"))
for seed in range(8):
    compare(rules.book, 2, seed)
for engine in ("interpreter", "compiled"):
    game = rules.new_game(players=2, seed=1, engine=engine)
    game.push("change")
    print(f"{engine} left {game.state['players.first.left']}, right {game.state['players.first.right']}")
print(rules.explain("decision.turn.options.change"))
"""


def add(folder: Path, edits: dict[str, list[tuple[str, str]]]) -> None:
    """Make the edits to a copy of the package."""
    for name, changes in edits.items():
        text = (folder / name).read_text(encoding="utf-8")
        for before, put in changes:
            assert text.count(before) >= 1, f"{name} does not say {before!r} any more"
            text = text.replace(before, before + put, 1) if before else text + put
        (folder / name).write_text(text, encoding="utf-8")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a folder with a copy of the package and its schemas, and the toy game."""
    left_out = shutil.ignore_patterns("__pycache__")
    for folder in ("aodrules", "schemas"):
        shutil.copytree(CHECKOUT / folder, tmp_path / folder, ignore=left_out)
    (tmp_path / "content").symlink_to(CHECKOUT / "content")  # the page of builtins asks for commands, these for games
    for folder in ("variants", "games", "errors"):
        (tmp_path / folder).mkdir()
    (tmp_path / "toy.yaml").write_text(GAME + LEAVE, encoding="utf-8")
    return tmp_path


def play(folder: Path, script: str = PLAY) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join([str(folder), str(CHECKOUT)])  # the package of the copy, and the tests of the checkout
    settings = {**os.environ, "PYTHONPATH": paths, "AODRULES_CACHE": str(folder / "cache")}
    command = [sys.executable, "-c", script]
    return subprocess.run(command, cwd=folder, env=settings, capture_output=True, text=True, check=False)


def test_a_verb_takes_few_files_and_plays_on_both_engines(copy: Path) -> None:
    assert len(EDITS) <= MOST_FILES
    assert "unknown-step" in play(copy).stderr
    add(copy, EDITS)
    done = play(copy)
    assert done.returncode == 0, done.stderr
    assert "interpreter left 2, right 5\ncompiled left 2, right 5\n" in done.stdout  # 7 is cut to the range of `right`
    assert "- swap: player.left\n        with: player.right\n" in done.stdout
    assert "kept_1 = " in done.stdout


def test_the_analyses_know_what_a_new_verb_changes(copy: Path) -> None:
    add(copy, EDITS)
    (copy / "toy.yaml").write_text(GAME, encoding="utf-8")
    assert "decision-without-end" in play(copy).stderr


CLAMP = """

def _lower_clamped(build: FormulaBuilder, _: BuiltinCall, number: Term, low: Term, high: Term) -> Term:
    return build.select(build.op("<", number, low), low, build.call("min", number, high))


BUILTINS = (
    *BUILTINS,
    Builtin(
        "clamped",
        takes=((NUMBER, NUMBER, NUMBER),),
        gives=NUMBER,
        doc="The number, moved between two others.",
        example="clamped(7, 1, 3)",
        result=3,
        evaluate=lambda _, __, number, low, high: max(low, min(number, high)),
        interval=lambda _, __, number, low, high: overlap(hull(number, low, high), hull(low, high)),
        lower=_lower_clamped,
    ),
)
"""
SPREAD = """

def _spread(items: Iterable[int]) -> int:
    found = list(items)
    return max(found, default=0) - min(found, default=0)


def _spread_interval(_: SizeFacts, __: Comprehension, ___: Interval, item: Interval) -> Interval:
    return up_to(None if not item.is_bounded else item.high - item.low)


def _reduce_spread(build: FormulaBuilder, loop: Callable[[str], Term]) -> Term:
    def end(gives: str) -> Term:
        return build.once(loop(gives), lambda one: build.select(build.is_none(one), 0, one))

    return build.op("-", end("max"), end("min"))


BUILTINS = (
    *BUILTINS,
    Builtin(
        "spread",
        takes=((Of("list", NUMBER),),),
        gives=NUMBER,
        doc="How far the greatest is from the least.",
        example="spread(c.weight for c in colours)",
        result=2,
        over=OverItems((Number,), NUMBER, lambda _: NUMBER, _spread, _spread_interval, reduce=_reduce_spread),
    ),
)
"""
TOYS = {
    "clamped": ("aodrules/lang/builtins/numbers.py", CLAMP, "clamped(player.left, 2, player.right + 3)", 5),
    "spread": ("aodrules/lang/builtins/collections.py", SPREAD, "spread(p.left + p.right for p in players)", 9),
}
GAME_WITH_BUILTIN = """
game: {{name: {{en: Toy}}, players: 2, seats: [first, second], play: take_turns, points: {{right: player.right}}}}
state:
  player:
    left: number 0..9
    right: number 0..9
verb:
  take_turns:
    do:
      - for: player
        in: players
        do:
          - {{set: player.left, to: 7}}
          - {{set: player.right, to: 2}}
          - {{choose: turn, by: player}}
decision:
  turn:
    options:
      take: {{do: [{{set: player.right, to: "{formula}", up_to: true}}]}}
      keep: {{where: ["{formula} > 1"], do: []}}
"""
PLAY_BUILTIN = """
import pathlib, re
import aodrules
from aodrules.play.comparison import compare
from tests.docs.generated import builtins_page

rules = aodrules.load(pathlib.Path("toy.yaml"))
for seed in range(8):
    compare(rules.book, 2, seed)
for engine in ("interpreter", "compiled"):
    game = rules.new_game(players=2, seed=1, engine=engine)
    game.push("take")
    print(engine, game.state["players.first.right"])
print(re.search(r"^. `NAME`.*", builtins_page(), re.M)[0])
"""


@pytest.mark.parametrize("name", TOYS)
def test_a_builtin_takes_one_file_and_plays_on_both_engines(copy: Path, name: str) -> None:
    file, entry, formula, result = TOYS[name]
    script = PLAY_BUILTIN.replace("NAME", name)
    (copy / "toy.yaml").write_text(GAME_WITH_BUILTIN.format(formula=formula), encoding="utf-8")
    assert "unknown-name" in play(copy, script).stderr
    add(copy, {file: [("", entry)]})
    done = play(copy, script)
    assert done.returncode == 0, done.stderr
    assert f"interpreter {result}\ncompiled {result}\n" in done.stdout
    assert f"| `{name}`" in done.stdout


def test_the_checker_says_how_a_new_builtin_is_called(copy: Path) -> None:
    file, entry, _, _ = TOYS["clamped"]
    add(copy, {file: [("", entry)]})
    for wrong, said in {
        "clamped(player.left, 2)": "it is called like `clamped(number, number, number)`",
        "clamped(player.left, 2, player)": "error[type-mismatch]",
    }.items():
        (copy / "toy.yaml").write_text(GAME_WITH_BUILTIN.format(formula=wrong), encoding="utf-8")
        assert said in play(copy, PLAY_BUILTIN).stderr


def named_in_table() -> dict[str, list[str]]:
    """Return the files and folders that each row of the table names, as they lie in the checkout."""
    page = (CHECKOUT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| (an? .+?) \| (.+) \|$", page, re.MULTILINE))
    return {
        what: [in_checkout(name) for name in re.findall(r"`([\w./-]+/[\w./-]*)`", row)] for what, row in rows.items()
    }


def in_checkout(name: str) -> str:
    return name if (CHECKOUT / name).exists() or "CODE" in name else f"aodrules/{name}"


def test_the_table_of_what_to_touch_names_files_that_are_there() -> None:
    table = named_in_table()
    assert len(table) == 10
    named = {name.replace("CODE", "call-cycle") for names in table.values() for name in names}
    assert {name for name in named if not (CHECKOUT / name).exists()} == set()
    assert set(EDITS) <= set(table["a verb of the language (a step)"])
