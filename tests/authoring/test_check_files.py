"""`check` made delightful: several files, warnings worth acting on, cures, watching, SARIF."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from aodrules.authoring.check_files import fix_files, named_files, offsets, watch_files
from aodrules.cli import check
from aodrules.cli.main import run
from aodrules.source.diagnostics import Diagnostic, Fix, error
from aodrules.source.spans import Source, Span
from tests.diagnostics.diagnose import SMALL_GAME, diagnose
from tests.playing import GAMES

HARBOUR = str(GAMES / "harbour")
ERRORS = Path(__file__).parents[2] / "docs" / "errors"
SLIP = "variant: slip\nname: {en: Slip}\nhouse: true\nchange:\n  house.inn.cots: 3\n"
GAME_OF_ROUNDS = "game: {players: 2, seats: [one, two], play: main}\nstate: {table: {rounds: number 0..9}}\n"
FINE = "scenario: {slip.it-loads: {players: 2}}\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


# Warnings.


def test_a_house_rule_without_a_test_is_warned_about(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here / "mine.yaml", SLIP.replace("cots", "cost"))
    assert run(["check", f"{HARBOUR}+mine.yaml"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(
        "warning[untested-variant]: no scenario or property shows what `slip` does\n --> mine.yaml:1:10"
    )
    assert "1 warning in 1 file" in out
    write(here / "mine.yaml", SLIP.replace("cots", "cost") + FINE)
    assert run(["check", f"{HARBOUR}+mine.yaml"]) == 0
    assert "warning" not in capsys.readouterr().out


def test_what_players_see_without_words_is_warned_about(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    added = "variant: slip\nhouse: true\nadd: {house: {tavern: {era: sail, cost: 1}}}\n" + FINE
    write(here / "mine.yaml", added)
    assert run(["check", f"{HARBOUR}+mine.yaml"]) == 0
    out = capsys.readouterr().out
    assert "warning[missing-words]: `house.tavern` has no words for players, who will see its id" in out
    assert "help: add `text: {house.tavern: {en: Tavern}}`" in out
    write(here / "mine.yaml", added + "text: {house.tavern: {en: Tavern}}\n")
    assert run(["check", f"{HARBOUR}+mine.yaml"]) == 0
    assert "warning" not in capsys.readouterr().out


@pytest.mark.parametrize("code", ["untested-variant", "missing-words"])
def test_the_pages_of_warnings_show_them(code: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = (ERRORS / f"{code}.md").read_text(encoding="utf-8")
    game = write(here / "small_game.yaml", SMALL_GAME.read_text(encoding="utf-8"))
    for heading, expected in (("Wrong", {code}), ("Right", set())):
        (text,) = re.findall(r"```yaml\n(.*?)```", page.split(f"## {heading}\n")[1].split("\n## ")[0], re.DOTALL)
        write(here / "page.yaml", text)
        run(["check", f"{game}+./page.yaml", "--format", "short"])
        assert set(re.findall(r"\[([a-z-]+)\]", capsys.readouterr().out)) == expected


# Several files, several editions.


def test_a_variant_alone_is_checked_with_each_edition_it_is_for(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(
        here / "mine.yaml",
        "variant: mine\ngame: aod\neditions: [empires, aoe3-pl]\nhouse: true\n"
        "effects: {dear: {modify: war_price, at_lest: 12}}\nscenario: {mine.loads: {players: 2}}\n",
    )
    assert run(["check", "mine.yaml"]) == 1
    out = capsys.readouterr().out
    assert out.count("error[unknown-key]") == 1
    assert run(["check", "mine.yaml", "--fix"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "fixed mine.yaml:5:37: `at_lest` is now `at_least` (unknown-key)"
    assert [line.partition(":")[0] for line in lines[1:]] == ["empires+mine.yaml", "aoe3-pl+mine.yaml"]


# Cures.


def test_certain_cures_are_put_into_the_files_that_are_named(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = here / "mine.yaml"
    write(path, SLIP + "efects:\n  dear: {modify: prise, add: 1}\n" + FINE)
    assert run(["check", f"{HARBOUR}+mine.yaml", "--fix"]) == 0
    assert path.read_text(encoding="utf-8") == (
        SLIP.replace("cots", "cost") + "effects:\n  dear: {modify: price, add: 1}\n" + FINE
    )
    assert "no errors" in capsys.readouterr().out


def test_files_that_are_not_named_are_left_alone(here: Path) -> None:
    mine = write(here / "mine.yaml", "a: wrnog\n")
    span = Span(Source(mine, "a: wrnog\n"), 1, 4, 1, 9)
    problem = error("x", "x", at=span, fix=Fix(span, "wrong"))
    assert fix_files([problem], [here / "other.yaml"]) == []
    assert len(fix_files([problem], [here / "mine.yaml"])) == 1
    assert (here / "mine.yaml").read_text(encoding="utf-8") == "a: wrong\n"


def problem_at(path: str, text: str, line: int, start: int, end: int, cure: str) -> Diagnostic:
    span = Span(Source(path, text), line, start, line, end)
    return error("x", f"{line}:{start}", at=span, fix=Fix(span, cure))


def test_cures_that_touch_each_other_wait_for_the_next_round(here: Path) -> None:
    text = "one two three\n"
    path = write(here / "mine.yaml", text)
    found = [problem_at(path, text, 1, *where) for where in ((1, 4, "1"), (3, 8, "?"), (9, 14, "3"))]
    assert [each.after for each in fix_files(found, [Path(path)])] == ["1", "3"]
    assert Path(path).read_text(encoding="utf-8") == "1 two 3\n"


def test_a_name_that_is_missed_often_is_cured_everywhere_at_once(here: Path) -> None:
    steps = ", ".join(["{add: 1, to: rouns}"] * 3)
    text = f"{GAME_OF_ROUNDS}verb: {{main: {{do: [{steps}]}}}}\n"
    path = write(here / "mine.yaml", text)
    [found] = diagnose([Path(path)])
    assert len(fix_files([found], [Path(path)])) == 3
    assert Path(path).read_text(encoding="utf-8") == text.replace("rouns", "rounds")


def test_line_ends_and_byte_order_marks_are_kept(here: Path) -> None:
    path = here / "mine.yaml"
    path.write_bytes("\ufeffone\r\ntwo\r\n".encode())
    found = [problem_at(str(path), "one\ntwo\n", line, 1, 4, cure) for line, cure in ((1, "eins"), (2, "zwei"))]
    fix_files(found, [path])
    assert path.read_bytes().decode() == "\ufeffeins\r\nzwei\r\n"
    assert offsets("ab\ncd", Span(Source("x", ""), 2, 2, 2, 3)) == (4, 5)


# Watching.


def void(_: object) -> None:
    """Do nothing with a result."""


def test_files_are_watched(here: Path) -> None:
    path = here / "mine.yaml"
    write(path, "1")
    texts = iter(["22", "", "333"])
    seen = watch_files(lambda: [path], lambda: void((text := next(texts)) and write(path, text)))
    assert next(seen) == [path]
    assert next(seen) == [path]
    assert next(texts, None) is None


def test_the_files_of_a_word_are_those_it_names_by_path(here: Path) -> None:
    mine = Path(write(here / "mine.yaml", ""))
    found = named_files([f"{HARBOUR}+dear-timber+mine.yaml", "empires"])
    assert Path("mine.yaml") in found
    assert GAMES / "harbour" / "game.yaml" in found
    assert mine.is_file()


def test_a_watched_file_is_checked_again_when_it_is_saved(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = here / "mine.yaml"
    write(path, SLIP + FINE)
    done: list[int] = []

    def wait() -> None:
        if done:
            raise KeyboardInterrupt
        done.append(1)
        write(path, SLIP.replace("cots", "cost") + FINE)

    monkeypatch.setattr(check, "_wait", wait)
    assert run(["check", f"{HARBOUR}+mine.yaml", "--watch"]) == 0
    captured = capsys.readouterr()
    assert captured.out.index("error[unknown-target]") < captured.out.index("no errors")
    assert "mine.yaml changed" in captured.err


# SARIF.


def test_problems_are_also_sarif(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here / "mine.yaml", SLIP)
    assert run(["check", f"{HARBOUR}+mine.yaml", "--format", "sarif"]) == 1
    log = json.loads(capsys.readouterr().out)
    (found,) = log["runs"]
    (result,) = found["results"]
    assert log["version"] == "2.1.0"
    assert (result["ruleId"], result["level"]) == ("unknown-target", "error")
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "mine.yaml"}
    assert place["region"] == {"startLine": 5, "startColumn": 13, "endLine": 5, "endColumn": 17}
    (rule,) = found["tool"]["driver"]["rules"]
    assert (rule["id"], result["ruleIndex"]) == ("unknown-target", 0)
    (change,) = result["fixes"][0]["artifactChanges"][0]["replacements"]
    assert change["insertedContent"] == {"text": "cost"}
    assert result["relatedLocations"]
    assert run(["check", HARBOUR, "--format", "sarif"]) == 0
    assert json.loads(capsys.readouterr().out)["runs"][0]["results"] == []


def test_a_house_rule_that_breaks_an_example_of_the_game_is_not_called_wrong(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # The example names what is taken out: that is for `aodrules test` to tell, with the clause.
    write(
        here / "mine.yaml",
        "variant: mine\ngame: aod\neditions: [empires]\nhouse: true\nremove: [building.factory]\n"
        "scenario: {mine.loads: {players: 2}}\n",
    )
    assert run(["check", "mine.yaml"]) == 0
    assert "no errors" in capsys.readouterr().out
    write(
        here / "mine.yaml",
        (here / "mine.yaml").read_text(encoding="utf-8").replace("players: 2", "players: [red, bleu]"),
    )
    assert run(["check", "mine.yaml"]) == 1
    assert "there is no seat `bleu` here\n --> mine.yaml:6:" in capsys.readouterr().out
