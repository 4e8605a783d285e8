"""The list of names for scenarios: everything on it is understood, and nothing is missing."""

from __future__ import annotations

import pytest

from aodrules.source.diagnostics import Report
from aodrules.testing.positions import ContentReader
from aodrules.testing.scenarios import ScenarioReader, format_vocabulary
from tests.testing.texts import HARBOUR, NIM, rules, statements

CARAVAN, ISLES = "tests/games/caravan", "tests/games/isles"
GAMES = (HARBOUR, NIM, CARAVAN, ISLES)


def listed(word: str, title: str) -> list[str]:
    """Return the lines under a title."""
    lines = format_vocabulary(rules(word).book).splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith(title))
    rest = lines[start + 1 :]
    end = next((number for number, line in enumerate(rest) if not line.startswith("  ")), len(rest))
    return [line.strip() for line in rest[:end]]


@pytest.mark.parametrize("word", GAMES)
def test_every_step_on_the_list_can_be_named(word: str) -> None:
    book, report = rules(word).book, Report()
    reader = ScenarioReader(book)
    steps = [line.split(" (")[0] for line in listed(word, "steps")]
    text = "".join(f"  of-{number}: {{at: {{step: {step}}}}}\n" for number, step in enumerate(steps))
    for statement in statements(f"scenario:\n{text}"):
        reader.read(statement, report)
    assert [problem.message for problem in report] == []
    assert steps


@pytest.mark.parametrize("word", GAMES)
def test_every_field_is_on_the_list_by_the_address_that_scenarios_use(word: str) -> None:
    names = rules(word).book.actions(rules(word).seats[:2]).names
    addresses = [line.split(":")[0] for line in listed(word, "fields")]
    wrong = []
    for address in addresses:
        (statement,) = statements(f"scenario:\n  tried:\n    given:\n      {_filled(word, address)}: [wrong, {{}}]\n")
        report = Report()
        ContentReader(names, report).read(statement.body.get("given"))
        wrong += [problem.message for problem in report if "part of the state" in problem.message]
    assert wrong == []
    assert len(set(addresses)) == len(addresses)


def _filled(word: str, address: str) -> str:
    """Return an address with some member in place of each kind."""
    members = dict(line.split(": ", 1) for line in listed(word, "members"))
    parts = [
        rules(word).seats[0] if part == "SEAT" else members[part.lower()].split(", ")[0] if part.isupper() else part
        for part in address.split(".")
    ]
    return ".".join(parts)


def test_the_list_says_what_an_action_needs() -> None:
    assert "place: place WORKER QUAY" in listed(HARBOUR, "actions")
    assert "sell: sell GOOD | pass" in listed(HARBOUR, "actions")
    assert "take: take HEAP NUMBER" in listed(NIM, "actions")
    assert listed(NIM, "seats") == ["first, second"]
    assert "berth (era, r, quay, w)" in listed(HARBOUR, "steps")
