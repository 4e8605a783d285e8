"""The map of clauses as text for a terminal and as a page for a browser."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from aodrules.pages import BREAK, Markup, element, join, join_lines, page, row, table
from aodrules.source.wording import count
from aodrules.testing.clause_map import ClauseCoverage, ClauseMap, Ruling


def format_map(found: ClauseMap, *, verbose: bool = False) -> str:
    """Return the map as text: every gap, and with `verbose` every clause."""
    lines = [line for clause in found.clauses for line in _lines(clause)] if verbose else []
    lines += [line for ruling in found.rulings for line in _ruling_lines(ruling)] if verbose else []
    lines += [f"gap: {gap}" for gap in found.gaps]
    return "\n".join([*lines, map_summary(found)]) + "\n"


def map_summary(found: ClauseMap) -> str:
    """Return one line that says it all."""
    kinds = Counter(clause.kind for clause in found.clauses)
    parts = [count(many, kind) for kind, many in sorted(kinds.items())]
    overridden = sum(clause.is_overridden for clause in found.clauses)
    shown = f"{found.rules}: {count(len(found.clauses), 'clause')}"
    if parts:
        shown += f" ({', '.join(parts)})"
    if overridden:
        shown += f", {overridden} overridden"
    if found.rulings:
        shown += f", {count(len(found.rulings), 'ruling')}"
    if found.games:
        idle = sum(not clause.exercised and bool(clause.nodes) for clause in found.clauses)
        shown += f"; {count(found.games, 'game')}, {idle} modelled and never exercised"
    return f"{shown}; {count(len(found.gaps), 'gap') if found.gaps else 'no gap'}"


def _lines(clause: ClauseCoverage) -> Iterator[str]:
    yield f"{clause.id} ({clause.kind}{', overridden' if clause.is_overridden else ''}): {clause.says}"
    if clause.source:
        yield f"  stands in {clause.source}"
    yield from (f"  modelled by {node.address} ({node.span})" for node in clause.nodes)
    yield from (f"  shown by scenario {each}" for each in clause.scenarios)
    yield from (f"  tested by property {each}" for each in clause.properties)
    if clause.exercised:
        yield f"  exercised {count(clause.exercised, 'time')}"


def _ruling_lines(ruling: Ruling) -> Iterator[str]:
    yield f"ruling {ruling.id} ({ruling.reading}): {ruling.question}"
    yield from (f"  shown by scenario {each}" for each in ruling.scenarios)
    yield from (f"  tested by property {each}" for each in ruling.properties)
    if ruling.why_no_scenario is not None:
        yield f"  shown by no scenario: {ruling.why_no_scenario}"


def to_html(found: ClauseMap) -> str:
    """Return the map as a page of its own."""
    title = f"Clauses of {found.rules}"
    head = ("clause", "modelled by", "tested by", "exercised")
    parts = [
        element("h1", title),
        element("p", map_summary(found)),
        element("h2", "Gaps"),
        element("ul", *(element("li", str(gap)) for gap in found.gaps or ["none"])),
        element("h2", "Clauses"),
        table("Clauses", head, map(_clause_row, found.clauses), "texts"),
    ]
    if found.rulings:
        rows = map(_ruling_row, found.rulings)
        parts += [element("h2", "Rulings"), table("Rulings", ("ruling", "reading", "shown by"), rows, "texts")]
    return page(title, *parts)


def _clause_row(clause: ClauseCoverage) -> Markup:
    named = [join(element("code", clause.id), " ", element("small", clause.kind)), clause.says]
    if clause.source:
        named.append(element("small", clause.source))
    nodes = (join(element("code", node.address), BREAK, element("small", str(node.span))) for node in clause.nodes)
    return row(
        join_lines(named),
        join_lines(nodes),
        _tests(clause.scenarios, clause.properties),
        str(clause.exercised or ""),
        id_=clause.id,
        class_="gap" if clause.gaps else "overridden" if clause.is_overridden else "",
    )


def _ruling_row(ruling: Ruling) -> Markup:
    return row(
        join_lines([element("code", ruling.id), ruling.question]),
        element("code", ruling.reading),
        _tests(ruling.scenarios, ruling.properties) or ruling.why_no_scenario or "",
        id_=f"ruling-{ruling.id}",
        class_="gap" if ruling.gaps else "",
    )


def _tests(scenarios: tuple[str, ...], properties: tuple[str, ...]) -> Markup:
    kinds = (("scenario ", scenarios), ("property ", properties))
    return join_lines(join(kind, element("code", test)) for kind, ids in kinds for test in ids)
