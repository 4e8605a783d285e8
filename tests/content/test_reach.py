"""Nothing is declared in vain: what no shipped composition can come to fails here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import pytest

from aodrules.authoring.check_files import Checked, check_game
from aodrules.check.analyse.calls import call_graph
from aodrules.check.checked import CheckedRules
from aodrules.check.from_ruleset import check
from aodrules.check.steps import FieldPlace, FieldTarget
from aodrules.compose.library import is_path, parse_rules_word
from aodrules.lang.expressions import AttributeRead, FieldRead
from aodrules.source.diagnostics import Report
from tests.authoring.shipped_rules import GAME, closed, composed, editions, heads
from tests.content.compositions import heads as official

ORDERING = "place"
"""The attribute by which most kinds of the game are sorted; the program reads it, whether rules do or not."""


@cache
def compositions() -> tuple[CheckedRules, ...]:
    """Return every edition, with combinations in which every document is, and with each official variant alone."""
    words = [parse_rules_word(part.checked.word) for part in check_game(GAME, lambda word: Checked(word, None, ()))]
    asked = {(each.base, frozenset(each.variants)) for each in words if not any(map(is_path, each.variants))}
    names = {head.name for head in official() if not head.is_ruling}
    for edition in editions():
        asked |= {(edition, closed(edition, frozenset({name}))) for name in names if name in heads(edition)}
    return tuple(check(composed(*each).ruleset, Report()) for each in sorted(asked, key=str))


def declared(rules: CheckedRules) -> set[str]:
    sections: dict[str, Iterable[str]] = {
        "verb": rules.verbs,
        "value": rules.values,
        "decision": rules.decisions,
        "event": rules.events,
    }
    return {f"{sort} {name}" for sort, section in sections.items() for name in section}


def things(part: object) -> Iterator[Any]:
    """Iterate over a value of the checker and all inside it."""
    waiting: list[Any] = [part]
    seen = set[int]()
    while waiting:
        found = waiting.pop()
        if id(found) in seen:
            continue
        seen.add(id(found))
        yield found
        if isinstance(found, dict):
            waiting += found.values()
        elif isinstance(found, tuple):
            waiting += found
        elif hasattr(found, "__attrs_attrs__"):
            waiting += [getattr(found, each.name) for each in found.__attrs_attrs__ if each.name != "span"]


@pytest.mark.slow
def test_every_verb_value_decision_and_event_is_reached_in_some_composition() -> None:
    known, reached = set[str](), set[str]()
    for rules in compositions():
        known |= declared(rules)
        reached |= {f"{each.kind} {each.name}" for each in call_graph(rules, Report()).reached}
    assert sorted(known - reached) == []


@pytest.mark.slow
def test_every_attribute_and_field_is_used_in_some_composition() -> None:
    known, used = set[str](), set[str]()
    for rules in compositions():
        known |= {*rules.attributes, *rules.fields}
        for each in things(rules):
            if isinstance(each, AttributeRead):
                used.add(each.attribute)
            elif isinstance(each, FieldRead | FieldPlace | FieldTarget):
                used.add(each.field)
    assert sorted(name for name in known - used if not is_the_programs(name)) == []


def is_the_programs(name: str) -> bool:
    """Whether something is there for the program itself: counters of limits, what is out of the game, the order."""
    return ".limit" in name or name.startswith(("limit.", "out.")) or name.endswith(f".{ORDERING}")
