"""A comparison as one page of HTML with charts, complete in itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from importlib.metadata import version

from aodrules.simulate.balance import Association, Balance, ComparedFigure
from aodrules.simulate.charts import Scale, scale_for
from aodrules.simulate.figures import HELD, USED
from aodrules.simulate.statistics import Estimate

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; width: 100%; } td, th { padding: .2rem .6rem; text-align: right; }
td:first-child, th:first-child { text-align: left; } tr:nth-child(even) { background: #f6f6f4; }
th { vertical-align: bottom; } td + td { white-space: nowrap; } .chart { width: 280px; padding: 0; }
.wide { overflow-x: auto; }
.more { color: #1a7f37; } .less { color: #b42318; } .told { font-weight: 600; } svg { vertical-align: middle; }
"""
_EFFECTS = Scale(1.0)


def balance_page(found: Balance, worth: Sequence[Association]) -> str:
    """Return the page of a comparison."""
    groups = sorted(dict.fromkeys(line.group for line in found.lines), key=lambda group: group in (USED, HELD))
    parts = [_section(name, [line for line in found.lines if line.group == name]) for name in groups]
    return (
        "<!doctype html><html lang='en'><meta charset='utf-8'><meta name='viewport' content='width=device-width'>"
        f"<title>{escape(found.changed)}</title>"
        f"<style>{_STYLE}</style><h1>{escape(found.base)} → {escape(found.changed)}</h1>"
        f"<p>{escape(found.sample)}, with the seeds {found.first} to {found.first + found.games - 1}; aodrules "
        f"{version('aodrules')}.</p>"
        f"<p><b>{found.verdict}.</b> {escape(found.sensitivity)} "
        "Of everything else it cannot be told whether it differs. "
        "The intervals hold with 95 % for all figures together.</p>"
        f"{_differing_section(found)}{''.join(parts)}{_worth_section(worth)}</html>\n"
    )


def _differing_section(found: Balance) -> str:
    """Return all that differs, whatever it is measured in, by the size of the effect."""
    if not found.differing:
        return ""
    head = ("before", "after", "change")
    rows = (
        _row(
            f"{line.group}: {line.name}",
            [*_sides(line), _colour(line, f"{line.change.value:+.2f}")],
            _EFFECTS.draw_bar(line.effect),
        )
        for line in found.differing
    )
    note = (
        "<p>The larger the effect, the higher it stands here. An effect is the change beside how much two games of "
        "one seed differ: 0 is none, 1 is every game alike.</p>"
    )
    return f"<h2>What differs</h2>{note}{_table(head, _EFFECTS.draw_axis('effect'), rows)}"


def _section(name: str, lines: Sequence[ComparedFigure]) -> str:
    scale = scale_for([line.change for line in lines])
    rows = (
        _row(
            line.name,
            [*_sides(line), f"{line.change.value:+.2f}", _spoken(line.change), _colour(line, line.verdict)],
            scale.draw_interval(line.change),
            told=line.change.excludes_zero,
        )
        for line in lines
    )
    head = ("before", "after", "change", "interval", "")
    return f"<h2>{escape(name[:1].upper() + name[1:])}</h2>{_table(head, scale.draw_axis('change'), rows)}"


def _worth_section(worth: Sequence[Association]) -> str:
    """Return what goes with each thing that some seats of a match had and others had not."""
    told = [each for each in worth if each.wins.count > 1]
    scale = scale_for([each.points for each in told])
    rows = (
        _row(
            f"{each.group}: {each.thing}",
            [str(each.seats), f"{each.wins.value:+.2f}", f"{each.points.value:+.2f}", _spoken(each.points)],
            scale.draw_interval(each.points),
            told=each.points.excludes_zero,
        )
        for each in told
    )
    note = (
        "<p>How much more often those seats won, and how many points more they had, that used or held a thing, than "
        "the others of the same match; changed rules. That is no proof of a cause.</p>"
    )
    head = ("seats", "share of wins", "points", "interval")
    return f"<h2>What goes with winning</h2>{note}{_table(head, scale.draw_axis('points'), rows)}" if told else ""


def _table(head: Sequence[str], axis: str, rows: Iterable[str]) -> str:
    cells = "".join(f"<th>{escape(cell)}</th>" for cell in ("", *head))
    return f"<div class='wide'><table><tr>{cells}<th class='chart'>{axis}</th></tr>{''.join(rows)}</table></div>"


def _row(name: str, cells: Iterable[str], chart: str, *, told: bool = False) -> str:
    inner = "".join(f"<td>{cell}</td>" for cell in cells)
    style = " class='told'" if told else ""
    return f"<tr{style}><td>{escape(name)}</td>{inner}<td class='chart'>{chart}</td></tr>"


def _sides(line: ComparedFigure) -> tuple[str, str]:
    return line.before.shown, line.after.shown


def _spoken(change: Estimate) -> str:
    return f"{change.low:+.2f} to {change.high:+.2f}" if change.is_bounded else "too few games"


def _colour(line: ComparedFigure, text: str) -> str:
    return f"<span class='{line.verdict}'>{text}</span>" if line.change.excludes_zero else text
