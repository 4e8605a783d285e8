"""The map of clauses as text for a terminal and as a page for a browser."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from html import escape

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


_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #ddd; padding: .4rem .6rem; text-align: left; vertical-align: top; }
.gap { background: #fff0f0; } .overridden { color: #888; text-decoration: line-through; }
code { font-size: .85em; } small { color: #666; }
"""


def to_html(found: ClauseMap) -> str:
    """Return the map as a page of its own."""
    rows = "\n".join(_row(clause) for clause in found.clauses)
    gaps = "\n".join(f"<li>{escape(str(gap))}</li>" for gap in found.gaps) or "<li>none</li>"
    return f"""<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Clauses of {escape(found.rules)}</title><style>{_STYLE}</style></head>
<body>
<h1>Clauses of {escape(found.rules)}</h1>
<p>{escape(map_summary(found))}</p>
<h2>Gaps</h2>
<ul>
{gaps}
</ul>
<h2>Clauses</h2>
<table>
<thead><tr><th>clause</th><th>modelled by</th><th>tested by</th><th>exercised</th></tr></thead>
<tbody>
{rows}
</tbody>
</table>
{_rulings(found)}</body>
</html>
"""


def _rulings(found: ClauseMap) -> str:
    """Return the table of rulings; nothing where there are none."""
    if not found.rulings:
        return ""
    rows = "\n".join(_ruling_row(ruling) for ruling in found.rulings)
    return f"""<h2>Rulings</h2>
<table>
<thead><tr><th>ruling</th><th>reading</th><th>shown by</th></tr></thead>
<tbody>
{rows}
</tbody>
</table>
"""


def _ruling_row(ruling: Ruling) -> str:
    named = f"<code>{escape(ruling.id)}</code><br>{escape(ruling.question)}"
    shown = _tests(ruling.scenarios, ruling.properties) or escape(ruling.why_no_scenario or "")
    body = "".join(f"<td>{cell}</td>" for cell in (named, f"<code>{escape(ruling.reading)}</code>", shown))
    return f'<tr id="ruling-{escape(ruling.id)}" class="{"gap" if ruling.gaps else ""}">{body}</tr>'


def _tests(scenarios: tuple[str, ...], properties: tuple[str, ...]) -> str:
    return _list(
        f"{sort} <code>{escape(each)}</code>"
        for sort, ids in (("scenario", scenarios), ("property", properties))
        for each in ids
    )


def _row(clause: ClauseCoverage) -> str:
    style = "gap" if clause.gaps else "overridden" if clause.is_overridden else ""
    nodes = _list(
        f"<code>{escape(node.address)}</code><br><small>{escape(str(node.span))}</small>" for node in clause.nodes
    )
    tests = _tests(clause.scenarios, clause.properties)
    named = f"<code>{escape(clause.id)}</code> <small>{escape(clause.kind)}</small><br>{escape(clause.says)}"
    if clause.source:
        named += f"<br><small>{escape(clause.source)}</small>"
    cells = (named, nodes, tests, str(clause.exercised or ""))
    body = "".join(f"<td>{cell}</td>" for cell in cells)
    return f'<tr id="{escape(clause.id)}" class="{style}">{body}</tr>'


def _list(items: Iterator[str]) -> str:
    return "<br>".join(items)
