"""Counts of legal sequences, from positions of recorded games in which every kind of decision occurs."""

from __future__ import annotations

import pytest

from tests.content.compositions import EDITIONS
from tests.content.recording import (
    COUNTED,
    DEPTH,
    ENOUGH,
    POSITIONS,
    counts_from,
    machine_at,
    read_positions,
    read_recordings,
    rules_named,
)


@pytest.mark.parametrize("word", COUNTED)
def test_as_many_sequences_go_on_as_were_counted(word: str) -> None:
    recordings = read_recordings()
    for position in read_positions(word):
        machine = machine_at(recordings[position.game], position.after)
        assert machine.pending is not None
        assert machine.pending.decision == position.decision
        assert counts_from(machine) == position.counts, position
        assert len(position.counts) == DEPTH or position.counts[-1] > ENOUGH


@pytest.mark.parametrize("word", EDITIONS)
def test_enough_is_counted(word: str) -> None:
    assert len(read_positions(word)) >= POSITIONS


@pytest.mark.parametrize("word", EDITIONS)
def test_every_decision_of_an_edition_is_counted(word: str) -> None:
    """Some decisions of the shared game serve only what the edition or its variants add."""
    rules = rules_named(word).book.checked
    counted = {position.decision for position in read_positions(word)}
    serving = {"decision.any_specialist": "auction", "decision.overflow": "overpopulation"}
    assert {each for each in set(rules.decisions) - counted if each not in serving} == set()
    assert ("decision.overflow" in counted) == ("overpopulation" in rules.kinds["building"].members)


@pytest.mark.parametrize("word", COUNTED)
def test_every_decision_that_was_recorded_is_counted(word: str) -> None:
    recordings = [each for each in read_recordings().values() if each.rules == word]
    asked = {line.decision for each in recordings for line in each.lines if line.choices > 1}
    assert asked <= {position.decision for position in read_positions(word)}
