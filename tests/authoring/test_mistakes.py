"""The most likely mistakes of authors: each gets one message at its place with a help that works.

Where the cure is certain it is a fix: it is applied and checked again. Where it is not, what one writes who follows the
help is checked.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from aodrules.authoring.check_files import check_rules, fix_files
from aodrules.compose.library import parse_rules_word
from aodrules.rulebook import Rules, load
from aodrules.source.diagnostics import Diagnostic
from aodrules.source.rendering import format_diagnostic
from tests.playing import GAMES

HEAD = "variant: slip\nname: {en: Slip}\nhouse: true\n"
TEST = "\nscenario: {slip.loads: {players: 2}}\n"
HARBOUR, EMPIRES = str(GAMES / "harbour"), "empires"
# What the mistakes must be about, whatever else they are about.
WANTED = {
    "a misspelt id": "misspelt",
    "a wrong type": "a number in words",
    "a missing key": "a missing key",
    "wrong indentation": "indent",
    "an edit of something that does not exist": "an edit of something that does not exist",
    "a value used as a condition": "used as a condition",
    "a loop without end": "a loop without end",
    "a piece from nowhere": "from nowhere",
    "two variants in conflict": "in conflict with another",
    "a step name that moved": "a step name that moved",
    "a scenario that sets the impossible": "a scenario that sets the impossible",
}


@cache
def mistakes(name: str) -> list[dict[str, Any]]:
    text = Path(__file__).with_name(f"{name}.yaml").read_text(encoding="utf-8")
    return list(yaml.safe_load(text))


def loaded(word: str) -> Rules:
    asked = parse_rules_word(word)
    return load(asked.base, asked.variants, cache=False)


def found_in(mistake: dict[str, Any], path: Path, base: str) -> list[Diagnostic]:
    word = str(path) if mistake.get("whole") else "+".join([base, *mistake.get("with", []), str(path)])
    return [problem for each in check_rules(word, loaded) for problem in each.problems if problem.severity == "error"]


def write(path: Path, mistake: dict[str, Any], text: str) -> None:
    if not mistake.get("whole"):
        text = HEAD + text + ("\n" if text.startswith("scenario") else TEST)
    path.write_text(text, encoding="utf-8")


def marked(problem: Diagnostic) -> str:
    span = problem.primary.span
    line = span.source.line(span.line)
    return line[span.column - 1 : span.end_column - 1 if span.end_line == span.line else len(line)]


def assert_helped(mistake: dict[str, Any], base: str, path: Path) -> None:
    """Write a mistake, look at the one message about it, do what it says and look again."""
    write(path, mistake, mistake["text"])
    found = found_in(mistake, path, base)
    told = "\n\n".join(format_diagnostic(each) for each in found)
    assert [each.code for each in found] == [mistake["code"]], told
    (problem,) = found
    assert problem.path.endswith("slip.yaml"), told
    if "marks" in mistake:
        assert marked(problem) == mistake["marks"], told
    assert problem.help, told
    assert mistake.get("helps", "") in problem.help, told
    assert (problem.fix is not None) == ("cure" in mistake), told
    if problem.fix is not None:
        assert problem.fix.replacement == mistake["cure"], told
        assert len(fix_files(found, [path])) == 1
    else:
        write(path, mistake, mistake["follow"])
    assert [format_diagnostic(each) for each in found_in(mistake, path, base)] == []


def named(mistake: dict[str, Any]) -> str:
    return str(mistake["says"]).replace(" ", "-")


HOUSE = mistakes("house_mistakes")


@pytest.mark.parametrize("mistake", mistakes("mistakes"), ids=named)
def test_a_mistake_gets_one_message_with_a_help_that_works(mistake: dict[str, Any], tmp_path: Path) -> None:
    assert_helped(mistake, HARBOUR, tmp_path / "slip.yaml")


@pytest.mark.parametrize(
    "mistake",
    [
        pytest.param(each, id=named(each), marks=[pytest.mark.soak] * ("twin" in each or number % 2))
        for number, each in enumerate(HOUSE)
    ],
)
def test_a_mistake_in_a_house_rule_gets_one_message_with_a_help_that_works(
    mistake: dict[str, Any], tmp_path: Path
) -> None:
    assert_helped(mistake, EMPIRES, tmp_path / "slip.yaml")


@pytest.mark.parametrize("name", ["mistakes", "house_mistakes"])
def test_there_are_enough_of_them(name: str) -> None:
    assert len(mistakes(name)) >= 40
    assert len([mistake for mistake in mistakes(name) if "cure" in mistake]) >= 25


def test_those_that_must_be_there_are() -> None:
    said = [mistake["says"] for name in ("mistakes", "house_mistakes") for mistake in mistakes(name)]
    assert [what for what, word in WANTED.items() if not any(word in each for each in said)] == []
