"""The most likely mistakes of authors: each gets one message at its place with a help that works.

Where the cure is certain it is a fix: it is applied and checked again.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from aodrules.authoring.checking import checked
from aodrules.authoring.fixes import fix_files
from aodrules.compose.library import parse_rules_word
from aodrules.rulebook import Rules, load
from aodrules.source.diagnostics import Diagnostic
from aodrules.source.rendering import format_diagnostic
from tests.playing import GAMES

HEAD = "variant: slip\nname: {en: Slip}\nhouse: true\n"
TEST = "\nscenario: {slip.loads: {players: 2}}\n"


@cache
def mistakes() -> list[dict[str, Any]]:
    text = Path(__file__).with_name("mistakes.yaml").read_text(encoding="utf-8")
    return list(yaml.safe_load(text))


def loaded(word: str) -> Rules:
    asked = parse_rules_word(word)
    return load(asked.base, asked.variants, cache=False)


def found_in(mistake: dict[str, Any], path: Path) -> list[Diagnostic]:
    word = "+".join([str(GAMES / "harbour"), *mistake.get("with", []), str(path)])
    return [problem for each in checked(word, loaded) for problem in each.problems if problem.severity == "error"]


def written(mistake: dict[str, Any], folder: Path) -> Path:
    path = folder / "slip.yaml"
    has_own = mistake["text"].startswith("scenario")
    path.write_text(HEAD + mistake["text"] + ("\n" if has_own else TEST), encoding="utf-8")
    return path


def marked(problem: Diagnostic) -> str:
    span = problem.primary.span
    line = span.source.line(span.line)
    return line[span.column - 1 : span.end_column - 1 if span.end_line == span.line else len(line)]


@pytest.mark.parametrize("mistake", mistakes(), ids=lambda mistake: mistake["says"].replace(" ", "-"))
def test_a_mistake_gets_one_message_with_a_help_that_works(mistake: dict[str, Any], tmp_path: Path) -> None:
    path = written(mistake, tmp_path)
    found = found_in(mistake, path)
    told = "\n\n".join(format_diagnostic(each) for each in found)
    assert [each.code for each in found] == [mistake["code"]], told
    (problem,) = found
    assert problem.path.endswith("slip.yaml"), told
    if "marks" in mistake:
        assert marked(problem) == mistake["marks"], told
    if "helps" in mistake:
        assert mistake["helps"] in str(problem.help), told
    assert problem.help or mistake.get("without_help"), told
    assert (problem.fix is not None) == ("cure" in mistake), told
    if problem.fix is not None:
        assert problem.fix.replacement == mistake["cure"], told
        assert len(fix_files(found, [path])) == 1
        assert [format_diagnostic(each) for each in found_in(mistake, path)] == []


def test_there_are_enough_of_them() -> None:
    assert len(mistakes()) >= 40
    assert len([mistake for mistake in mistakes() if "cure" in mistake]) >= 25
