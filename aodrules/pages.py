"""Pages for a browser, each one file that needs nothing else: in light and dark, for large and small screens.

What stands on a page is made of `Markup`. Any other text is escaped where it enters, so that no text of an author can
become a tag; even markup that was put into another text by mistake is only shown.
"""

from __future__ import annotations

import html
from collections.abc import Iterable

_STYLE = """
:root { color-scheme: light dark; --text: #222; --back: #fff; --faint: #5c5c5c; --line: #ddd; --shade: #f5f5f3;
  --mark: #1f4e8c; --more: #1a7f37; --less: #b42318; --changed: #fff4cc; --gap: #ffecec; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e3e3e1; --back: #1b1c1e; --faint: #a8a8a6; --line: #45474b; --shade: #26282b;
    --mark: #8ab4f8; --more: #6fce85; --less: #ff9a90; --changed: #4a4012; --gap: #4b2626; }
}
body { background: var(--back); color: var(--text); font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto;
  max-width: 64rem; overflow-wrap: break-word; padding: 0 1rem; }
h1, h2, h3 { line-height: 1.25; }
p, ul, pre { max-width: 48rem; }
pre { background: var(--shade); overflow-x: auto; padding: .5rem; }
code { font-size: .875em; }
small, s, .overridden { color: var(--faint); }
.overridden { text-decoration: line-through; }
.changed { background: var(--changed); padding: 0 .25rem; }
.gap { background: var(--gap); }
.more { color: var(--more); }
.less { color: var(--less); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { border-bottom: 1px solid var(--line); padding: .25rem .6rem; text-align: left; vertical-align: top; }
thead th { vertical-align: bottom; }
tbody th { font-weight: inherit; }
.figures, .texts { width: 100%; }
.texts { min-width: 42rem; table-layout: fixed; }
.texts th:nth-child(4) { width: 6.5rem; }
.figures td, .figures thead th { text-align: right; white-space: nowrap; }
.figures td { vertical-align: middle; }
.figures tr > :first-child { background: var(--back); left: 0; min-width: 6rem; position: sticky; }
.told { font-weight: 600; }
svg { display: block; font-size: 11px; font-weight: 400; margin-left: auto; }
svg text { fill: var(--faint); text-anchor: middle; }
svg line { stroke: var(--line); }
svg .zero, svg .range { stroke: var(--faint); }
svg .range { stroke-width: 2; }
svg .unknown { stroke-dasharray: 2 4; }
svg circle, svg rect { fill: var(--mark); }
"""


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


BREAK = Markup("<br>")


def join(*parts: str) -> Markup:
    """Return some markup and texts as one piece of markup."""
    return Markup("".join(part if isinstance(part, Markup) else html.escape(part, quote=False) for part in parts))


def join_lines(parts: Iterable[str]) -> Markup:
    """Return some markup and texts, each on a line of its own."""
    return Markup(BREAK.join(join(part) for part in parts))


def element(tag: str, *inside: str, **attributes: object) -> Markup:
    """Return an element.

    Args:
        tag: What it is.
        inside: Markup and texts.
        attributes: What is empty is left out; a name may end in an underscore, and one inside it is a hyphen in HTML.
    """
    named = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{html.escape(str(value))}"'
        for name, value in attributes.items()
        if value != ""
    )
    return Markup(f"<{tag}{named}>{join(*inside)}</{tag}>")


def row(first: str, *cells: str, class_: str = "", id_: str = "") -> Markup:
    """Return a row of a table; its first cell says what it is about."""
    return element("tr", element("th", first, scope="row"), *(element("td", c) for c in cells), id_=id_, class_=class_)


def table(name: str, head: Iterable[str], rows: Iterable[Markup], class_: str = "") -> Markup:
    """Return a table, which is scrolled by itself where it is wider than the screen, by keys as well.

    Args:
        name: What it shows, for those who hear the page.
        head: A title for each column; one that is empty is no title.
        rows: See `row`.
        class_: `figures` or `texts`, if it is as wide as the page.
    """
    titles = (element("th", title, scope="col") if title else element("td") for title in head)
    inside = element("table", element("thead", element("tr", *titles)), element("tbody", *rows), class_=class_)
    return element("div", inside, class_="wide", role="group", aria_label=name, tabindex=0)


def page(title: str, *parts: str, language: str = "en") -> str:
    """Return a whole page."""
    viewport = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    style = Markup(f"<style>{_STYLE}</style>")
    head = join(Markup(f'<meta charset="utf-8">{viewport}'), element("title", title), style)
    body = Markup("\n".join(join(part) for part in parts))
    inside = join(element("head", head), element("body", element("main", body)))
    return f"<!doctype html>\n{element('html', inside, lang=language)}\n"
