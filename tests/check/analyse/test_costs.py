"""Work is added up along the ways on which nobody is asked."""

from __future__ import annotations

from aodrules.check.analyse.costs import FREE, NEVER, Cost, either, one_after_other, question, rounds, work


def test_work_in_a_row_adds_up_and_in_loops_multiplies() -> None:
    assert one_after_other(work(3), work(4)) == work(7)
    assert rounds(10, rounds(10, FREE)).through == 110
    assert rounds(0, work(5)) == FREE


def test_a_question_cuts_the_work() -> None:
    cost = one_after_other(work(3), question(), work(4), question(), work(5))
    assert cost == Cost(None, 3, 5, 4, 2)
    assert cost.most == 5


def test_a_question_that_may_be_left_out_cuts_nothing() -> None:
    window = either(FREE, question())
    cost = one_after_other(work(3), window, work(4))
    assert cost.through == 7
    assert cost.decisions == 1


def test_work_between_the_questions_of_two_rounds_counts() -> None:
    cost = rounds(5, one_after_other(work(2), question(), work(3)))
    assert (cost.head, cost.tail, cost.peak, cost.decisions) == (3, 3, 6, 5)


def test_rounds_without_a_question_stand_between_those_with_one() -> None:
    cost = rounds(5, either(work(9), question()))
    assert cost.through == 50
    assert cost.peak == 41


def test_one_of_no_ways_is_no_way() -> None:
    assert either() == NEVER
    assert either(work(2), work(5)) == work(5)
