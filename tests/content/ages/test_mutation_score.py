"""Most changes of the rules of Through the Ages are noticed by its examples, as the soak shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from aodrules.testing.mutants import mutants_of
from aodrules.testing.mutation import MutationRequest, format_mutation, mutate, read_exclusions
from tests.content.ages.playing import rules_of

EXCLUSIONS = Path(__file__).with_name("exclusions.yaml")
AT_LEAST = 0.9


@pytest.mark.soak
@pytest.mark.parametrize("seed", [21, 22])
def test_nearly_every_change_is_noticed(seed: int) -> None:
    found = mutate(MutationRequest("ages", sample=400, seed=seed, games=0), reasons=read_exclusions(EXCLUSIONS))
    assert found.score.tried > 350
    assert found.score.share >= AT_LEAST, format_mutation(found)
    assert not found.wrongly_excluded, format_mutation(found)


def test_what_is_excluded_is_a_change_of_these_rules() -> None:
    reasons = read_exclusions(EXCLUSIONS)
    assert set(reasons) <= {one.id for one in mutants_of(rules_of().book.checked)}
    assert all(reasons.values())
