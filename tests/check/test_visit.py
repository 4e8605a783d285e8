"""Ways through checked rules, and changes on the way."""

from __future__ import annotations

from attrs import evolve

from aodrules.check.steps import AddTo, AnyStep, Move
from aodrules.check.visit import Shapes, all_bodies, children, places, text_of, transform_steps, walk, walk_steps
from aodrules.lang.expressions import Const
from aodrules.lang.types import FLAG, NUMBER
from tests.check.over_small_game import over
from tests.engines.handmade import bazaar, nim
from tests.engines.parts import AT, compute, local, number, numbers
from tests.engines.parts import over as over_items


def test_children_are_those_directly_inside() -> None:
    two = number(2)
    total = compute("+", two, local("n", NUMBER))
    assert children(total)[0] is two
    assert len(list(walk(compute("*", total, two)))) == 5


def test_the_loops_of_a_comprehension_are_inside_it() -> None:
    items, item = numbers(0, 3), local("n", NUMBER)
    assert set(children(over_items("sum", NUMBER, item, "n", items))) == {item, items}


def test_shapes_are_equal_for_what_says_the_same() -> None:
    shapes = Shapes()
    assert shapes.of(compute("+", number(1), number(2))) == shapes.of(compute("+", number(1), number(2)))
    assert shapes.of(compute("+", number(1), number(2))) != shapes.of(compute("-", number(1), number(2)))
    assert shapes.of(number(1)) != shapes.of(Const(FLAG, AT, value=True))


def test_places_are_found_in_steps_and_arguments() -> None:
    moves = [step for body in all_bodies(bazaar()) for step in walk_steps(body) if isinstance(step, Move)]
    assert all(set(places(step)) >= {step.source, step.target} for step in moves)


def test_the_text_of_a_place_is_what_is_written_there() -> None:
    formula = over().rules.values["crew_size"].formula
    assert text_of(formula.span) == "size(land.crew[player])"


def test_rewriting_reaches_every_step_and_nothing_else() -> None:
    def change(step: AnyStep) -> AnyStep:
        return evolve(step, up_to=True) if isinstance(step, AddTo) else step

    for rules in (nim(), bazaar(), over().rules):
        changed = [step for body in all_bodies(transform_steps(rules, change)) for step in walk_steps(body)]
        assert {step.up_to for step in changed if isinstance(step, AddTo)} == {True}
        before = [step for body in all_bodies(rules) for step in walk_steps(body)]
        assert [type(step) for step in changed] == [type(step) for step in before]


def test_what_is_not_changed_is_the_same_object() -> None:
    rules = bazaar()
    kept = transform_steps(rules, lambda step: step)
    assert all(kept.verbs[name] is verb for name, verb in rules.verbs.items())
    assert all(kept.decisions[name] is decision for name, decision in rules.decisions.items())
    assert all(kept.hooks[name] is hook for name, hook in rules.hooks.items())
