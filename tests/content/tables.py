"""The plain tables of Age of Discovery as lines of text: what mutation does not change and only a comparison can guard.

Members with their attributes and pieces, borders, scoring sets, seats, and what each field holds and begins with.
`AODRULES_REWRITE=1 pytest tests/content/test_tables.py` makes the digest anew; review the difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from aodrules.check.checked import CheckedRules, Field, Kind
from aodrules.check.visit import text_of
from aodrules.interpreter.setup import tables_for
from aodrules.interpreter.tables import Tables
from aodrules.lang.types import Member
from tests.content.compositions import rules_of

DIGEST = Path(__file__).with_name("table_digest.yaml")
WHOLE = "empires"
OTHERS = ("aoe3-pl", "aoe3-ru", "empires+builders+national-advantages")
"""Compositions of which only that is kept in which they differ from the whole one."""
_HEAD = """\
# The plain tables of the game, which mutation leaves out: first those of one edition, then in what others differ.
# `AODRULES_REWRITE=1 pytest tests/content/test_tables.py` makes this anew.
"""


def digest() -> dict[str, dict[str, str]]:
    """Return the tables of one composition, and of the others in what they differ; `missing` is what they lack."""
    whole = dict(lines_of(checked_rules(WHOLE)))
    found = {WHOLE: whole}
    for word in OTHERS:
        other = dict(lines_of(checked_rules(word)))
        differing = sorted(key for key in whole.keys() | other.keys() if whole.get(key) != other.get(key))
        found[word] = {key: other.get(key, "missing") for key in differing}
    return found


def write() -> None:
    """Make the digest anew."""
    text = yaml.safe_dump(digest(), sort_keys=False, allow_unicode=True, width=160)
    DIGEST.write_text(_HEAD + text, encoding="utf-8")


def checked_rules(word: str) -> CheckedRules:
    """Return the checked rules of a composition."""
    edition, *variants = word.split("+")
    return rules_of(edition, tuple(variants)).book.checked


def lines_of(checked: CheckedRules) -> Iterator[tuple[str, str]]:
    """Iterate over every row of every table: its address and all that stands in it but 0 and false."""
    low, high = checked.game.players
    yield "game", f"{low} to {high} players: {', '.join(checked.game.seats)}"
    tables = [tables_for(checked, players) for players in range(low, high + 1)]
    for kind in checked.kinds.values():
        yield from _members(kind, tables)
    for graph in checked.graphs.values():
        names = checked.family(graph.kind).members
        for number, near in enumerate(graph.neighbours):
            yield f"graph.{graph.name}.{names[number]}", ", ".join(names[each] for each in near) or "nothing"
    for sets in checked.sets.values():
        shapes = (f"{one.size}{_sort(one)} for {one.worth}" for one in sets.shapes)
        yield f"sets.{sets.name}", f"{', '.join(shapes)}; wild in each {sets.wild_per_set}"
    yield from ((f"state.{name}", _field_line(one)) for name, one in checked.fields.items())
    for decision in checked.decisions.values():
        yield decision.address, "may be passed" if decision.optional else "must be answered"


def _sort(shape: Any) -> str:
    return " alike" if shape.alike else " different" if shape.different else ""


def _members(kind: Kind, tables: list[Tables]) -> Iterator[tuple[str, str]]:
    checked = tables[0].rules
    own = {name: one for name, one in checked.attributes.items() if name.startswith(f"{kind.name}.")}
    for place, member in zip(kind.places, kind.members, strict=True):
        values = {name.split(".")[-1]: _values(tables, name, place) for name in own}
        parts = [f"{name} {value}" for name, value in values.items() if value not in ("0", "false")]
        if kind.name == kind.family and kind.pieces is not None:
            parts.append(f"pieces {_same([each.pieces[kind.name][place] for each in tables])}")
        yield f"{kind.name}.{member}", ", ".join(parts) or "nothing"


def _values(tables: list[Tables], name: str, place: int) -> str:
    type_, rules = tables[0].rules.attributes[name].type, tables[0].rules
    return _same([_shown(rules, type_, each.attributes[name][place]) for each in tables])


def _same(values: list[Any]) -> str:
    """Return a value, or those for each number of players if they differ."""
    return str(values[0]) if len(set(values)) == 1 else "/".join(map(str, values))


def _shown(rules: CheckedRules, type_: Any, value: Any) -> Any:
    inner = getattr(type_, "of", type_)
    if isinstance(inner, Member) and isinstance(value, int):
        return rules.family(inner.kind).members[value]
    return str(value).lower() if isinstance(value, bool) else value


def _field_line(one: Field) -> str:
    parts = [str(one.type), *(f"per {each}" for each in one.dimensions)]
    for name in ("start", "start_if", "start_by", "only"):
        expression = getattr(one, name)
        if expression is not None:
            parts.append(f"{name.replace('_', ' ')} {text_of(expression.span)}")
    parts += ["all start here"] if one.start_all else []
    parts += [f"secret {one.secret}"] if one.secret else []
    parts += [f"shows {', '.join(one.shows)}"] if one.shows else []
    parts += [f"resets {one.resets}"] if one.resets else []
    return "; ".join(parts)
