"""Every edition and every shipped variant is held to account: no gap in the register, no broken example or law."""

from __future__ import annotations

import pytest

from aodrules.source.diagnostics import Report
from aodrules.testing import Suite, read_suite
from aodrules.testing.clause_map import clause_map
from aodrules.testing.playing import TEMPERS, Line, play
from aodrules.testing.scenario_runner import ScenarioRunner, run_scenario
from aodrules.testing.scenarios import ScenarioReader
from aodrules.testing.statements import declared_rulings, other_reading
from aodrules.testing.suites import scenario_result
from tests.content.compositions import EDITIONS, Head, closed, fitting, heads, player_counts, rules_of
from tests.sampling import sampled

SOAKED_GAMES = 6
PAIRS = [(edition, name) for edition in EDITIONS for name in fitting(edition)]
"""Every variant and every other reading with every edition it is for."""


def _sample() -> list[tuple[int, str, Head]]:
    """Return every variant and every other reading with one of its editions, by turns."""
    editions = [sorted(head.editions) or sorted(EDITIONS) for head in heads()]
    return [(number, editions[number][number % len(editions[number])], head) for number, head in enumerate(heads())]


def _suite(edition: str, *names: str) -> Suite:
    return read_suite(rules_of(edition, tuple(sorted(closed(edition, names)))))


def _gaps(suite: Suite) -> list[str]:
    return [str(gap) for gap in clause_map(suite).gaps]


def _broken_examples(suite: Suite, first: int = 0, step: int = 1) -> list[tuple[str, str]]:
    stage = ScenarioRunner(suite.book)
    results = [scenario_result(stage, scenario) for scenario in suite.scenarios[first::step]]
    return [(result.id, result.message) for result in results if result.is_wrong]


def _broken_laws(suite: Suite, seed: int) -> list[str]:
    """Play a game, by few in the first one: those are soon over."""
    counts = player_counts(suite.rules)
    line = Line(counts[seed % len(counts)], seed, TEMPERS[(seed + 2) % len(TEMPERS)])
    return [breach.law.id for breach in play(suite.book, line, suite.properties).breaches]


def _without(edition: str, name: str) -> Suite:
    """Return what an edition is held to with all that a variant requires, and not the variant."""
    return read_suite(rules_of(edition, tuple(sorted(closed(edition, (name,)) - {name}))))


def _telling(played: Suite, other: Suite, ruling: str) -> list[str]:
    """Return the examples of a ruling that hold with the reading they show and not with the other one."""
    reader, stages = (
        ScenarioReader(other.book),
        (ScenarioRunner(played.book), ScenarioRunner(other.book)),
    )
    found = []
    for scenario in (each for each in played.scenarios if ruling in each.statement.rulings):
        again = reader.read(scenario.statement, Report())
        if again is None or run_scenario(stages[1], again).status != "passed":
            found.append(scenario.id)
    return found


def _ruling_of(suite: Suite, reading: str) -> str:
    rulings = declared_rulings(suite.book.ruleset).items()
    return next(id_ for id_, body in rulings if other_reading(body, {reading}) == reading)


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_edition_has_no_gap_and_keeps_its_examples(edition: str) -> None:
    suite = _suite(edition)
    assert list(suite.problems) == []
    assert _gaps(suite) == []
    assert _broken_examples(suite) == []


@pytest.mark.parametrize(
    "number, edition, head", sampled(_sample(), 4), ids=lambda each: getattr(each, "name", str(each))
)
def test_a_variant_has_no_gap_and_breaks_nothing_that_it_does_not_override(
    number: int, edition: str, head: Head
) -> None:
    """Every second example by turns; a game is played with variants, not with other readings, for want of time."""
    suite = _suite(edition, head.name)
    assert list(suite.problems) == []
    assert _gaps(suite) == []
    assert _broken_examples(suite, number % 2, 2) == []
    if not head.is_ruling:
        assert _broken_laws(suite, 0) == []
        return
    # The examples of a ruling are held to be what they seem: those of one reading fail with the other.
    ruling, chosen = _ruling_of(suite, head.name), _without(edition, head.name)
    assert _telling(chosen, suite, ruling) + _telling(suite, chosen, ruling)


@pytest.mark.soak
@pytest.mark.parametrize("edition, name", PAIRS)
def test_a_variant_goes_with_every_edition(edition: str, name: str) -> None:
    suite = _suite(edition, name)
    assert list(suite.problems) == []
    assert _gaps(suite) == []
    assert _broken_examples(suite) == []
    assert [_broken_laws(suite, seed) for seed in range(1, SOAKED_GAMES)] == [[]] * (SOAKED_GAMES - 1)
