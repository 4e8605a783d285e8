"""`aodrules words`: counts by language, what is lacking, and its exit codes."""

from __future__ import annotations

import json

import pytest

from aodrules.cli.main import run

Output = pytest.CaptureFixture[str]


def test_words_are_counted_by_language(capsys: Output) -> None:
    assert run(["words", "nim"]) == 0
    assert capsys.readouterr().out == "en: 7 of 7 texts\n"


def test_what_is_lacking_is_listed_with_its_english_words(capsys: Output) -> None:
    assert run(["words", "nim", "--missing", "de"]) == 1
    told = capsys.readouterr().out
    assert "decision.take: Take stones from a heap\n" in told
    assert "clause.in-turn: The players move in turn.\n" in told


def test_what_has_no_words_in_any_language_is_lacking_too(capsys: Output) -> None:
    assert run(["words", "nim", "--missing", "de"]) == 1
    assert "heap.low_heap: Low heap\n" in capsys.readouterr().out


def test_all_words_are_listed_by_address(capsys: Output) -> None:
    assert run(["words", "nim", "--list", "en"]) == 0
    told = capsys.readouterr().out
    assert "decision.take: Take stones from a heap\n" in told
    assert "heap.low_heap: Low heap\n" in told
    assert run(["words", "empires", "--list", "pl"]) == 0
    assert "worker.colonist: Kolonista\n" in capsys.readouterr().out
    assert run(["words", "nim", "--list", "plx"]) == 2
    assert "no words in `plx`" in capsys.readouterr().err
    assert run(["words", "nim", "--list", "en", "--missing", "de"]) == 2
    assert "give `--missing` or `--list`" in capsys.readouterr().err


def test_a_whole_language_lacks_nothing(capsys: Output) -> None:
    assert run(["words", "empires", "--missing", "pl"]) == 0
    assert capsys.readouterr().out == "nothing is lacking\n"


def test_words_are_given_as_data(capsys: Output) -> None:
    assert run(["words", "nim", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"en": 7}
    assert run(["words", "nim", "--missing", "de", "--format", "json"]) == 1
    assert "decision.take" in json.loads(capsys.readouterr().out)


def test_what_is_no_language_is_refused(capsys: Output) -> None:
    assert run(["words", "nim", "--missing", "German"]) == 2
    assert "is no code of a language" in capsys.readouterr().err
