"""The walk of a newcomer is true: every function on the page is there, and they are called in its order."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from types import CodeType, FrameType
from typing import Any, TypeAlias

import aodrules
from aodrules.compiler.nodes import Branch
from aodrules.play import pipeline
from aodrules.play.engines import program_of
from aodrules.source.spans import Span
from tests.docs.blocks import DOCS

PAGE = (DOCS / "explanation" / "pipeline.md").read_text(encoding="utf-8")
_ROW = re.compile(
    r"^\| \[`(?P<function>[\w.]+)`\]\(\.\./\.\./(?P<module>aodrules/[\w/]+)\.py\) in `(?P=module)\.py` \|", re.MULTILINE
)
TILE = "content/aod/buildings/age-2.yaml"
LINE = re.findall(r"^cathedral:.*$", PAGE, re.MULTILINE)[0]
Calls: TypeAlias = "list[tuple[CodeType, dict[str, Any]]]"
About: TypeAlias = "Callable[[dict[str, Any]], bool]"


def functions_after(heading: str) -> list[CodeType]:
    """Return what a table of the page names, in its order."""
    part = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    found = []
    for row in _ROW.finditer(part):
        function: Any = import_module(row["module"].replace("/", "."))
        for name in row["function"].split("."):
            function = getattr(function, name)
        found.append(function.__code__)
    return found


@contextmanager
def watched(functions: list[CodeType]) -> Iterator[Calls]:
    """Note the calls of some functions, with what they are given."""
    calls: Calls = []

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code in functions:
            calls.append((frame.f_code, dict(frame.f_locals)))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(before)


def assert_in_order(walk: list[CodeType], calls: Calls, about: dict[str, About]) -> None:
    """Fail unless the functions are called one after the other, each with what it is said to be about."""
    rest = iter(calls)
    for function in walk:
        name = function.co_qualname
        assert any(called is function and (name not in about or about[name](given)) for called, given in rest), name


def test_the_line_of_a_tile_goes_this_way() -> None:
    walk = functions_after("One line, from YAML to Python")
    assert 0 < len(walk) <= 12
    pipeline._parse.cache_clear()  # What another test has read is not read again.
    with watched(walk) as calls:
        rules = aodrules.load("empires", cache=False)
        program_of(rules.book.checked, 4)
    tile = rules.book.checked.family("building").members.index("cathedral")
    about: dict[str, About] = {
        "read": lambda given: given["source"].path == TILE,
        "add_value_function": lambda given: given["name"] == "converts",
        "find_holdings": lambda given: given["effect_scope"].members == (tile,),
        "count_copies": lambda given: (given["field"], given["member"].value) == ("player.tiles", tile),
        "branch": lambda given: is_there(given["span"]),
        "write_statements": lambda given: any(
            isinstance(one, Branch) and is_there(one.span) for one in given["statements"]
        ),
    }
    assert set(about) <= {function.co_qualname for function in walk}
    assert_in_order(walk, calls, about)


def is_there(span: Span) -> bool:
    """Whether something comes from the line of the tile."""
    return span.path == TILE and span.source.line(span.line).strip() == LINE


def test_an_action_goes_this_way() -> None:
    walk = functions_after("One action, from its text to the next question")
    assert walk
    (text,) = re.findall(r'^game\.push\("(.*)"\)$', PAGE, re.MULTILINE)
    game = aodrules.load("empires").new_game(players=4, seed=1)
    with watched(walk) as calls:
        game.push(text)
    assert_in_order(walk, calls, {"ActionTable.codes_for": lambda given: text in given.values()})
    assert len(calls) == len(walk)
