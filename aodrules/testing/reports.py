"""What came of a suite, as text for people, as JSON for programs and as JUnit XML for servers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as ET

from aodrules.arguments import check_type
from aodrules.source.diagnostics import Report
from aodrules.source.rendering import format_report
from aodrules.source.wording import count, join, quotes
from aodrules.testing.findings import LONGEST_RECORD
from aodrules.testing.suites import Blame, Result, Results

_SIGNS = {"passed": "ok", "failed": "FAILED", "error": "ERROR", "untested": "never tested"}


def format_results(results: Results, *, verbose: bool = False) -> str:
    """Return what came of a suite as text."""
    check_type("`results`", results, Results)
    lines = [format_report(problems_of(results))] if results.suite.problems else []
    for each in results.results:
        if verbose or each.is_wrong or each.status == "untested":
            lines += result_lines(each)
    if verbose:
        lines += [f"left out: {each.statement.sort} {each.statement.id}: {each.why}" for each in results.left_out]
    return "\n".join([*lines, summary(results)]) + "\n"


def problems_of(results: Results) -> Report:
    """Return what is wrong with the documents of a suite."""
    return Report(list(results.suite.problems))


def summary(results: Results) -> str:
    """Return one line that says it all."""
    found: Counter[tuple[str, str]] = Counter((each.sort, each.status) for each in results.results)
    parts = []
    for sort, plural in (("scenario", "scenarios"), ("property", "properties")):
        many = sum(number for (each, _), number in found.items() if each == sort)
        if many:
            words = [f"{found[sort, status]} {name}" for status, name in _WORDS.items() if found[sort, status]]
            parts.append(f"{many} {sort if many == 1 else plural}: {', '.join(words)}")
    if results.search is not None:
        parts.append(f"{count(results.search.games, 'game')}, {count(results.search.actions, 'action')}")
    if results.left_out:
        unfitting = sum(each.is_unfitting for each in results.left_out)
        more = f", {unfitting} of them because variants make them impossible" if unfitting else ""
        parts.append(f"{len(results.left_out)} left out{more}")
    return "; ".join(parts) or "nothing to test"


_WORDS = {"passed": "passed", "failed": "failed", "error": "not runnable", "untested": "never tested"}


def result_lines(result: Result) -> Iterator[str]:
    """Iterate over the lines that tell what came of one scenario or property."""
    yield f"{_SIGNS[result.status]} {result.sort} {result.id} ({result.span})"
    if result.is_wrong:
        yield from (f"  {line}" for line in result.message.splitlines())
        if result.clauses:
            yield f"  clauses: {join(result.clauses)}"
        yield from (f"  {blame_line(each)}" for each in result.blame)
        yield from (f"    {line}" if line else "" for line in _story(result).splitlines())


def blame_line(blame: Blame) -> str:
    """Return who broke what without saying so."""
    clauses = f" and does not say that it overrides {quotes(blame.clauses)}" if blame.clauses else ""
    return f"because of {blame.span}: variant `{blame.variant}` does this{clauses}"


def _story(result: Result) -> str:
    """Return the game that shows a broken law, whichever way of telling it is shorter."""
    finding = result.finding
    if finding is None:
        return ""
    if finding.scenario is not None and finding.actions > LONGEST_RECORD:
        return f"from a position shortly before:\n{finding.scenario}"
    return finding.record


def to_json(results: Results) -> str:
    """Return what came of a suite as JSON."""
    check_type("`results`", results, Results)
    plain = {
        "rules": str(results.suite.book.asked),
        "fingerprint": results.suite.rules.fingerprint,
        "results": [_plain(each) for each in results.results],
        "left_out": [
            {"sort": each.statement.sort, "id": each.statement.id, "why": each.why} for each in results.left_out
        ],
        "problems": [
            {"path": each.path, "line": each.line, "column": each.column, "code": each.code, "message": each.message}
            for each in results.suite.problems
        ],
    }
    return json.dumps(plain, indent=1, ensure_ascii=False) + "\n"


def _plain(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = {
        "sort": result.sort,
        "id": result.id,
        "status": result.status,
        "message": result.message,
        "path": result.span.path,
        "line": result.span.line,
        "clauses": list(result.clauses),
        "seconds": round(result.seconds, 3),
    }
    if result.finding is not None:
        found |= {"record": result.finding.record, "scenario": result.finding.scenario}
    if result.blame:
        found["because"] = [
            {"variant": each.variant, "path": each.span.path, "line": each.span.line} for each in result.blame
        ]
    return found


def to_junit(results: Results) -> str:
    """Return what came of a suite as JUnit XML."""
    check_type("`results`", results, Results)
    wrong = Counter(each.status for each in results.results)
    root = ET.Element(
        "testsuite",
        name=f"aodrules {results.suite.book.asked}",
        tests=str(len(results.results)),
        failures=str(wrong["failed"]),
        errors=str(wrong["error"]),
        skipped=str(wrong["untested"]),
    )
    for each in results.results:
        case = ET.SubElement(
            root, "testcase", classname=each.sort, name=each.id, file=each.span.path, line=str(each.span.line)
        )
        case.set("time", f"{each.seconds:.3f}")
        if each.status != "passed":
            tag = {"failed": "failure", "error": "error", "untested": "skipped"}[each.status]
            element = ET.SubElement(case, tag, message=_printable(each.message.split("\n")[0]))
            element.text = _printable("\n".join(result_lines(each)))
    ET.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _printable(text: str) -> str:
    """Return a text without what XML cannot hold."""
    return "".join(sign for sign in text if sign.isprintable() or sign in "\n\t")
