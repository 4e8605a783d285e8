"""A sample of the mutation score of Age of Discovery; `make mutation` tries more, and plays more games."""

from __future__ import annotations

from pathlib import Path

from attrs import evolve

from aodrules.testing.mutation import MutationRequest, MutationRunner, format_mutation, mutate, read_exclusions, sample
from aodrules.testing.suites import read_suite
from tests.content.compositions import rules_of

EXCLUSIONS = Path(__file__).with_name("exclusions.yaml")
AT_LEAST = 0.95


def test_most_of_a_sample_of_changes_is_noticed() -> None:
    found = mutate(MutationRequest("empires", sample=100, seed=11, games=1), reasons=read_exclusions(EXCLUSIONS))
    assert found.score.tried > 80
    assert found.score.share >= AT_LEAST, format_mutation(found)
    assert not found.wrongly_excluded, format_mutation(found)


def test_few_scenarios_notice_less_than_is_asked_for() -> None:
    suite = read_suite(rules_of("empires"))
    runner = MutationRunner(evolve(suite, scenarios=suite.scenarios[::20], properties=()), games=0)
    verdicts = [runner.try_mutant(one) for one in sample(runner.mutants, 40, seed=11)]
    assert 0 < sum(one.fate == "killed" for one in verdicts) < AT_LEAST * len(verdicts)
