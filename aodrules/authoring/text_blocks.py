"""Texts made of headings, paragraphs, lists and tables, as Markdown or as a page for a browser.

Texts may have four marks: `code`, **bold**, *slanted* as a whole, and ~~struck out~~. They come from authors, so
nothing else in them means anything: no tag, no link, no picture, no beginning of another block.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise, takewhile

from attrs import frozen

from aodrules.pages import Markup, Section, anchor, element, join, page, row, table


@frozen
class Heading:
    """A title; the title of the page is of level 1."""

    level: int
    text: str
    anchor: str = ""
    """What it is linked by on a page; made from the text if not given."""


@frozen
class Paragraph:
    """Some sentences; `marked` ones are shown as changed."""

    text: str
    marked: bool = False
    anchor: str = ""
    """What it is linked by on a page, if by anything."""


@frozen
class Items:
    """A list."""

    lines: tuple[str, ...]


@frozen
class Example:
    """Something that is told at length, and that a page shows only when it is asked for."""

    title: str
    lines: tuple[str, ...]


@frozen
class Rows:
    """A table; the first row names the columns."""

    rows: tuple[tuple[str, ...], ...]
    sorts: tuple[str, ...] = ()
    """What each column holds on a page: `number`, `prose`, or nothing of these."""
    anchors: tuple[str, ...] = ()
    """What each row but the first is linked by on a page."""


@frozen
class Picture:
    """A picture as SVG, for light and for dark pages; Markdown leaves it out."""

    light: str
    dark: str
    caption: str


Block = Heading | Paragraph | Items | Example | Rows | Picture
_CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
_BEGINNING = re.compile(r"^(?:#|>|[-+*](?= |$)|---|~~~)")
_NUMBERED = re.compile(r"^([0-9]{1,9})([.)])(?= |$)")


def to_markdown(blocks: Iterable[Block]) -> str:
    """Return a page as Markdown."""
    found = (_markdown(block) for block in blocks)
    return "\n\n".join(text for text in found if text) + "\n"


def _markdown(block: Block) -> str:
    match block:
        case Heading(level, text):
            return f"{'#' * level} {_line(text)}"
        case Paragraph(text, marked):
            return f"> {_line(text)}" if marked else _line(text)
        case Items(lines):
            return "\n".join(f"- {_line(line)}" for line in lines)
        case Example(title, lines):
            return "\n\n".join(filter(None, (_markdown(Paragraph(f"*{title}*")), _markdown(Items(lines)))))
        case Picture():
            return ""
        case Rows(rows):
            cells = ["| " + " | ".join(_line(cell).replace("|", "\\|") for cell in row) + " |" for row in rows]
            return "\n".join([cells[0], "|" + "---|" * len(rows[0]), *cells[1:]])


def _line(text: str) -> str:
    """Return a text as one line of Markdown in which only its marks mean something."""
    # Every second part is code, in which nothing means anything; all other backticks are escaped, so none can end it.
    parts = _CODE.split(" ".join(text.split()))
    line = "".join(f"`{part}`" if number % 2 else _escape_markdown(part) for number, part in enumerate(parts))
    return _NUMBERED.sub(r"\1\\\2", _BEGINNING.sub(r"\\\g<0>", line))


def _escape_markdown(text: str) -> str:
    text = re.sub(r"[\\`\[\]]", r"\\\g<0>", text)
    return re.sub(r"&(?=#?\w+;)", "&amp;", text).replace("<", "&lt;")


def to_html(blocks: Iterable[Block], title: str, language: str, contents: str = "Contents") -> str:
    """Return a page as one HTML file that needs nothing else.

    Args:
        blocks: What stands on it; paragraphs before any other block stand above the contents.
        title: What it is called; a heading of level 1 says the same and is left out.
        language: The code of the language it is in.
        contents: What the contents are called in that language.
    """
    found = [each for each in blocks if not (isinstance(each, Heading) and each.level == 1)]
    lead = list(takewhile(lambda each: isinstance(each, Paragraph), found))
    return page(title, *_sections(found[len(lead) :], 2), lead=map(_markup, lead), language=language, contents=contents)


def _sections(blocks: list[Block], level: int) -> Iterator[Markup | Section]:
    """Iterate over blocks as the parts of a page: what follows a heading stands in its section."""
    places = [place for place, each in enumerate(blocks) if isinstance(each, Heading) and each.level <= level]
    yield from map(_markup, blocks[: places[0] if places else len(blocks)])
    for start, end in pairwise([*places, len(blocks)]):
        heading, inside = blocks[start], blocks[start + 1 : end]
        if isinstance(heading, Heading):
            name = heading.anchor or anchor(heading.text.lower())
            yield Section(heading.text, name, tuple(_sections(inside, level + 1)))


def _markup(block: Block) -> Markup:
    match block:
        case Heading(level, text):
            return element(f"h{level}", _inline(text))
        case Paragraph(text, marked, name):
            link = (element("a", class_="anchor", href=f"#{name}", aria_label=name),) if name else ()
            return element("p", _inline(text), *link, id_=name, class_="changed" if marked else "")
        case Items(lines):
            return element("ul", *(element("li", _inline(line)) for line in lines))
        case Example(title, lines):
            return element("details", element("summary", _inline(title)), _markup(Items(lines)))
        case Picture(light, dark, caption):
            # What a picture holds is escaped already: it is markup of ours.
            themes = (("on-light", light), ("on-dark", dark))
            drawn = (element("div", Markup(svg), class_=name) for name, svg in themes)
            return element("figure", *drawn, element("figcaption", _inline(caption)), class_="picture")
        case Rows():
            return _table(block)


def _table(block: Rows) -> Markup:
    head, *rest = block.rows
    names = [*block.anchors, *("" for _ in rest)]
    lines = zip(rest, names, strict=False)
    told = (row(*map(_inline, cells), id_=name, sorts=block.sorts[1:]) for cells, name in lines)
    return table(", ".join(head), map(_inline, head), told, sorts=block.sorts)


def _inline(text: str) -> Markup:
    """Return a text with its marks as HTML: `code`, **bold**, *slanted* and ~~struck out~~."""
    marks = ((r"`([^`]+)`", "code"), (r"\*\*([^*]+)\*\*", "b"), (r"^\*([^*]+)\*$", "i"), (r"~~([^~]+)~~", "s"))
    found = join(text)
    for sign, tag in marks:
        found = Markup(re.sub(sign, rf"<{tag}>\1</{tag}>", found))
    return found
