"""Pages made of headings, paragraphs, lists and tables, as Markdown or as one HTML file.

Texts may have four marks: `code`, **bold**, *slanted* as a whole, and ~~struck out~~. They come from authors, so
nothing else in them means anything: no tag, no link, no picture, no beginning of another block.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

from attrs import frozen


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


@frozen
class Listing:
    """Lines shown as they are."""

    lines: tuple[str, ...]


Block = Heading | Paragraph | Items | Rows | Listing
_STYLE = (
    "body{font:16px/1.5 sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse}"
    "td,th{border:1px solid #ccc;padding:.2rem .5rem;text-align:left}.marked{background:#fff4cc}pre{background:#f4f4f4;"
    "padding:.5rem;overflow:auto}"
)


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
        case Listing(lines):
            longest = max((len(run) for line in lines for run in re.findall("`+", line)), default=0)
            fence = "`" * max(3, longest + 1)
            return "\n".join([f"{fence}text", *lines, fence])
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
    body = "\n".join(_html(block) for block in blocks)
    head = f'<meta charset="utf-8"><title>{html.escape(title)}</title><style>{_STYLE}</style>'
    return (
        f'<!doctype html>\n<html lang="{html.escape(language)}"><head>{head}</head>\n<body>\n{body}\n</body></html>\n'
    )


def _html(block: Block) -> str:
    match block:
        case Heading(level, text):
            return f"<h{level}>{_inline(text)}</h{level}>"
        case Paragraph(text, marked):
            return f'<p class="marked">{_inline(text)}</p>' if marked else f"<p>{_inline(text)}</p>"
        case Items(lines):
            return "<ul>" + "".join(f"<li>{_inline(line)}</li>" for line in lines) + "</ul>"
        case Listing(lines):
            return f"<pre>{html.escape(chr(10).join(lines))}</pre>"
        case Rows(rows):
            first, *rest = rows
            head = "".join(f"<th>{_inline(cell)}</th>" for cell in first)
            body = "".join("<tr>" + "".join(f"<td>{_inline(cell)}</td>" for cell in row) + "</tr>" for row in rest)
            return f"<table><tr>{head}</tr>{body}</table>"


def _inline(text: str) -> str:
    """Return a text with its marks as HTML: `code`, **bold**, *slanted* and ~~struck out~~."""
    text = html.escape(text, quote=False)
    marks = ((r"`([^`]+)`", "code"), (r"\*\*([^*]+)\*\*", "b"), (r"^\*([^*]+)\*$", "i"), (r"~~([^~]+)~~", "s"))
    for sign, tag in marks:
        text = re.sub(sign, rf"<{tag}>\1</{tag}>", text)
    return text
