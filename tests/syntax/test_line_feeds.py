"""No name ends in a line feed: to Python's `$` the end of a text is also the place before its last line feed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import aodrules
from aodrules.play.authoring_schema import _NAME
from tests.playing import GAMES, rules_of

NIM = (GAMES / "nim.yaml").read_text(encoding="utf-8")
KEY = re.compile(r"^(?P<white> *)(?P<key>[A-Za-z_][\w.-]*):(?=\s)", re.MULTILINE)
SCHEMAS = Path("schemas")


def with_line_feed(key: re.Match[str]) -> str:
    """Return the text of a game with a line feed behind one of its keys."""
    return f'{NIM[: key.start()]}{key["white"]}"{key["key"]}\\n":{NIM[key.end() :]}'


def keys() -> Iterator[Any]:
    end = NIM.index("\nscenario:")
    for key in KEY.finditer(NIM, 0, end):
        yield pytest.param(with_line_feed(key), id=f"{NIM.count(chr(10), 0, key.start()) + 1}: {key['key']}")


@pytest.mark.parametrize("text", [*keys()])
def test_a_key_with_a_line_feed_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "nim.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(aodrules.RulesError):
        aodrules.load(path, cache=False)


@pytest.mark.parametrize(
    "old, new",
    [
        ("seats: [first, second]", 'seats: ["first\\n", second]'),
        ("      take:\n", '      "take\\n":\n'),
        ("  low_heap: ", '  "low_heap\\n": '),
    ],
)
def test_names_of_seats_options_and_members_have_none(old: str, new: str, tmp_path: Path) -> None:
    assert NIM.count(old) == 1
    path = tmp_path / "nim.yaml"
    path.write_text(NIM.replace(old, new), encoding="utf-8")
    with pytest.raises(aodrules.RulesError) as raised:
        aodrules.load(path, cache=False)
    assert {problem.code for problem in raised.value.report} >= {"malformed-name"}


@pytest.mark.parametrize(
    "edit",
    [
        'add: {game.seats: ["third\\n"]}',
        'add: {"stone.gem\\n": {copies: 1}}',
        'add: {stone: {"gem\\n": {copies: 1}}}',
        'add: {decision.take.options: {"skip\\n": {do: []}}}',
        'add: {state.table: {"left\\n": flag}}',
        'change: {game.seats: ["first\\n", second]}',
    ],
)
def test_what_a_variant_adds_has_none(edit: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(f"variant: mine\nhouse: true\n{edit}\n", encoding="utf-8")
    with pytest.raises(aodrules.RulesError):
        aodrules.load(GAMES / "nim.yaml", [path], cache=False)


def patterns(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("pattern"), str):
            yield node["pattern"]
        node = list(node.values())
    if isinstance(node, list):
        for each in node:
            yield from patterns(each)


def test_every_pattern_that_has_an_end_ends_there() -> None:
    shipped = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(SCHEMAS.glob("*.json"))]
    with_end = {each for each in patterns([*shipped, _NAME]) if each.endswith("$")}
    assert len(with_end) > 5
    assert [each for each in sorted(with_end) if not each.endswith(r"(?!\n)$")] == []


def test_the_programs_that_use_us_are_told_too() -> None:
    with pytest.raises(ValueError, match="seat"):
        rules_of("nim.yaml").new_game(["first\n", "second"])
    with pytest.raises(aodrules.RulesError):
        aodrules.load(GAMES / "harbour", ["dear-timber\n"], cache=False)
