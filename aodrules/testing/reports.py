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
from aodrules.testing.suites import Blame, Result, Results, unshown_clauses

_STATUSES = {
    "passed": ("ok", "passed"),
    "failed": ("FAILED", "failed"),
    "error": ("ERROR", "not runnable"),
    "interrupted": ("interrupted", "interrupted"),
    "untested": ("never tested", "never tested"),
}
"""What each is called where one result is told, and where they are counted."""
_FEW = 5
"""So many interrupted scenarios are named where not all are to be."""
_GROUPS = {
    "edition": "for other editions",
    "variants": "for other variants",
    "players": "for other numbers of players",
    "overridden": "about clauses that are overridden",
    "reading": "about readings that are not played",
    "unfitting": "about what variants took away",
    "unasked": "not asked for",
}


def format_results(results: Results, *, verbose: bool = False) -> str:
    """Return what came of a suite as text."""
    check_type("`results`", results, Results)
    lines = [format_report(Report(list(results.suite.problems)))] if results.suite.problems else []
    for result in results.results:
        if result.is_wrong or result.status == "untested" or (verbose and result.status == "passed"):
            lines += result_lines(result)
    lines += _interruption_lines(results, most=None if verbose else _FEW)
    if verbose:
        lines += [
            f"left out: {each.statement.sort} {each.statement.id}: {each.why}"
            for each in results.left_out
            if each.group != "unasked"
        ]
    return "\n".join([*lines, *_unshown_lines(results), *_left_out_lines(results), _summary(results)]) + "\n"


def _interruption_lines(results: Results, most: int | None = None) -> Iterator[str]:
    """Iterate over the lines about interrupted scenarios: what stood in their way, and of each so many of them."""
    groups: dict[str, list[Result]] = {}
    for result in results.interrupted:
        groups.setdefault(join([str(origin) for origin in result.origins]), []).append(result)
    for origin, found in groups.items():
        by = f" by {origin}" if origin else ""
        yield f"interrupted{by}: {count(len(found), 'scenario')} cannot be played as written, which is no failure"
        yield from (f"  {result.id} ({result.span}): {result.message}" for result in found[:most])
        if most is not None and len(found) > most:
            yield f"  and {len(found) - most} more, which `--verbose` names"


def _unshown_lines(results: Results) -> Iterator[str]:
    found = unshown_clauses(results)
    if found:
        are = "clause is" if len(found) == 1 else "clauses are"
        yield f"{len(found)} {are} shown by nothing any more: {quotes(found)}"


def _left_out_lines(results: Results) -> Iterator[str]:
    """Iterate over the one line that says how many were left out for which reasons."""
    groups = Counter(each.group for each in results.left_out)
    parts = [f"{groups[group]} {words}" for group, words in _GROUPS.items() if groups[group]]  # type: ignore[index]
    if parts:
        yield f"left out: {join(parts)}"


def _summary(results: Results) -> str:
    """Return one line that says it all."""
    found: Counter[tuple[str, str]] = Counter((kind.sort, kind.status) for kind in results.results)
    parts = []
    for sort, plural in (("scenario", "scenarios"), ("property", "properties")):
        many = sum(number for (kind, _), number in found.items() if kind == sort)
        if many:
            words = [f"{found[sort, status]} {name}" for status, (_, name) in _STATUSES.items() if found[sort, status]]
            parts.append(f"{many} {sort if many == 1 else plural}: {', '.join(words)}")
    if results.search is not None:
        parts.append(f"{count(results.search.games, 'game')}, {count(results.search.actions, 'action')}")
    if results.left_out:
        parts.append(f"{len(results.left_out)} left out")
    return "; ".join(parts) or "nothing to test"


def result_lines(result: Result) -> Iterator[str]:
    """Iterate over the lines that tell what came of one scenario or property."""
    yield f"{_STATUSES[result.status][0]} {result.sort} {result.id} ({result.span})"
    if result.is_wrong or result.status == "interrupted":
        yield from (f"  {line}" for line in result.message.splitlines())
    if result.is_wrong:
        yield from (f"  where {value}" for value in result.values)
        if result.clauses:
            yield f"  clauses: {join(result.clauses)}"
        yield from (f"  {_blame_line(each)}" for each in result.blame)
        yield from (f"    {line}" if line else "" for line in _story(result).splitlines())


def _blame_line(blame: Blame) -> str:
    """Return who broke what without saying so."""
    said = f"that it overrides {quotes(blame.clauses)}"
    if len(blame.clauses) > 1:
        said = f"which of {quotes(blame.clauses)} it overrides"
    clauses = f" and does not say {said}" if blame.clauses else ""
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
        "rules": str(results.suite.book.request),
        "fingerprint": results.suite.rules.fingerprint,
        "results": [_plain(each) for each in results.results],
        "left_out": [
            {"sort": each.statement.sort, "id": each.statement.id, "group": each.group, "why": each.why}
            for each in results.left_out
        ],
        "unshown_clauses": list(unshown_clauses(results)),
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
    if result.values:
        found["values"] = list(result.values)
    if result.finding is not None:
        found |= {"record": result.finding.record, "scenario": result.finding.scenario}
    if result.blame:
        found["because"] = [
            {
                "variant": each.variant,
                "path": each.span.path,
                "line": each.span.line,
                "clauses": list(each.clauses),
            }
            for each in result.blame
        ]
    if result.origins:
        found["interrupted_by"] = [
            {each.kind: each.document, "path": each.span.path, "line": each.span.line} for each in result.origins
        ]
    return found


def to_junit(results: Results) -> str:
    """Return what came of a suite as JUnit XML."""
    check_type("`results`", results, Results)
    wrong = Counter(result.status for result in results.results)
    root = ET.Element(
        "testsuite",
        name=f"aodrules {results.suite.book.request}",
        tests=str(len(results.results)),
        failures=str(wrong["failed"]),
        errors=str(wrong["error"]),
        skipped=str(wrong["untested"] + wrong["interrupted"]),
    )
    for result in results.results:
        case = ET.SubElement(
            root, "testcase", classname=result.sort, name=result.id, file=result.span.path, line=str(result.span.line)
        )
        case.set("time", f"{result.seconds:.3f}")
        if result.status != "passed":
            tag = {"failed": "failure", "error": "error"}.get(result.status, "skipped")
            element = ET.SubElement(case, tag, message=_printable(result.message.split("\n")[0]))
            element.text = _printable("\n".join(result_lines(result)))
    ET.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _printable(text: str) -> str:
    """Return a text without what XML cannot hold."""
    return "".join(sign for sign in text if sign.isprintable() or sign in "\n\t")
