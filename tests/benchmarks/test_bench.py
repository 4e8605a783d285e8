"""The bench measures in turn, says what is missing, and holds every figure against what was asked for."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import aodrules
from benchmarks import growth, loads
from benchmarks.__main__ import bench
from benchmarks.growth import growth_measures
from benchmarks.larger_rules import _section, load_echo, write_copies
from benchmarks.rates import USUAL, Subject, rate_measures
from benchmarks.rivals import boardgame, node_versions
from benchmarks.targets import Target, linearity, targets
from benchmarks.timing import Figure, Measure, Missing, measure_in_turn
from tests.docs.blocks import DOCS, blocks_of
from tests.project.modules import CHECKOUT

PAGE = DOCS / "how-to" / "bench.md"
COMMAND = "python -m benchmarks "
HARBOUR = Subject("tests/games/harbour", players=2)


def figures(**values: float) -> dict[str, Figure]:
    return {name: Figure(name, "", (value,)) for name, value in values.items()}


def test_measures_are_taken_in_turn_and_long_ones_in_fewer_rounds() -> None:
    taken: list[str] = []

    def take(name: str) -> float:
        taken.append(name)
        return float(len(taken))

    measures = [Measure("short", "", lambda: take("short")), Measure("long", "", lambda: take("long"), most=1)]
    *_, found = measure_in_turn(measures, 3)
    assert taken == ["short", "long", "short", "short"]
    assert found["short"].median == 3
    assert found["long"].values == (2.0,)


@pytest.mark.parametrize(
    "found, at_most, verdict",
    [
        (2.0, False, "pass"),
        (1.9, False, "miss"),
        (2.0, True, "pass"),
        (2.1, True, "miss"),
        (None, True, "not measured"),
    ],
)
def test_a_figure_passes_or_misses(found: float | None, at_most: bool, verdict: str) -> None:
    assert Target("speed", found, 2.0, at_most=at_most).verdict == verdict


def test_everything_that_was_asked_for_has_a_line() -> None:
    found = [target.name for target in targets(USUAL, {})]
    asked = ["bare ÷ python-chess", "bare ÷ OpenSpiel chess", "bare ÷ OpenSpiel gin_rummy", "bare ÷ Catanatron"]
    asked += ["legality check + undo ÷ python-chess", "legality check + undo + event log ÷ python-chess"]
    asked += ["friendly actions ÷ bare", "twice the members ÷ bare", "cells of a state", "state as JSON"]
    assert set(asked) <= set(found)
    assert len(found) == len(set(found))


@pytest.mark.parametrize("power, is_linear", [(1.0, True), (1.3, False), (2.0, False)])
def test_only_linear_loading_passes(power: float, is_linear: bool) -> None:
    """A fixed cost at the start does not hide growth."""
    found = linearity(figures(**{loads.FOLD.format(times): 1000 + 100 * times**power for times in loads.FOLDS}))
    assert found is not None
    assert (found <= 1.1) == is_linear


def test_content_is_made_so_many_times_as_large(tmp_path: Path) -> None:
    rules = aodrules.load("tests/games/harbour")
    paths = write_copies(rules, 3, tmp_path)
    larger = aodrules.load("tests/games/harbour", [*paths])
    verbs, more = (len(_section(each, "verb")) for each in (rules, larger))
    assert len(paths) == 2
    assert more > 2 * verbs


def test_a_long_game_asks_one_question_all_the_time(tmp_path: Path) -> None:
    game = load_echo(tmp_path, 50).new_game(players=1, seed=1)
    for _ in range(50):
        assert len(game.codes) == 2
        game.push(game.codes[0])
    assert game.over


def test_growth_is_a_ratio_near_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth, "ANSWERS", 400)
    monkeypatch.setattr(growth, "GAMES", 120)
    for measure in growth_measures(HARBOUR, tmp_path):
        # Measured in a moment on a busy machine: only gross growth is told here.
        assert 0.1 < measure.take() < 10


def test_rates_of_other_rules_stand_beside(tmp_path: Path) -> None:
    subject = Subject("tests/games/harbour", ("tests/games/nim.yaml",), players=4)
    names = [measure.name for measure in rate_measures(subject, 0.01, tmp_path)]
    assert {"bare", "interpreter", "game.copy()", "push + pop", "tests/games/nim.yaml: bare"} <= set(names)


def shown_command() -> list[str]:
    """Return the arguments of the command that the page about the bench shows."""
    (line,) = (line for block in blocks_of(PAGE) for line in block.text.splitlines() if line.startswith(COMMAND))
    return shlex.split(line.removeprefix(COMMAND))


def test_the_command_of_the_page_prints_figures_and_verdicts(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    bench.main(shown_command(), standalone_mode=False)
    found = capsys.readouterr().out
    assert "harbour, 2 players, 1 round" in found
    assert "missing: boardgame.io: there is no Node" in found
    assert "Python 3." in found
    assert "push + pop" in found
    assert " pass " in found or " miss " in found


def test_it_is_run_from_a_checkout_and_says_in_one_line_what_is_wrong() -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "benchmarks", *arguments]
        return subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)

    assert "Example: python -m benchmarks" in run("--help").stdout
    wrong = run("harbor")
    assert wrong.returncode == 1
    assert "there is no game or edition `harbor`" in wrong.stderr
    assert "Traceback" not in wrong.stderr


def test_what_is_missing_for_node_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    assert boardgame(tmp_path, 0.1) == Missing("boardgame.io", "there is no Node on this machine")
    monkeypatch.setattr(shutil, "which", lambda _name: sys.executable)
    found = boardgame(tmp_path, 0.1)
    assert isinstance(found, Missing)
    assert "npm install" in found.because
    assert node_versions(tmp_path) == {}


def test_a_rate_is_read_from_the_script_for_node(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python stands in for Node."""
    monkeypatch.setattr(shutil, "which", lambda _name: sys.executable)
    package = tmp_path / "node_modules" / "boardgame.io"
    package.mkdir(parents=True)
    (package / "package.json").write_text('{"version": "1.2.3"}', encoding="utf-8")
    (tmp_path / "play.cjs").write_text('import json, sys; print(json.dumps({"rate": 7 * float(sys.argv[1])}))')
    found = boardgame(tmp_path, 2)
    assert isinstance(found, Measure)
    assert found.take() == 14
    assert node_versions(tmp_path)["boardgame.io"] == "1.2.3"
