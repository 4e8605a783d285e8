"""Texts of authors on pages: whatever they hold, they are text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

import aodrules
from aodrules.authoring.rule_text import RuleText
from aodrules.authoring.sarif import format_sarif
from aodrules.authoring.text_blocks import Block, Heading, Items, Paragraph, Rows, to_html, to_markdown
from aodrules.simulate.balance import compare, worth_of_things
from aodrules.simulate.balance_page import balance_page
from aodrules.simulate.matches import Match
from aodrules.source.diagnostics import Label, Note, Report, error
from aodrules.source.spans import Source, Span
from aodrules.testing import read_suite
from aodrules.testing.clause_map import clause_map
from aodrules.testing.clause_page import clause_page
from tests.page_checks import page_mistakes
from tests.playing import GAMES

HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\" onload='alert(2)' <svg/onload=alert(3)>",
    "[click](javascript:alert(1))",
    "![picture](http://example.org/x.png)",
    "<javascript:alert(1)>",
    "[a]: javascript:alert(1)",
    "``<b>`",
    "`a``<b>`",
    "\\`<b>`",
    "\\[a](b)",
    "a\n\n<div>\n\n# b",
    "```\n<b>\n```",
    "~~~",
    "# not a title",
    "- not an item",
    "+ nor this",
    "1. nor this",
    "> no quotation",
    "---",
    "&lt;b&gt; &amp; a && b",
    "a | b <i> |",
    "<!-- comment",
    "</title></style></pre><b>",
)
BLOCKS: tuple[Callable[[str], Block], ...] = (
    lambda text: Heading(2, text),
    Paragraph,
    lambda text: Paragraph(text, marked=True),
    lambda text: Items((text, text)),
    lambda text: Rows((("a", text), (text, "b"))),
)


def inner(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from inner(token.children or [])


def words(text: str) -> str:
    """Return the words of a text without what marks it."""
    return " ".join(re.sub("[`~]", "", text).split())


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("block", BLOCKS)
def test_in_markdown_texts_are_texts(block: Callable[[str], Block], text: str) -> None:
    tokens = list(inner(MarkdownIt("commonmark", {"html": True}).enable("table").parse(to_markdown([block(text)]))))
    plain = list(inner(MarkdownIt("commonmark").enable("table").parse(to_markdown([block("plain")]))))
    wanted = {each.type for each in plain} | {"code_inline", "softbreak", "text"}
    assert {each.type for each in tokens} <= wanted
    shown = [each.content for each in tokens if each.type in ("text", "code_inline")]
    assert words(text) in words("".join(shown))


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: set[tuple[str, tuple[str, ...]]] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add((tag, tuple(name for name, _ in attrs)))


def tags(page: str) -> set[tuple[str, tuple[str, ...]]]:
    parser = Tags()
    parser.feed(page)
    return parser.seen


@pytest.mark.parametrize("text", HOSTILE)
def test_in_html_texts_are_texts(text: str) -> None:
    page = to_html([block(text) for block in BLOCKS], text, text)
    plain = to_html([block("plain") for block in BLOCKS], "plain", "en")
    assert tags(page) <= tags(plain) | {("code", ()), ("s", ())}


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> aodrules.Rules:
    """Return a game with such texts wherever an author can write one."""
    hostile = " ".join(text for text in HOSTILE if "\n" not in text).replace("'", "''")
    text = (GAMES / "nim.yaml").read_text(encoding="utf-8")
    text = re.sub(r"\ben: (?:\"[^\"]*\"|[^{},\n]+)(?=[,}])", lambda _: f"en: '{hostile}'", text)
    assert text.count("<script>") > 10
    path: Path = tmp_path_factory.mktemp("hostile") / "nim.yaml"
    path.write_text(text, encoding="utf-8")
    return aodrules.load(path)


def test_a_rules_text_has_no_tags_but_ours(rules: aodrules.Rules) -> None:
    blocks = list(RuleText(rules).blocks())
    tokens = inner(MarkdownIt("commonmark", {"html": True}).enable("table").parse(to_markdown(blocks)))
    assert not {each.type for each in tokens} & {"html_block", "html_inline", "link_open", "image"}
    allowed = {"html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "p", "ul", "li", "table", "tr", "th"}
    allowed |= {"td", "pre", "code", "b", "i", "s", "main", "div", "thead", "tbody"}
    allowed |= {"header", "nav", "section", "ol", "a", "details", "summary"}
    assert {tag for tag, _ in tags(to_html(blocks, "title", "en"))} <= allowed


def test_a_rules_page_shows_hostile_texts_and_obeys_none(rules: aodrules.Rules) -> None:
    page, plain = (RuleText(each, pictures=True).page() for each in (rules, aodrules.load(GAMES / "nim.yaml")))
    assert page_mistakes(page) == []
    assert {tag for tag, _ in tags(page)} <= {tag for tag, _ in tags(plain)} | {"code", "s"}
    assert page.count("&lt;script&gt;") > 5


def test_the_page_of_clauses_has_no_tags_but_its_own(rules: aodrules.Rules) -> None:
    page = clause_page(clause_map(read_suite(rules), 0))
    plain = clause_page(clause_map(read_suite(aodrules.load(GAMES / "nim.yaml")), 0))
    assert "&lt;script&gt;" in page
    assert tags(page) == tags(plain)


def comparison(text: str) -> str:
    """Return the page of a comparison in which everything is called so."""

    def seat(place: int, total: int) -> dict[str, Any]:
        told = {"points": {text: total}, "used": {text: total}, "held": {text: total % 2}, "roles": {text: text}}
        return {"seat": f"{text}{place}", "bot": "random", "place": place, "total": total, **told}

    before, after = ([Match(n, (seat(1, n + more), seat(2, 1)), {}, 10) for n in range(20)] for more in (2, 40))
    return balance_page(compare(text, text, before, after), worth_of_things(after))


@pytest.mark.parametrize("text", HOSTILE)
def test_the_page_of_a_comparison_has_no_tags_but_its_own(text: str) -> None:
    assert tags(comparison(text)) == tags(comparison("plain"))


def test_a_message_in_sarif_holds_no_links() -> None:
    span = Span(Source("a.yaml", "a"), 1, 1, 1, 2)
    link = "[click](http://example.org)"
    also, notes = [Label(span, link)], [Note(link, span)]
    problem = error("unknown-key", link, at=span, label=link, help=link, also=also, notes=notes)
    log = json.loads(format_sarif(Report([problem])))
    (result,) = log["runs"][0]["results"]
    told = [result["message"], *(place["message"] for place in (*result["locations"], *result["relatedLocations"]))]
    assert all(r"\[click\](http://example.org)" in each["text"] for each in told)
