"""Whatever rules may say is lowered: each kind of step and expression has its entry."""

from __future__ import annotations

from typing import get_args

from aodrules.check.steps import AnyStep
from aodrules.compiler.lower.from_checked import BINDING_STEPS, EXPRESSIONS, STEPS
from aodrules.lang.expressions import Expression


def test_every_kind_of_expression_is_lowered() -> None:
    assert EXPRESSIONS.keys() == set(get_args(Expression))


def test_every_kind_of_step_is_lowered_in_one_way() -> None:
    assert STEPS.keys() | BINDING_STEPS.keys() == set(get_args(AnyStep))
    assert not STEPS.keys() & BINDING_STEPS.keys()
