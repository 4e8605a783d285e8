"""Recorded games are played again step by step: the same questions, answers and states, on both engines."""

from __future__ import annotations

import pytest

from tests.content.compositions import EDITIONS, heads
from tests.content.recording import Course, parse_recording, read_recordings
from tests.sampling import sampled

RECORDINGS = read_recordings()
COURSES = [(name, "compiled") for name in sorted(RECORDINGS)]
SLOW_COURSES = [(name, "interpreter") for name in sorted(RECORDINGS)]


@pytest.mark.parametrize("name, engine", [*COURSES, *sampled(SLOW_COURSES, 3)])
def test_a_recorded_game_goes_as_it_went(name: str, engine: str) -> None:
    recording = RECORDINGS[name]
    course = Course(recording.rules, recording.players, recording.seed, engine)
    for number, line in enumerate(recording.lines):
        code = course.code(line.action)
        assert code is not None, f"line {number}: {line}"
        assert course.line(code) == line, f"line {number}"
        course.machine.apply(code)
    assert course.machine.pending is None
    assert course.scores == recording.scores


def test_a_recording_is_read_as_it_is_written() -> None:
    for recording in RECORDINGS.values():
        assert parse_recording(str(recording)) == recording


def test_every_edition_and_variant_is_recorded() -> None:
    words = {part for recording in RECORDINGS.values() for part in recording.rules.split("+")}
    assert words >= {*EDITIONS, *(head.name for head in heads() if not head.is_ruling)}
