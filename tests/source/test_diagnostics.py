from __future__ import annotations

from aodrules.source.diagnostics import Report, error, warning
from aodrules.source.spans import Source, Span
from aodrules.source.wording import count, join, quote, quotes

SOURCE = Source("a.yaml", "one\ntwo\n")


def at(line: int, column: int) -> Span:
    return Span(SOURCE, line, column, line, column + 1)


def test_problems_compare_by_value() -> None:
    assert error("x", "m", at=at(1, 1)) == error("x", "m", at=at(1, 1))
    assert error("x", "m", at=at(1, 1)) != error("x", "m", at=at(1, 2))


def test_the_same_problem_is_kept_once() -> None:
    report = Report()
    report.add(error("x", "m", at=at(1, 1)))
    report.add(error("x", "m", at=at(1, 1)))
    assert len(report) == 1


def test_problems_come_sorted_by_place() -> None:
    report = Report()
    for line, column in ((2, 1), (1, 3), (1, 2)):
        report.add(error("x", "m", at=at(line, column)))
    assert [(each.line, each.column) for each in report] == [(1, 2), (1, 3), (2, 1)]


def test_warnings_do_not_stop() -> None:
    report = Report()
    report.add(warning("x", "m", at=at(1, 1)))
    assert not report.has_errors
    assert report.errors == []
    report.add(error("x", "m", at=at(1, 1)))
    assert report.has_errors


def test_a_part_of_a_span() -> None:
    span = Span(SOURCE, 1, 2, 1, 8)
    assert (span.within(1, 3).column, span.within(1, 3).end_column) == (3, 5)
    assert span.within(1, 30).end_column == 8
    assert Span(SOURCE, 1, 1, 2, 1).within(1, 2) == Span(SOURCE, 1, 1, 2, 1)
    assert str(span) == "a.yaml:1:2"


def test_what_an_author_wrote_stands_in_backticks_on_one_line() -> None:
    assert quote("a\n  b") == "`a b`"
    assert len(quote("x" * 500)) == 62


def test_words_stand_in_a_sentence() -> None:
    assert join(["a"]) == "a"
    assert quotes(["a", "b", "c"], "or") == "`a`, `b` or `c`"
    assert (count(1, "error"), count(2000, "error")) == ("1 error", "2,000 errors")
