"""Reports: as text, JSON and JUnit XML, and from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from aodrules.cli.main import run
from aodrules.testing import read_suite, run_suite, to_json, to_junit
from tests.testing.texts import HARBOUR, NIM, rules, written

WRONG = """
scenario:
  wrong: {then: {round: 2}}
  odd: {at: {step: berth}}
property:
  never: {upon: built, holds: false}
"""


def test_json_and_junit_tell_the_same(tmp_path: Path) -> None:
    path = written(tmp_path, "wrong.yaml", WRONG)
    results = run_suite(read_suite(rules(HARBOUR), [path]), games=3)
    plain = json.loads(to_json(results))
    by_id = {each["id"]: each for each in plain["results"]}
    assert by_id["wrong"]["status"] == "failed"
    assert by_id["odd"]["status"] == "error"
    assert by_id["never"]["record"].startswith("# aodrules record 3")
    root = ET.fromstring(to_junit(results))
    assert root.get("tests") == str(len(plain["results"]))
    assert (root.get("failures"), root.get("errors")) == ("2", "1")


def test_the_command_fails_if_something_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, "wrong.yaml", WRONG)
    junit, saved = tmp_path / "junit.xml", tmp_path / "found"
    arguments = [HARBOUR, str(path), "--games", "3", "--junit", str(junit), "--save", str(saved)]
    assert run(["test", *arguments]) == 1
    said = capsys.readouterr().out
    assert "FAILED scenario wrong" in said
    assert "ERROR scenario odd" in said
    assert junit.exists()
    assert (saved / "never.record").exists()


def test_the_command_is_content_with_nim(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["test", NIM, "--properties", "--games", "3", "-v"]) == 0
    assert "2 properties: 2 passed; 3 games" in capsys.readouterr().out
    assert run(["test", NIM, "--format", "json"]) == 0


def test_clauses_and_mutate_are_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "clauses.html"
    assert run(["clauses", NIM, "--games", "1", "--html", str(page)]) == 0
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert run(["mutate", NIM, "--sample", "5", "--jobs", "1", "--at-least", "101"]) == 2
    assert run(["mutate", NIM, "--jobs", "1", "--games", "1", "--at-least", "100"]) == 1
    assert "26 tried" in capsys.readouterr().out
