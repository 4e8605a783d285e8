"""All that ships is checked: every document takes part in few compositions, and what clashes is kept apart."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import aodrules
from aodrules.authoring.check_files import (
    Checked,
    Part,
    check_game,
    check_rules,
    documents_used,
    rules_words,
    shipped_documents,
)
from aodrules.cli import check
from aodrules.cli.main import run
from aodrules.compose.library import is_path, parse_rules_word
from aodrules.source.diagnostics import Label, error
from tests.authoring.shipped_rules import GAME, composed, editions, heads
from tests.playing import GAMES, rules_of

NIM = GAMES / "nim.yaml"


@cache
def parts() -> tuple[Part, ...]:
    return tuple(check_game(GAME, only_composed))


def only_composed(word: str) -> Checked:
    asked = parse_rules_word(word)
    names = frozenset(name for name in asked.variants if not is_path(name))
    return Checked(word, None, composed(asked.base, names).problems)


def test_every_variant_is_checked_with_every_edition_that_it_is_made_for() -> None:
    assert [part.checked.problems for part in parts() if part.checked.problems] == []
    for edition in editions():
        mine = [part for part in parts() if part.base == edition]
        assert mine[0].variants == ()
        assert {name for part in mine for name in part.variants if not is_path(name)} == set(heads(edition))
    assert len(parts()) < 25


def test_starters_are_checked_too() -> None:
    starters = {path for path in shipped_documents(GAME) if path.parent.name == "starters"}
    checked_ones = {Path(name) for part in parts() for name in part.variants if is_path(name)}
    assert {path.resolve() for path in checked_ones} == {path.resolve() for path in starters}
    assert len(starters) >= 9


def test_what_turns_out_to_clash_is_kept_apart() -> None:
    one, other = (heads("empires")[name].name for name in ("nine-ships", "two-rice"))
    clash = error("conflicting-changes", "they clash", at=one.span, label="", also=[Label(other.span, "")])

    def clashing(word: str) -> Checked:
        named = {one.text, other.text} <= set(parse_rules_word(word).variants)
        return Checked(word, None, (clash,) if named else ())

    found = [part for part in check_game(GAME, clashing) if part.base == "empires"]
    assert [part.checked.problems for part in found if part.checked.problems] == []
    assert {name for part in found for name in part.variants if not is_path(name)} == set(heads("empires"))


def one_part(_game: str, _check: object) -> list[Part]:
    (found,) = check_rules(str(NIM), lambda _: rules_of("nim.yaml"))
    return [Part("nim", (), found)]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "shipped_games", lambda: ["nim"])
    monkeypatch.setattr(check, "check_game", one_part)
    monkeypatch.setattr(check, "shipped_documents", lambda _: frozenset({NIM.absolute()}))


def test_the_command_counts_what_it_checked(small: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "--shipped"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "nim: 1 composition, with 0 variants in all",
        "1 of 1 shipped document without errors",
    ]


def test_in_short_it_is_one_line(small: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "--shipped", "--format", "short"]) == 0
    assert capsys.readouterr().out == "1 of 1 shipped document without errors\n"


@pytest.mark.soak
def test_nothing_that_ships_has_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "--shipped", "--format", "short"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.endswith(" shipped documents without errors")


def test_a_document_that_takes_no_part_is_told(
    small: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    documents = frozenset({NIM.absolute(), (GAMES / "nim-misere.yaml").absolute()})
    monkeypatch.setattr(check, "shipped_documents", lambda _: documents)
    assert run(["check", "--shipped"]) == 1
    assert capsys.readouterr().out.endswith("  in no rules without errors: tests/games/nim-misere.yaml\n")


@pytest.mark.parametrize("arguments", [["check"], ["check", "tests/games/nim.yaml", "--shipped"]])
def test_either_rules_or_all_that_ships(arguments: list[str]) -> None:
    assert run(arguments) == 2


def test_what_was_used_is_known_by_its_file() -> None:
    assert documents_used(one_part("", None)) == {NIM.absolute()}
    assert isinstance(rules_of("nim.yaml"), aodrules.Rules)


def test_a_game_alone_asks_for_all_its_editions(capsys: pytest.CaptureFixture[str]) -> None:
    assert rules_words(GAME) == list(editions())
    assert rules_words(f"{GAME}+empires") == [f"{GAME}+empires"]
    assert rules_words("empires") == ["empires"]
    assert run(["compile", GAME]) == 2
    assert "name aoe3-pl, aoe3-ru or empires" in capsys.readouterr().err


def test_a_variant_that_ships_is_played_alone_like_the_file_of_one() -> None:
    assert rules_words("loans") == ["aoe3-pl+loans", "aoe3-ru+loans", "empires+loans"]
    assert rules_words("loans+empires") == ["empires+loans"]
    assert rules_words("loans+barter+empires") == ["empires+barter+loans"]
    assert rules_words("random-nations") == ["empires+national-advantages+random-nations"]
    assert sorted(rules_words("auction")) == [
        "aoe3-pl+auction",
        "aoe3-ru+auction",
        "empires+national-advantages+auction",
    ]
    assert rules_words("lones") == ["lones"]
