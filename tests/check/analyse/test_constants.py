"""What can be computed before play."""

from __future__ import annotations

import pytest

from aodrules.check.analyse.constants import UNSURE, ConstantEvaluator
from tests.check.over_small_game import over

PROBE = """
kinds:
  star: {{plural: stars, attributes: {{base: number = 2, probe: number, land: land = hills}}}}
star:
  sol: {{probe: "{expression}"}}
"""


def value(expression: str, players: int = 3) -> object:
    found = over(PROBE.format(expression=expression))
    assert set(found.codes) <= {"unbounded-number"}
    return ConstantEvaluator(found.rules, players).attribute("star.probe", 0)


@pytest.mark.parametrize(
    "expression, expected",
    [
        ("3", 3),
        ("-3 + 2 * 4 - 1", 4),
        ("7 // 2 + 7 % 4", 6),
        ("len(players)", 3),
        ("self.base * len(players)", 6),
        ("2 if self.land == hills else 9", 2),
        ("2 if self.land.yields == amber else 9", 9),
        ("2 if not (self.base > 1 and self.base <= 2) else 9", 9),
        ("min(4, 2, 3) + max(4, 2) + abs(-1)", 7),
        ("sum(t.price for t in towers)", 8),
        ("sum(t.price for t in towers if t.price > 3)", 5),
        ("count(t.price > 3 for t in towers)", 1),
        ("either(max(t.price for t in towers if t.price > 9), 7)", 7),
        ("either(min(t.price for t in towers), 7)", 3),
        ("sum(n for n in range(1, 4))", 6),
        ("len(towers)", 2),
        ("1 if any(t.price > 4 for t in towers) else 0", 1),
        ("1 if all(t.price > 4 for t in towers) else 0", 0),
        ("1 if self.base in [2, 3] else 0", 1),
        ("1000000000 * 1000000000 * 10", UNSURE),
        ("sum(1 for n in range(30000))", UNSURE),
    ],
)
def test_attributes_are_computed(expression: str, expected: object) -> None:
    assert value(expression) == expected


def test_what_depends_on_play_is_unsure() -> None:
    rules = over().rules
    constants = ConstantEvaluator(rules, 2)
    assert constants.value(rules.values["crew_size"].formula) is UNSURE
    assert constants.attribute("star.none", 0) is UNSURE
    assert repr(UNSURE) == "UNSURE"


def test_pieces_are_counted_for_each_member() -> None:
    constants = ConstantEvaluator(over().rules, 2)
    assert constants.pieces("cube") == (5, 7)
    assert constants.pieces("land") == ()


@pytest.mark.parametrize("read", ["count(true for s in {})", "len(list(s for s in {}))", "size({})", "len(list({}))"])
def test_what_has_no_type_is_not_computed(read: str) -> None:
    text = PROBE.format(expression=read.format("set(t.twin for t in stars)")).replace(
        "base:", "twin: maybe star, base:"
    )
    assert over(text).codes == ["type-mismatch"]
