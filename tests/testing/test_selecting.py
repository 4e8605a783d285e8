"""Some of the scenarios and properties: by words, by where they stand, and why the others are left out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import aodrules
from aodrules.cli.main import run
from aodrules.cli.test import _wanted
from aodrules.testing import read_suite, run_suite
from aodrules.testing.selecting import by_words, standing_in
from tests.testing.texts import HARBOUR, NIM, rules, statements, written

SOME = """
scenario:
  Rent.is-paid: {clauses: [rent.price]}
  rent.is-refused: {clauses: [rent.late]}
property:
  nobody-owes: {clauses: [rent.late], always: round > 0}
"""


@pytest.mark.parametrize(
    "text, found",
    [
        ("rent.is", ["Rent.is-paid", "rent.is-refused"]),
        ("RENT.IS-PAID", ["Rent.is-paid"]),
        ("rent.late", ["rent.is-refused", "nobody-owes"]),
        ("rent.late and property", ["nobody-owes"]),
        ("paid or owes", ["Rent.is-paid", "nobody-owes"]),
        ("not paid and not owes", ["rent.is-refused"]),
        ("not (paid or owes)", ["rent.is-refused"]),
        ("scenario and (price or late)", ["Rent.is-paid", "rent.is-refused"]),
        ("test.yaml", ["Rent.is-paid", "rent.is-refused", "nobody-owes"]),
        ("nothing-of-the-sort", []),
        ("paid or refused and property", ["Rent.is-paid"]),
    ],
)
def test_words_are_found_in_names_clauses_files_and_sorts(text: str, found: list[str]) -> None:
    wanted = by_words(text)
    assert [each.id for each in statements(SOME) if wanted(each)] == found


@pytest.mark.parametrize(
    "text, why",
    [
        ("", "a word is missing"),
        ("rent and", "a word is missing"),
        ("or rent", "a word is missing before `or`"),
        ("(rent", "a parenthesis is not closed"),
        ("rent )", "`)` is not expected there"),
        ("rent late", "`late` is not expected there"),
    ],
)
def test_what_is_no_expression_is_told(text: str, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match=re.escape(why)):
        by_words(text)
    assert run(["test", NIM, "-k", text]) == 2
    assert why in capsys.readouterr().err


def test_only_what_is_asked_for_is_read_and_run(tmp_path: Path) -> None:
    path = written(tmp_path, "mine.yaml", "scenario:\n  mine: {then: {round: 1}}\n  wrong: {then: {rond: 1}}\n")
    suite = read_suite(rules(HARBOUR), [path], wanted=by_words("mine.yaml and not wrong"))
    assert [each.id for each in suite.scenarios] == ["mine"]
    assert suite.problems == ()
    assert suite.is_partial
    assert {each.group for each in suite.left_out} == {"unasked"}
    assert run_suite(suite).is_fine
    assert not read_suite(rules(HARBOUR)).is_partial
    by_place = read_suite(rules(HARBOUR), [path], wanted=standing_in([tmp_path]))
    assert [each.id for each in by_place.scenarios] == ["mine"]


def test_words_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["test", HARBOUR, "-k", "yard and not too-dear", "-v"]) == 0
    said = capsys.readouterr().out
    assert "ok scenario yard.a-bosun-bargains-and-builds-twice" in said
    assert "too-dear" not in said
    assert "1 scenario: 1 passed" in said
    assert "not asked for" in said


MINE = """
variant: mine
game: harbour
house: true
requires: [dear-timber]
change: {value.wages.is: 1}
scenario:
  mine.wages: {given: {players.red.silver: 9}, at: {step: wages}, until: bonuses, then: {players.red.silver: 8}}
"""


def test_mine_is_what_the_variants_named_bring_themselves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, "mine.yaml", MINE)
    word = f"{HARBOUR}+dear-timber+{path}"
    # The wages of an example of the game are others now.
    assert run(["test", word, "-k", "unpaid-wages or mine.wages"]) == 1
    assert "1 passed, 1 failed" in capsys.readouterr().out
    assert run(["test", word, "--only", "mine", "-v"]) == 0
    said = capsys.readouterr().out
    assert "ok scenario mine.wages" in said
    assert "ok scenario timber.everything-costs-more" in said
    assert "unpaid-wages" not in said


def test_what_a_variant_requires_is_not_mine_if_it_is_not_named(tmp_path: Path) -> None:
    text = "variant: own\ngame: aod\neditions: [empires]\nhouse: true\nrequires: [builders]\n"
    path = written(tmp_path, "own.yaml", f"{text}scenario: {{own.one: {{at: {{step: placement}}}}}}\n")
    wanted = _wanted(str(path), (), None, is_mine=True)
    suite = read_suite(aodrules.load("empires", ["builders", path]), wanted=wanted)
    assert [each.id for each in suite.scenarios] == ["own.one"]


def test_without_a_variant_nothing_is_mine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["test", NIM, "--only", "mine"]) == 2
    assert "names no variant" in capsys.readouterr().err
    path = written(tmp_path, "mine.yaml", "scenario: {mine: {given: {last_taker: first}}}\n")
    assert run(["test", NIM, str(path), "--only", "mine"]) == 0
    assert "1 scenario: 1 passed" in capsys.readouterr().out


LEFT_OUT = """
scenario:
  other-edition: {editions: [pocket]}
  other-variant: {with: [town-subsidy]}
  other-players: {players: 4}
  other-clause: {clauses: [salty]}
"""


def test_what_is_left_out_is_counted_by_reasons(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    head = "variant: few\ngame: harbour\nhouse: true\noverrides: [salty]\nchange: {game.players: 2..3}\n"
    few, more = written(tmp_path, "few.yaml", head), written(tmp_path, "more.yaml", LEFT_OUT)
    assert run(["test", f"{HARBOUR}+{few}", str(more)]) == 0
    said = capsys.readouterr().out
    assert "1 for other numbers of players and 1 about clauses that are overridden\n" in said
    assert "left out: 1 for other editions, " in said
    assert " for other variants, " in said
