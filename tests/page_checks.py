"""What must be true of every page: valid, complete in itself, and every link leads somewhere."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser

_VOID = {"meta", "br"}
_NO_BLOCKS_INSIDE = {"p", "h1", "h2", "h3", "h4", "summary", "th"}
_BLOCKS = {"p", "div", "ul", "ol", "table", "section", "details", "h1", "h2", "h3", "h4"}
_LISTS = {"ul": {"li"}, "ol": {"li"}, "tr": {"th", "td"}, "thead": {"tr"}, "tbody": {"tr"}, "table": {"thead", "tbody"}}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: Counter[str] = Counter()
        self.links: list[str] = []
        self.headings: list[int] = []
        self.language: str | None = None
        self.mistakes: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._look(tag, dict(attrs))
        around = self.open[-1] if self.open else ""
        if tag not in _LISTS.get(around, {tag}):
            self.mistakes.append(f"<{tag}> stands in <{around}>")
        if tag in _BLOCKS and _NO_BLOCKS_INSIDE & set(self.open):
            self.mistakes.append(f"<{tag}> stands in {self.open}")
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._look(tag, dict(attrs))

    def _look(self, tag: str, given: dict[str, str | None]) -> None:
        if tag == "html":
            self.language = given.get("lang")
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if given.get("id") is not None:
            self.ids[str(given["id"])] += 1
        if "href" in given:
            self.links.append(str(given["href"]))
        self.mistakes += [f"{tag} has {name}" for name in given if name in ("src", "style") or name.startswith("on")]
        if tag in ("script", "link", "iframe", "object", "img", "base", "form"):
            self.mistakes.append(f"there is a <{tag}>")

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open[-1] != tag:
            self.mistakes.append(f"</{tag}> closes {self.open[-3:]}")
        elif self.open:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        if not {"style", "code", "svg", "head"} & set(self.open):
            self.text.append(data)


def page_mistakes(page: str) -> list[str]:
    """Return what is wrong with a page: nothing is what it should be."""
    reader = _read(page)
    found = [*reader.mistakes, *(f"<{tag}> is not closed" for tag in reader.open)]
    found += [f"the id {name} is there {many} times" for name, many in reader.ids.items() if many > 1]
    found += [f"{link} leads nowhere" for link in reader.links if link[:1] != "#" or link[1:] not in reader.ids]
    found += ["no language"] if not reader.language else []
    steps = zip(reader.headings, reader.headings[1:], strict=False)
    found += [f"h{after} follows h{before}" for before, after in steps if after > before + 1]
    found += ["not one h1, and that first"] if reader.headings[:1] != [1] or reader.headings.count(1) > 1 else []
    style = page.partition("<style>")[2].partition("</style>")[0]
    found += ["the style loads something"] if re.search(r"url\(|@import", style) else []
    return found


def running_text(page: str) -> str:
    """Return what people read on a page: no code, no picture, no style."""
    return "".join(_read(page).text)


def _read(page: str) -> _Reader:
    reader = _Reader()
    reader.feed(page)
    reader.close()
    return reader
