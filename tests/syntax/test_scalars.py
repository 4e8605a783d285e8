from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aodrules.syntax.scalars import as_integer, is_ambiguous, meaning


@pytest.mark.parametrize(
    "text", ["on", "off", "yes", "no", "y", "n", "null", "~", "None", "True", "1..8", "I", "2-6", "-", "+", "."]
)
def test_words_are_read_as_written(text: str) -> None:
    assert meaning(text) == text
    assert not is_ambiguous(text)


@pytest.mark.parametrize(
    "text", ["010", "1.10", "12:30", "1_000", "0x1F", "0o7", "0b1", "+5", "1e3", ".5", "5.", "-0", "2024-01-31", "00"]
)
def test_what_only_looks_like_a_number_is_ambiguous(text: str) -> None:
    assert is_ambiguous(text)
    assert not isinstance(meaning(text), int)


@given(st.integers(min_value=-(10**17), max_value=10**17))
def test_integers_mean_themselves(number: int) -> None:
    assert meaning(str(number)) == number
    assert not is_ambiguous(str(number))


def test_only_two_words_are_flags() -> None:
    assert meaning("true") is True
    assert meaning("false") is False


def test_nothing_written_means_nothing() -> None:
    assert meaning("") is None


def test_a_number_of_absurd_length_is_ambiguous() -> None:
    assert is_ambiguous("9" * 5000)
    assert meaning("9" * 5000) == "9" * 5000


@pytest.mark.parametrize(
    "text, expected", [("010", "10"), ("1_000", "1000"), ("+5", "5"), ("00", "0"), ("1.10", None), ("0x1F", None)]
)
def test_the_integer_that_was_meant_is_known_only_if_it_is_certain(text: str, expected: str | None) -> None:
    assert as_integer(text) == expected
