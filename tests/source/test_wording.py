from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aodrules.source.wording import did_you_mean, nearest


@pytest.mark.parametrize(
    "name, candidates, expected",
    [
        ("row_lenght", ["row_length", "row_width"], "row_length"),
        ("form", ["from", "to"], "from"),
        ("modfy", ["modify", "offer"], "modify"),
        ("cash", ["wares"], None),
        ("Cash", ["cash"], "cash"),
        ("ab", ["abc"], None),
        ("tile", ["tiles", "file"], None),
        ("tile", [], None),
        ("tile", ["tile"], None),
        ("tiles", ["tile", "times"], None),
        ("captian", ["captain", "campaign"], "captain"),
    ],
)
def test_only_the_one_near_name_is_suggested(name: str, candidates: list[str], expected: str | None) -> None:
    assert nearest(name, candidates) == expected


def test_the_suggestion_is_a_question() -> None:
    assert did_you_mean("form", ["from"]) == "did you mean `from`?"
    assert did_you_mean("form", ["zzz"]) is None


@given(st.text(max_size=12), st.lists(st.text(max_size=12)))
def test_the_order_of_candidates_does_not_matter(name: str, candidates: list[str]) -> None:
    assert nearest(name, candidates) == nearest(name, candidates[::-1])
