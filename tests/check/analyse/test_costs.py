"""Work is added up along the ways on which nobody is asked, and keeps the loops that make the most of it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aodrules.check.analyse.costs import (
    FREE,
    NEVER,
    NOTHING,
    ONE,
    QUESTION,
    Amount,
    Cost,
    LoopRounds,
    asked_again,
    either,
    largest,
    leave,
    one_after_other,
    plain,
    rounds,
    work,
)
from aodrules.source.spans import Source, Span

SPAN = Span(Source("rules.yaml", "x"), 1, 1, 1, 2)


def loop(times: int, text: str = "x") -> LoopRounds:
    return LoopRounds(times, text, SPAN)


def some(rounds_: int) -> Cost:
    return work(plain(rounds_))


def numbers(cost: Cost) -> tuple[int | None, ...]:
    parts = (cost.through, cost.head, cost.tail, cost.peak, cost.decisions, cost.total)
    return tuple(None if each is None else each.number for each in parts)


# Amounts.


def test_both_together_keep_the_dearer_path() -> None:
    few, many = ONE.in_loop(loop(3, "few")), ONE.in_loop(loop(5, "many"))
    for both in (few + many, many + few):
        assert (both.number, both.share, both.path) == (8, 5, many.path)
    three = few + few + many  # What is done in the same loops is one share.
    assert (three.number, three.share, three.path) == (11, 6, few.path)


def test_of_two_paths_as_dear_the_last_is_kept() -> None:
    one, other = ONE.in_loop(loop(4, "one")), ONE.in_loop(loop(4, "other"))
    assert (one + other).path == other.path
    assert largest(one, other) == other
    assert largest(None, one, NOTHING) == one


def test_what_no_loop_makes_has_no_path() -> None:
    assert (plain(2) + ONE.in_loop(loop(3))).path == (loop(3),)
    assert (plain(100) + ONE.in_loop(loop(3))).path == ()
    assert plain(0) == NOTHING


def test_loops_inside_each_other_multiply() -> None:
    inner = ONE + ONE.in_loop(loop(10, "inner"))
    assert inner.in_loop(loop(7, "outer")) == Amount(77, 70, (loop(7, "outer"), loop(10, "inner")), 70)
    assert inner.in_loop(loop(7, "outer"), 2) == Amount(22, 20, (loop(7, "outer"), loop(10, "inner")), 20)


def test_the_dearest_place_is_kept_with_what_is_done_there() -> None:
    here, there = (Span(Source("rules.yaml", "x"), line, 1, line, 2) for line in (1, 2))
    both = (plain(2, there) + plain(2, there) + plain(3, here)).in_loop(loop(10))
    assert (both.number, both.share, both.part, both.place) == (70, 70, 40, there)
    assert (plain(3, here) + plain(9, there).in_loop(loop(2))).place == there


def test_loops_that_go_round_once_are_not_on_the_path() -> None:
    assert ONE.in_loop(loop(5)).in_loop(loop(1)) == ONE.in_loop(loop(5))


def test_nothing_in_a_loop_or_a_loop_without_rounds_is_nothing() -> None:
    assert NOTHING.in_loop(loop(5)) == ONE.in_loop(loop(0)) == ONE.in_loop(loop(5), 0) == NOTHING


# Costs.


def test_work_in_a_row_adds_up_and_in_loops_multiplies() -> None:
    assert numbers(one_after_other(some(3), some(4))) == numbers(some(7))
    assert numbers(rounds(loop(10), rounds(loop(10), FREE)))[0] == 110
    assert rounds(loop(0), some(5)) == FREE


def test_a_question_cuts_the_work() -> None:
    cost = one_after_other(some(3), QUESTION, some(4), QUESTION, some(5))
    assert numbers(cost) == (None, 3, 5, 4, 2, 12)
    assert cost.most.number == 5
    assert numbers(cost.without_work()) == (None, 0, 0, 0, 2, 0)


def test_a_question_that_may_be_left_out_cuts_nothing() -> None:
    cost = one_after_other(some(3), either(FREE, QUESTION), some(4))
    assert numbers(cost) == (7, 3, 4, 0, 1, 7)


def test_work_between_the_questions_of_two_rounds_counts() -> None:
    cost = rounds(loop(5), one_after_other(some(2), QUESTION, some(3)))
    assert numbers(cost)[1:] == (3, 3, 6, 5, 30)


def test_rounds_without_a_question_stand_between_those_with_one() -> None:
    cost = rounds(loop(5), either(some(9), QUESTION))
    assert numbers(cost) == (50, 41, 40, 41, 5, 50)


def test_one_of_no_ways_is_no_way() -> None:
    assert either() == NEVER
    assert either(some(2), some(5)) == some(5)


def test_each_answer_that_asks_again_has_its_share_of_the_decisions() -> None:
    seldom, often = one_after_other(QUESTION, QUESTION, QUESTION), one_after_other(some(7), QUESTION)
    cost = asked_again([(loop(2, "seldom"), seldom), (loop(9, "often"), often)])
    assert cost.decisions == Amount(15, 9, (loop(9, "often"),), 9)
    assert cost.most.number == 8
    assert asked_again([]) == FREE


def test_the_path_of_a_loop_leads_to_the_dearest_thing_in_it() -> None:
    cheap, dear = rounds(loop(3, "cheap"), FREE), rounds(loop(4, "dear"), FREE)
    [outer, inner] = rounds(loop(5, "outer"), one_after_other(dear, cheap)).most.path
    assert (outer.text, inner.text) == ("outer", "dear")
    [outer, inner] = rounds(loop(5, "outer"), either(dear, cheap)).most.path
    assert (outer.text, inner.text) == ("outer", "dear")


# All ways through small programs, one by one.

LEAVES = st.one_of(
    st.tuples(st.just("work"), st.integers(0, 4)),
    st.just(("ask",)),
    st.sampled_from([("leave", "body"), ("leave", "game")]),
)
Ways = set[tuple[str, tuple[int, ...]]]
"""What each way has left (nothing if it came to the end), and its work before, between and after its questions."""


def programs(*, loops: bool) -> st.SearchStrategy[Any]:
    def larger(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        kinds = [st.tuples(st.sampled_from(["row", "either"]), inner, inner), st.tuples(st.just("body"), inner)]
        if loops:
            kinds.append(st.tuples(st.just("loop"), st.integers(0, 3), inner))
            kinds.append(st.tuples(st.just("again"), st.integers(0, 2), inner, st.integers(0, 2), inner))
        return st.one_of(kinds)

    return st.recursive(LEAVES, larger, max_leaves=5)


def cost_of(program: Any) -> Cost:
    match program:
        case ("work", amount):
            return some(amount)
        case ("ask",):
            return QUESTION
        case ("leave", what):
            return leave(what)
        case ("body", inner):
            return cost_of(inner).after_leaving("body")
        case ("row", one, other):
            return one_after_other(cost_of(one), cost_of(other))
        case ("either", one, other):
            return either(cost_of(one), cost_of(other))
        case ("again", times, one, often, other):
            return asked_again([(loop(times), cost_of(one)), (loop(often), cost_of(other))])
        case _:
            return rounds(loop(program[1]), cost_of(program[2]))


def ways(program: Any) -> Ways:
    """Return every way through a program."""
    match program:
        case ("work", amount):
            return {("", (amount,))}
        case ("ask",):
            return {("", (0, 0))}
        case ("leave", what):
            return {(what, (0,))}
        case ("body", inner):
            return {("" if left == "body" else left, way) for left, way in ways(inner)}
        case ("row", one, other):
            return in_a_row(ways(one), ways(other))
        case ("either", one, other):
            return ways(one) | ways(other)
        case ("again", times, one, often, other):
            return answered({("", (0,))}, (times, ways(one)), (often, ways(other)))
        case _:
            return answered({("", (0,))}, (program[1], ways(program[2])))


def answered(found: Ways, *turns: tuple[int, Ways]) -> Ways:
    """Return the ways on which each of some rounds is gone at most so often, in any order."""
    total = set(found)
    for number, (times, round_) in enumerate(turns):
        if times:
            rest = (*turns[:number], (times - 1, round_), *turns[number + 1 :])
            total |= answered(in_a_row(in_a_row(found, {("", (1,))}), round_), *rest)
    return total


def in_a_row(first: Ways, then: Ways) -> Ways:
    left = {each for each in first if each[0]}
    return left | {
        (what, (*one[:-1], one[-1] + other[0], *other[1:])) for end, one in first if not end for what, other in then
    }


def dearest(found: set[tuple[int, ...]]) -> tuple[int | None, ...]:
    return (
        max((way[0] for way in found if len(way) == 1), default=None),
        max((way[0] for way in found if len(way) > 1), default=None),
        max((way[-1] for way in found if len(way) > 1), default=None),
        max((each for way in found for each in way[1:-1]), default=0),
        max((len(way) for way in found), default=1) - 1,
        max((sum(way) for way in found), default=0),
    )


def each_way_out(program: Any) -> list[tuple[Cost, tuple[int | None, ...]]]:
    """Return for the end of a program and all that can be left in it what is said and what is true."""
    cost, found = cost_of(program), ways(program)
    said = {"": cost, **dict(cost.exits)}
    assert {left for left, _ in found} <= {*said}
    return [(said[what], dearest({way for left, way in found if left == what})) for what in said]


@given(programs(loops=False))
def test_without_loops_the_cost_is_that_of_the_dearest_way(program: Any) -> None:
    for said, true in each_way_out(program):
        assert numbers(said) == true


@given(programs(loops=True))
def test_no_way_costs_more_than_is_said(program: Any) -> None:
    for cost, found in each_way_out(program):
        for said, true in zip(numbers(cost), found, strict=True):
            assert true is None or (said is not None and said >= true)


@given(programs(loops=True))
def test_a_path_makes_no_more_than_there_is(program: Any) -> None:
    cost = cost_of(program)
    for each in (cost.through, cost.head, cost.tail, cost.peak, cost.decisions, cost.total):
        if each is not None:
            assert min(each.number, 1) <= each.part <= each.share <= each.number


def test_what_comes_before_an_end_in_a_loop_counts_once() -> None:
    ending = one_after_other(some(50), QUESTION, leave("game"))
    cost = rounds(loop(10), one_after_other(either(FREE, ending), some(2)))
    assert numbers(cost)[0] == 30
    [(left, ended)] = cost.exits
    assert (left, numbers(ended)) == ("game", (None, 78, 0, 0, 1, 78))
    assert cost.most.number == 78
    assert cost.most_decisions.number == 1
    assert numbers(cost.after_leaving("game")) == (30, 78, 0, 0, 1, 78)


def test_nothing_is_done_after_an_end() -> None:
    assert one_after_other(some(2), leave("body"), QUESTION, some(9)).after_leaving("body") == some(2)


@pytest.mark.parametrize("members, share", [((4, 4, 4), 12), ((1, 9, 2), 9)])
def test_a_loop_taken_apart_counts_each_member_for_itself(members: tuple[int, ...], share: int) -> None:
    over = loop(3, "over members")
    cost = one_after_other(*(rounds(over, rounds(loop(each, "inside"), FREE), 1) for each in members))
    assert (cost.most.number, cost.most.share) == (3 + sum(members), share)
    assert [turn.text for turn in cost.most.path] == ["over members", "inside"]
    assert rounds(over, QUESTION, 2).decisions == Amount(2, 2, (over,), 2)
