"""The analyses say something or nothing about any rules whatever, and never fail."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from attrs import evolve, fields, has

from aodrules.check.analyse.analyses import analyse
from aodrules.check.checked import CheckedRules
from aodrules.check.visit import EXPRESSIONS, STEPS
from aodrules.compose.ruleset import Ruleset
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Span
from aodrules.syntax.tree import Mapping
from tests.check.over_small_game import over
from tests.engines.handmade import bazaar, nim
from tests.engines.parts import AT

EMPTY = Ruleset("nothing", Mapping(AT))


def problems(rules: CheckedRules) -> list[str]:
    report = Report()
    analyse(rules, EMPTY, report)
    return [each.code for each in report]


def parts(part: Any) -> Iterator[Any]:
    """Iterate over everything inside rules."""
    if isinstance(part, dict):
        for each in part.values():
            yield from parts(each)
    elif isinstance(part, tuple):
        for each in part:
            yield from parts(each)
    elif has(type(part)) and not isinstance(part, Span):
        yield part
        for attribute in fields(type(part)):
            yield from parts(getattr(part, attribute.name))


class Scrambler:
    """Puts expressions and steps of some rules where others were, and leaves things out."""

    def __init__(self, rules: CheckedRules, seed: int) -> None:
        self.random = random.Random(seed)
        found = list(parts(rules))
        self.expressions = [each for each in found if isinstance(each, EXPRESSIONS)]
        self.steps = [each for each in found if isinstance(each, STEPS)]

    def scrambled(self, part: Any) -> Any:
        if isinstance(part, dict):
            return {key: self.scrambled(each) for key, each in part.items() if self.random.random() > 0.01}
        if isinstance(part, tuple):
            return self.items(part)
        if isinstance(part, EXPRESSIONS) and self.random.random() < 0.03:
            return self.random.choice(self.expressions)
        if isinstance(part, STEPS) and self.random.random() < 0.03:
            return self.random.choice(self.steps)
        if not has(type(part)) or isinstance(part, Span):
            return part
        names = [each.name for each in fields(type(part)) if each.name not in ("span", "type")]
        return evolve(part, **{name: self.scrambled(getattr(part, name)) for name in names})

    def items(self, part: tuple[Any, ...]) -> tuple[Any, ...]:
        if part and isinstance(part[0], STEPS):
            part = tuple(each for each in part if self.random.random() > 0.02)
        return tuple(self.scrambled(each) for each in part)


def test_rules_that_are_right_have_no_problem() -> None:
    assert problems(nim()) == []
    assert problems(bazaar()) == []


@pytest.mark.parametrize("part", range(4))
def test_scrambled_rules_never_fail(part: int) -> None:
    for game in (nim(), bazaar(), over().rules):
        for seed in range(part * 50, part * 50 + 50):
            problems(Scrambler(game, seed).scrambled(game))


def test_the_same_rules_give_the_same_report() -> None:
    for seed in range(5):
        rules = Scrambler(bazaar(), seed).scrambled(bazaar())
        assert problems(rules) == problems(rules)
