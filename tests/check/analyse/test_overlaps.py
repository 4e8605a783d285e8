"""Two effects that set one value."""

from __future__ import annotations

import pytest

from tests.check.over_small_game import codes

RULES = """
kinds: {{age: {{plural: ages, ordered: true, sorted_by: place, attributes: {{place: number}}}}}}
age: {{old: {{place: 10}}, new: {{place: 20}}}}
state: {{table: {{now: age = old}}}}
value:
  levy: {{given: {{player: player, land: land, n: number}}, is: 2}}
tower:
  one: {{price: 1, own: {{x: {{modify: levy, {one}, set: 4}}}}}}
  two: {{price: 1, own: {{x: {{modify: levy, {two}, set: {amount}}}}}}}
"""


def conflict(one: str, two: str, amount: int = 7) -> bool:
    found = codes(RULES.format(one=f'if: "{one}"', two=f'if: "{two}"', amount=amount))
    assert set(found) <= {"conflicting-sets"}
    return bool(found)


@pytest.mark.parametrize(
    "one, two",
    [
        ("land == hills", "land == shores"),
        ("land == hills", "land != hills"),
        ("n < 3", "n >= 3"),
        ("n <= 3 and rounds > 2", "n > 3"),
        ("3 > n", "n > 5"),
        ("n == 3", "n > 3"),
        ("n in [1, 2]", "n in [3, 4]"),
        ("n in [1, 2]", "n not in [1, 2]"),
        ("now == old", "now == new"),
        ("land.yields == amber", "land.yields == slate"),
        ("not (n > 3)", "not (n < 5)"),
    ],
)
def test_conditions_that_exclude_each_other_are_no_conflict(one: str, two: str) -> None:
    assert not conflict(one, two)
    assert not conflict(two, one)


@pytest.mark.parametrize(
    "one, two",
    [
        ("land == hills", "land == hills"),
        ("land == hills", "n > 3"),
        ("n < 4", "n >= 3"),
        ("n in [1, 2]", "n in [2, 3]"),
        ("self.price == 1", "self.price == 2"),
        ("player.coins > 3", "player.coins < 2"),
        ("n == 3 or n == 4", "n == 5"),
    ],
)
def test_conditions_that_may_hold_at_once_are_a_conflict(one: str, two: str) -> None:
    assert conflict(one, two)


def test_equal_constants_agree() -> None:
    assert not conflict("n > 1", "n > 2", amount=4)


BASE = "variant: {name}\nhouse: true\n{head}effects:\n  x: {{modify: tower_points, set: {amount}}}\n"


def test_a_document_that_comes_after_another_counts() -> None:
    one = BASE.format(name="first", head="", amount=1)
    assert codes(one, BASE.format(name="second", head="", amount=2)) == ["conflicting-sets"]
    assert codes(one, BASE.format(name="second", head="after: [first]\n", amount=2)) == []
