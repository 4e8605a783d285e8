"""Pages for a browser, each one file that needs nothing else: in light and dark, for large and small screens and paper.

What stands on a page is made of `Markup`. Any other text is escaped where it enters, so that no text of an author can
become a tag; even markup that was put into another text by mistake is only shown. A page has no script, and its own
content security policy: nothing is loaded, and of styles only that of this module, which is named by its hash.
"""

from __future__ import annotations

import html
import re
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path

from attrs import frozen

from aodrules.source.wording import harmless


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


BREAK = Markup("<br>")


def join(*parts: str) -> Markup:
    """Return some markup and texts as one piece of markup."""
    return Markup("".join(part if isinstance(part, Markup) else _escape(part) for part in parts))


def _escape(text: str) -> str:
    return html.escape(harmless(text), quote=False)


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
        f' {name.rstrip("_").replace("_", "-")}="{html.escape(harmless(str(value)))}"'
        for name, value in attributes.items()
        if value != ""
    )
    return Markup(f"<{tag}{named}>{join(*inside)}</{tag}>")


def anchor(*words: str) -> str:
    """Return what something on a page is linked by: words that stay the same in all languages, such as an address."""
    return "-".join(re.sub(r"[^\w.-]+", "-", word) for word in words)


def row(first: str, *cells: str, class_: str = "", id_: str = "", sorts: Iterable[str] = ()) -> Markup:
    """Return a row of a table; its first cell says what it is about.

    Args:
        first: The first cell.
        cells: All others.
        class_: What kind of row it is.
        id_: What it is linked by; see `anchor`.
        sorts: For each of the other cells `number`, `prose`, or nothing.
    """
    kinds = [*sorts, *("" for _ in cells)]
    others = (element("td", cell, class_=kind) for cell, kind in zip(cells, kinds, strict=False))
    return element("tr", element("th", first, scope="row"), *others, id_=id_, class_=class_)


def table(
    name: str, head: Iterable[str], rows: Iterable[Markup], class_: str = "", sorts: Iterable[str] = ()
) -> Markup:
    """Return a table, which is scrolled by itself where it is wider than the screen, by keys as well.

    Args:
        name: What it shows, for those who hear the page.
        head: A title for each column; one that is empty is no title.
        rows: See `row`.
        class_: `figures`, if it is as wide as the page.
        sorts: As for rows; here the first column is one of them.
    """
    titles = list(head)
    kinds = [*sorts, *("" for _ in titles)]
    cells = (
        element("th", title, scope="col", class_=kind) if title else element("td")
        for title, kind in zip(titles, kinds, strict=False)
    )
    inside = element("table", element("thead", element("tr", *cells)), element("tbody", *rows), class_=class_)
    return element("div", inside, class_="wide", role="group", aria_label=name, tabindex=0)


@frozen
class Section:
    """A part of a page with a title, which the contents lead to."""

    title: str
    anchor: str
    """What it is linked by; see the function of that name."""
    parts: tuple[Markup | Section, ...] = ()


def page(
    title: str, *parts: Markup | Section, lead: Iterable[str] = (), language: str = "en", contents: str = "Contents"
) -> str:
    """Return a whole page: title, lead, contents, parts.

    Args:
        title: What it is called; texts of authors are welcome here as everywhere.
        parts: What stands on it; the contents list the sections, and those inside them.
        lead: Markup and texts that stand above the contents.
        language: The code of the language it is in.
        contents: What the contents are called in that language.
    """
    numbered = _Anchors()
    # In the order of the page, so that the first of two that are alike keeps its name.
    found = [numbered.settle(each) if isinstance(each, Section) else each for each in parts]
    entries = [each for each in found if isinstance(each, Section)]
    inside = [
        element("header", element("h1", title), *lead),
        *((_contents(entries, contents),) if entries else ()),
        element("main", Markup("\n".join(_part(each, 2) for each in found))),
        *((element("a", href="#top", class_="up", aria_label=contents),) if entries else ()),
    ]
    body = element("body", Markup("\n".join(inside)), id_="top")
    return f"<!doctype html>\n{element('html', _head(title), body, lang=language)}\n"


def style_hash() -> str:
    """Return the hash by which a content security policy may allow the style of all pages."""
    return f"sha256-{b64encode(sha256(_style().encode()).digest()).decode()}"


@cache
def _style() -> str:
    return Path(__file__).with_name("pages.css").read_text(encoding="utf-8")


def _head(title: str) -> Markup:
    policy = f"default-src 'none'; style-src '{style_hash()}'; base-uri 'none'; form-action 'none'"
    meta = (
        '<meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
    )
    return element("head", Markup(meta), element("title", title), Markup(f"<style>{_style()}</style>"))


class _Anchors:
    """Makes what sections are linked by unique on a page."""

    def __init__(self) -> None:
        self._taken = Counter({"top": 1})

    def settle(self, section: Section) -> Section:
        """Return a section, and all inside it, each with an anchor of its own."""
        self._taken[section.anchor] += 1
        number = self._taken[section.anchor]
        own = section.anchor if number == 1 else f"{section.anchor}--{number}"
        parts = tuple(self.settle(each) if isinstance(each, Section) else each for each in section.parts)
        return Section(section.title, own, parts)


def _contents(sections: list[Section], name: str) -> Markup:
    is_flat = not any(isinstance(part, Section) for each in sections for part in each.parts)
    kind = "contents flat" if is_flat else "contents"
    return element("nav", element("b", name), _entries(sections, 1), class_=kind, aria_label=name)


def _entries(sections: Iterable[Section], depth: int) -> Markup:
    """Return the entries of the contents, two levels deep."""
    items = []
    for each in sections:
        inner = [part for part in each.parts if isinstance(part, Section)] if depth == 1 else []
        link = element("a", each.title, href=f"#{each.anchor}")
        items.append(element("li", link, *((_entries(inner, depth + 1),) if inner else ())))
    return element("ol", *items)


def _part(part: Markup | Section, level: int) -> Markup:
    if isinstance(part, Markup):
        return part
    link = element("a", class_="anchor", href=f"#{part.anchor}", aria_label=part.title)
    inside = (_part(each, level + 1) for each in part.parts)
    return element("section", element(f"h{level}", part.title, link), *inside, id_=part.anchor)
