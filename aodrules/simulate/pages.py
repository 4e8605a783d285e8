"""A comparison as one page of HTML with charts, complete in itself."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.metadata import version
from itertools import groupby

from aodrules.simulate.balance import Balance, Line, Worth
from aodrules.simulate.statistics import Estimate

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 62rem; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; width: 100%; } td, th { padding: .2rem .6rem; text-align: right; }
td:first-child, th:first-child { text-align: left; } tr:nth-child(even) { background: #f6f6f4; }
.more { color: #1a7f37; } .less { color: #b42318; } .told { font-weight: 600; } svg { vertical-align: middle; }
"""


def balance_page(found: Balance, worth: Sequence[Worth]) -> str:
    """Return the page of a comparison."""
    groups = groupby(found.lines, key=lambda line: line.group)
    parts = [_section(name, list(lines)) for name, lines in groups]
    told = ", ".join(f"{line.group}: {line.name} ({line.verdict})" for line in found.differing) or "nothing"
    return (
        f"<!doctype html><html lang='en'><meta charset='utf-8'><title>{escape(found.changed)}</title>"
        f"<style>{_STYLE}</style><h1>{escape(found.base)} → {escape(found.changed)}</h1>"
        f"<p>{escape(found.sample)}, with the seeds {found.first} to {found.first + found.games - 1}; aodrules "
        f"{version('aodrules')}. Intervals hold with 95 % for all "
        f"{len(found.lines)} figures together. What differs beyond chance: {escape(told)}. "
        "Of everything else it cannot be told whether it differs.</p>"
        f"{''.join(parts)}{_worth_section(worth)}</html>\n"
    )


def _section(name: str, lines: Sequence[Line]) -> str:
    widest = max((max(abs(line.change.low), abs(line.change.high)) for line in lines), default=1.0) or 1.0
    rows = "".join(_row(line, widest) for line in lines)
    head = "<tr><th></th><th>before</th><th>after</th><th>change</th><th></th><th></th></tr>"
    return f"<h2>{escape(name)}</h2><table>{head}{rows}</table>"


def _row(line: Line, widest: float) -> str:
    told = " class='told'" if line.change.excludes_zero else ""
    return (
        f"<tr{told}><td>{escape(line.name)}</td><td>{line.before.value:.2f}</td><td>{line.after.value:.2f}</td>"
        f"<td>{line.change.value:+.2f}</td><td>{_interval(line.change, widest)}</td>"
        f"<td class='{line.verdict if line.verdict in ('more', 'less') else ''}'>{line.verdict}</td></tr>"
    )


def _interval(change: Estimate, widest: float) -> str:
    """Return a small picture of an interval around zero."""

    def place(value: float) -> float:
        return 80 + 75 * max(-1.0, min(1.0, value / widest))

    low, high, middle = place(change.low), place(change.high), place(change.value)
    return (
        "<svg width='160' height='14' role='img'><line x1='80' x2='80' y1='0' y2='14' stroke='#bbb'/>"
        f"<line x1='{low:.1f}' x2='{high:.1f}' y1='7' y2='7' stroke='#555' stroke-width='2'/>"
        f"<circle cx='{middle:.1f}' cy='7' r='3' fill='#1f4e8c'/></svg>"
    )


def _worth_section(worth: Sequence[Worth]) -> str:
    """Return what goes with each thing that some seats of a match had and others had not."""
    told = [each for each in worth if each.wins.count > 1]
    rows = "".join(
        f"<tr{' class=told' if each.points.excludes_zero else ''}><td>{escape(each.group)}: {escape(each.thing)}</td>"
        f"<td>{each.seats}</td><td>{each.wins.value:+.2f}</td><td>{_interval(each.wins, 1)}</td>"
        f"<td>{each.points.value:+.2f}</td><td>{_interval(each.points, _widest(told))}</td></tr>"
        for each in told
    )
    head = "<tr><th></th><th>seats</th><th>share of wins</th><th></th><th>points</th><th></th></tr>"
    note = (
        "<p>How much more often those seats won, and how many points more they had, that used or held a thing, than "
        "the others of the same match; changed rules. That is no proof of a cause.</p>"
    )
    return f"<h2>what goes with winning</h2>{note}<table>{head}{rows}</table>" if told else ""


def _widest(worth: Sequence[Worth]) -> float:
    return max(max(abs(each.points.low), abs(each.points.high)) for each in worth) or 1.0
