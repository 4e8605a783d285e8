"""A plan without one of the passes plays the same games, as the interpreter does, and its types fit."""

from __future__ import annotations

import random
from importlib import import_module
from itertools import product

import pytest

from aodrules.compiler.compile import compile_plan
from aodrules.compiler.formulas import Formula, Literal
from aodrules.compiler.lower import decisions, loops, moves
from aodrules.compiler.lower.from_checked import plan
from aodrules.compiler.nodes import Function, Statements
from aodrules.compiler.passes import PASSES
from aodrules.compiler.passes.inline_moves import InlineMove, inline_move
from aodrules.compiler.runtime.compiled import Compiled
from aodrules.compiler.types.infer_types import infer_types
from aodrules.compiler.types.verify_types import verify_types
from aodrules.errors import InternalError
from aodrules.interpreter.interpreter import Interpreter
from aodrules.play.comparison import first_difference
from aodrules.source.spans import Span
from tests.compiler.types.plans import BENCHMARK, SMALL, players_of, rules_of, shipped_words
from tests.sampling import sampled

pytestmark = pytest.mark.slow

MODULES = {
    "inline_values": "lower.inlining",
    "inline_verbs": "lower.inlining",
    "unroll_loops": "lower.inlining",
    "memoize_keys": "passes.legality_keys",
    "guard_listings": "passes.guards",
    "loop_guards": "passes.guards",
    "narrow_domains": "passes.narrowing",
    "restrict_loops": "passes.narrowing",
}
"""The modules of passes that share one; others have one of their own name."""
OUTSIDE = {"plain_draws"}
"""What is only a choice in lowering between two functions of the runtime."""
SAMPLE = ("harbour+grand+town-subsidy+guild-rule", "caravan")


def difference_without(word: str, players: int, left_out: str, most: int = 10_000) -> str | None:
    """Return the first difference between games on the interpreter, on the whole plan, and on one without a pass."""
    rules, plans = rules_of(word), [plan(rules_of(word), players, without=frozenset(out)) for out in ({left_out}, ())]
    verify_types(plans[0], rules, infer_types(plans[0], rules))
    reference, chance = Interpreter(rules, players, 7), random.Random(7)
    others = [Compiled.new_game(compile_plan(one), 7) for one in plans]
    for answered in range(most):
        for other in others:
            found = first_difference(reference, other, players, answered)
            if found is not None:
                return f"{found} after {answered} answers"
        if not reference.codes:
            return None
        answer = chance.choice(reference.codes)
        reference.apply(answer)
        for other in others:
            other.apply(answer)
    return None


@pytest.mark.parametrize("word, left_out", sampled(product(SAMPLE, PASSES), 3))
def test_a_pass_changes_nothing_that_a_small_game_does(word: str, left_out: str) -> None:
    assert difference_without(word, players_of(word)[-1], left_out) is None


@pytest.mark.parametrize("left_out", ["legality_keys"])
def test_a_pass_changes_nothing_that_a_large_game_does(left_out: str) -> None:
    assert difference_without(BENCHMARK, 4, left_out, most=40) is None


@pytest.mark.soak
@pytest.mark.parametrize("left_out", PASSES)
@pytest.mark.parametrize("word", [*SMALL, *shipped_words()])
def test_a_pass_changes_nothing_that_any_game_does(word: str, left_out: str) -> None:
    for players in players_of(word):
        assert difference_without(word, players, left_out) is None


def test_all_passes_can_be_left_out_at_once() -> None:
    rules = rules_of("caravan")
    bare = plan(rules, 3, without=frozenset(PASSES))
    verify_types(bare, rules, infer_types(bare, rules))
    game, reference, chance = Compiled.new_game(compile_plan(bare), 1), Interpreter(rules, 3, 1), random.Random(1)
    while reference.codes:
        assert first_difference(reference, game, 3) is None
        answer = chance.choice(reference.codes)
        reference.apply(answer)
        game.apply(answer)
    assert first_difference(reference, game, 3) is None


@pytest.mark.parametrize("name", sorted(PASSES.keys() - OUTSIDE))
def test_each_pass_has_a_module_that_shows_plans_before_and_after(name: str) -> None:
    module = import_module(f"aodrules.compiler.{MODULES.get(name, f'passes.{name}')}")
    assert module.__doc__ is not None
    assert "→" in module.__doc__
    assert name not in MODULES or name in module.__doc__


def test_a_pass_that_does_not_exist_cannot_be_left_out() -> None:
    with pytest.raises(InternalError, match="there is no pass peephole"):
        plan(rules_of("nim"), 2, without=frozenset({"peephole"}))


# Passes that are wrong on purpose.


def forgetful(move: InlineMove) -> Statements | None:
    """Return a move written out without its last statement."""
    written = inline_move(move)
    return None if written is None else written[:-1]


def never(_: Function, span: Span) -> Formula:
    return Literal(span, value=False)


def test_a_move_that_is_written_out_wrongly_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moves, "inline_move", forgetful)
    assert difference_without("caravan", 3, "plain_draws") is not None


def test_a_guard_that_shuts_out_too_much_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions, "guard_listing", never)
    assert difference_without("harbour", 3, "plain_draws") is not None


def test_a_loop_that_leaves_out_members_that_matter_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loops, "relevant_members", lambda *_: frozenset())
    assert difference_without("harbour", 3, "plain_draws") is not None
