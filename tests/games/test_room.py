"""The small games are far from the bounds: what is like them loads too."""

from __future__ import annotations

import pytest

from tests.games.rulesets import RULESETS, checked
from tests.room import assert_room


@pytest.mark.parametrize("word", RULESETS)
def test_every_bound_leaves_room(word: str) -> None:
    assert_room(checked(word), 2)
