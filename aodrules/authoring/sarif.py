"""Problems in SARIF 2.1.0, which code hosts and editors show beside the lines."""

from __future__ import annotations

import json
import re
from importlib.metadata import version
from typing import Any

from aodrules.play.explanations import error_page
from aodrules.source.diagnostics import Diagnostic, Fix, Label, Report
from aodrules.source.spans import Span

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def format_sarif(report: Report) -> str:
    """Return problems as one SARIF log with a single run."""
    codes = sorted({each.code for each in report})
    driver = {
        "name": "aodrules",
        "version": version("aodrules"),
        "rules": [_rule(code) for code in codes],
    }
    results = [_result(each, codes.index(each.code)) for each in report]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False) + "\n"


def _rule(code: str) -> dict[str, Any]:
    page = error_page(code) or ""
    opening = page.split("\n\n")[1].partition("\n")[0] if "\n\n" in page else code
    return {
        "id": code,
        "shortDescription": {"text": opening},
        "help": {"text": page or code, "markdown": page or code},
    }


def _result(problem: Diagnostic, rule: int) -> dict[str, Any]:
    text = problem.message if problem.help is None else f"{problem.message}; {problem.help}"
    found: dict[str, Any] = {
        "ruleId": problem.code,
        "ruleIndex": rule,
        "level": problem.severity,
        "message": _message(text),
        "locations": [_location(problem.primary)],
    }
    also = [*problem.secondary, *(Label(note.span, note.text) for note in problem.notes if note.span)]
    if also:
        found["relatedLocations"] = [_location(label) for label in also]
    if problem.fix is not None:
        found["fixes"] = [_fix(problem.fix, problem.help or "put it right")]
    return found


def _location(label: Label) -> dict[str, Any]:
    place = {"artifactLocation": {"uri": label.span.path}, "region": _region(label.span)}
    return {"physicalLocation": place, **({"message": _message(label.text)} if label.text else {})}


def _message(text: str) -> dict[str, str]:
    """Return a message; in SARIF `[text](place)` is a link unless its brackets are escaped."""
    return {"text": re.sub(r"[\\\[\]]", r"\\\g<0>", text)}


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _fix(fix: Fix, text: str) -> dict[str, Any]:
    change = {"deletedRegion": _region(fix.span), "insertedContent": {"text": fix.replacement}}
    return {
        "description": _message(text),
        "artifactChanges": [{"artifactLocation": {"uri": fix.span.path}, "replacements": [change]}],
    }
