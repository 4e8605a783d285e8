"""Texts made of headings, paragraphs, lists and tables, as Markdown or as a page for a browser.

Texts may have four marks: `code`, **bold**, *slanted* as a whole, and ~~struck out~~. They come from authors, so
nothing else in them means anything: no tag, no link, no picture, no beginning of another block.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from attrs import frozen

from aodrules.pages import Markup, element, join, page, row, table


@frozen
class Heading:
    """A title; the title of the page is of level 1."""

    level: int
    text: str


@frozen
class Paragraph:
    """Some sentences; `marked` ones are shown as changed."""

    text: str
    marked: bool = False


@frozen
class Items:
    """A list."""

    lines: tuple[str, ...]


@frozen
class Rows:
    """A table; the first row names the columns."""

    rows: tuple[tuple[str, ...], ...]


Block = Heading | Paragraph | Items | Rows
_CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
_BEGINNING = re.compile(r"^(?:#|>|[-+*](?= |$)|---|~~~)")
_NUMBERED = re.compile(r"^([0-9]{1,9})([.)])(?= |$)")


def to_markdown(blocks: Iterable[Block]) -> str:
    """Return a page as Markdown."""
    return "\n\n".join(_markdown(block) for block in blocks) + "\n"


def _markdown(block: Block) -> str:
    match block:
        case Heading(level, text):
            return f"{'#' * level} {_line(text)}"
        case Paragraph(text, marked):
            return f"> {_line(text)}" if marked else _line(text)
        case Items(lines):
            return "\n".join(f"- {_line(line)}" for line in lines)
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


def to_html(blocks: Iterable[Block], title: str, language: str) -> str:
    """Return a page as one HTML file that needs nothing else."""
    return page(title, *map(_markup, blocks), language=language)


def _markup(block: Block) -> Markup:
    match block:
        case Heading(level, text):
            return element(f"h{level}", _inline(text))
        case Paragraph(text, marked):
            return element("p", _inline(text), class_="changed" if marked else "")
        case Items(lines):
            return element("ul", *(element("li", _inline(line)) for line in lines))
        case Rows(rows):
            head, *rest = rows
            return table(", ".join(head), map(_inline, head), (row(*map(_inline, cells)) for cells in rest))


def _inline(text: str) -> Markup:
    """Return a text with its marks as HTML: `code`, **bold**, *slanted* and ~~struck out~~."""
    marks = ((r"`([^`]+)`", "code"), (r"\*\*([^*]+)\*\*", "b"), (r"^\*([^*]+)\*$", "i"), (r"~~([^~]+)~~", "s"))
    found = join(text)
    for sign, tag in marks:
        found = Markup(re.sub(sign, rf"<{tag}>\1</{tag}>", found))
    return found
