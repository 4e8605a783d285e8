"""Calls are written in place as long as the whole stays small: rules that double with every call do not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from aodrules.check.checked import CheckedRules
from aodrules.compiler.lower.from_checked import plan
from aodrules.play.engines import program_of
from tests.check.over_small_game import over


def reacting(step: str, more: str) -> CheckedRules:
    found = over(f"tower: {{probe: {{price: 1, own: {{look: {{upon: sent, do: [{step}]}}}}}}}}\n{more}")
    assert found.codes == []
    return found.rules


def values(length: int) -> CheckedRules:
    lines = [f"  v{i}:\n    is: v{i + 1}() + v{i + 1}()" for i in range(length)]
    return reacting("{if: v0() > 5, then: [{earn: 1}]}", "\n".join(["value:", *lines, f"  v{length}: {{is: rounds}}"]))


def verbs(length: int) -> CheckedRules:
    lines = [f"  v{i}: {{do: [{{if: rounds > 3, then: [v{i + 1}], else: [v{i + 1}]}}]}}" for i in range(length)]
    return reacting("v0", "\n".join(["verb:", *lines, f"  v{length}: {{do: [{{set: rounds, to: 1}}]}}"]))


def hooks(length: int) -> CheckedRules:
    twice = "{{run: stars.s{0}.shine}}, {{run: stars.s{0}.shine}}"
    lines = [f"  s{i}: {{shine: [{twice.format(i + 1)}]}}" for i in range(length)]
    kind = "kinds: {star: {plural: stars, hooks: {shine: {}}}}\nstar:"
    return reacting(
        "{run: stars.s0.shine}", "\n".join([kind, *lines, f"  s{length}: {{shine: [{{set: rounds, to: 1}}]}}"])
    )


def names(length: int) -> CheckedRules:
    lets = [f"{{let: n{i + 1}, be: n{i} + n{i}}}" for i in range(length)]
    steps = ", ".join(
        ["{let: n0, be: player.coins}", *lets, f"{{if: n{length} > 5, then: [{{choose: odd, by: player}}]}}"]
    )
    loop = f"{{for: player, in: players, do: [{steps}]}}"
    return reacting("v0", f"decision: {{odd: {{options: {{go: {{do: []}}}}}}}}\nverb: {{v0: {{do: [{loop}]}}}}")


def sums(length: int) -> CheckedRules:
    formula = "rounds"
    for i in range(length // 4):
        formula = f"sum({formula} for n{i} in range(0, 10))"
    return reacting(f'{{if: "{formula} > 5", then: [{{earn: 1}}]}}', "")


def size(rules: CheckedRules) -> int:
    found = plan(rules, 2)
    return sum(len(repr(each)) for each in (found.functions, found.procedures, found.graph))


@pytest.mark.parametrize("chain", [values, verbs, hooks, names, sums])
def test_what_doubles_with_every_call_is_not_written_out(chain: Callable[[int], CheckedRules]) -> None:
    shorter, longer = size(chain(16)), size(chain(20))
    # What doubles is sixteen times as large. What is written in place grows up to its bound, and then begins anew.
    assert longer < 8 * shorter
    program_of(chain(20), 2)
