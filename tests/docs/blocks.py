"""Blocks of code in the documentation: where each stands, and what the comment above it says it is.

A block of YAML has a comment on the line above it:

===================================  ==================================================================
`<!-- whole game -->`                a game of its own
`<!-- from RULES -->`                an excerpt: everything in it stands in those rules
`<!-- added to RULES -->`            a document that goes together with those rules
`<!-- wrong in RULES: CODE ... -->`  a document that has just these problems when added to them
`<!-- quoted from PATH -->`          lines that stand so, one after the other, in a file of the project
`<!-- file NAME -->`                 written to a file of that name, for what comes later on the page
`<!-- with NAME: THIS => THAT -->`   above commands: what they say while the file holds that instead of this
===================================  ==================================================================

Above Python, `<!-- needs MODULE -->` says that it is run only where an extra brought that module, and
`<!-- a program -->` that a test of its own runs it.
RULES is a word such as `harbour+grand`; its first part is a game of `tests/games/`, `small_game` or `sample`.
"""

from __future__ import annotations

import re
from pathlib import Path

from attrs import frozen

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs"
_FENCE = re.compile(
    r"^(?:(?P<indent>[ ]*)<!-- (?P<mark>.*?) -->\n)?^(?P<margin>[ ]*)```(?P<language>[a-z]*)[^\n]*\n"
    r"(?P<text>.*?)^(?P=margin)```[ ]*$",
    re.MULTILINE | re.DOTALL,
)


@frozen
class Block:
    """A fenced block of a page."""

    page: Path
    line: int
    language: str
    mark: str
    text: str

    @property
    def id(self) -> str:
        """A name for tests: page and line."""
        return f"{self.page.relative_to(ROOT).as_posix()}:{self.line}"


def pages() -> list[Path]:
    """Return the README and every page of the documentation."""
    return [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]


def blocks_of(page: Path) -> list[Block]:
    """Return the blocks of a page in order."""
    text = page.read_text(encoding="utf-8")
    return [_block(page, text, found) for found in _FENCE.finditer(text)]


def blocks(*languages: str) -> list[Block]:
    """Return the blocks of all pages that are in one of some languages."""
    return [block for page in pages() for block in blocks_of(page) if block.language in languages]


def _block(page: Path, text: str, found: re.Match[str]) -> Block:
    line = text.count("\n", 0, found.start("text")) + 1
    margin = len(found["margin"])
    body = "".join(each[margin:] if each[:margin].isspace() else each for each in found["text"].splitlines(True))
    return Block(page, line, found["language"], found["mark"] or "", body)
