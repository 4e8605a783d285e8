"""The pytest plugin: scenarios and properties are collected from any YAML file, and no Python is needed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.testing.texts import written

pytest_plugins = ["pytester"]

SCENARIO = """
scenario:
  first-stones:
    rules: {RULES}
    players: [first, second]
    when: [{first: take low_heap 2}]
    then: {heaps.low_heap.lying: {pebble: COUNT}}
"""
VARIANT = """
variant: short
game: nim
house: true
change: {heap.tall_heap.height: 1}
scenario:
  a-short-heap:
    when: [{first: take tall_heap 1}]
    then: {heaps.tall_heap.lying: {}}
property:
  never-two: {always: size(heaps.tall_heap.lying) < 2}
"""
GAMES = Path("tests/games").absolute()


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return pytester.runpytest_inprocess("-p", "no:cacheprovider", "-p", "no:randomly", *arguments)


def test_a_scenario_that_names_its_rules_is_run(pytester: pytest.Pytester) -> None:
    text = SCENARIO.replace("{RULES}", (GAMES / "nim.yaml").as_posix())
    written(pytester.path, "fine.yaml", text.replace("COUNT", "1"))
    written(pytester.path, "wrong.yaml", text.replace("COUNT", "2"))
    result = run(pytester)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*`heaps.low_heap.lying` is 1 pebble, not 2 pebble*"])


def test_a_variant_is_tested_with_its_game(pytester: pytest.Pytester) -> None:
    written(pytester.path, "nim.yaml", (GAMES / "nim.yaml").read_text(encoding="utf-8"))
    written(pytester.path, "short.yaml", VARIANT)
    run(pytester, "short.yaml", "--aodrules-games", "2").assert_outcomes(passed=2)


def test_the_rules_may_be_given_on_the_command_line(pytester: pytest.Pytester) -> None:
    text = SCENARIO.replace("    rules: {RULES}\n", "").replace("COUNT", "1")
    written(pytester.path, "some.yaml", text)
    run(pytester).assert_outcomes(failed=1)
    run(pytester, "--aodrules-rules", (GAMES / "nim.yaml").as_posix()).assert_outcomes(passed=1)


def test_mistakes_are_shown_with_their_place(pytester: pytest.Pytester) -> None:
    text = SCENARIO.replace("{RULES}", (GAMES / "nim.yaml").as_posix()).replace("low_heap 2", "lo_heap 2")
    written(pytester.path, "typo.yaml", text.replace("COUNT", "1"))
    result = run(pytester)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*error*wrong-action*"])


def test_what_does_not_speak_of_the_rules_is_skipped(pytester: pytest.Pytester) -> None:
    text = SCENARIO.replace("{RULES}", (GAMES / "nim.yaml").as_posix()).replace("COUNT", "1")
    written(pytester.path, "other.yaml", text.replace("    players", "    editions: [other]\n    players"))
    run(pytester).assert_outcomes(skipped=1)


def test_other_yaml_is_left_alone(pytester: pytest.Pytester) -> None:
    written(pytester.path, "settings.yaml", "a: {scenario: 3}\n")
    run(pytester).assert_outcomes()
