from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256

from aodrules.pages import Markup, Section, anchor, element, join, join_lines, page, row, style_hash, table
from aodrules.simulate.balance_page import Scale
from aodrules.simulate.statistics import Estimate
from tests.page_checks import page_mistakes


def test_text_is_escaped_and_markup_is_not() -> None:
    assert join("a < b & c ", element("b", "<i>")) == "a &lt; b &amp; c <b>&lt;i&gt;</b>"
    assert join_lines(["<", Markup("<i>x</i>")]) == "&lt;<br><i>x</i>"


def test_markup_put_into_a_text_is_shown_and_not_obeyed() -> None:
    assert element("p", f"see {element('b', 'x')}") == "<p>see &lt;b&gt;x&lt;/b&gt;</p>"


def test_attributes_are_named_as_in_html_and_left_out_where_empty() -> None:
    found = element("line", x1=0, class_="", aria_label='say "<"', stroke_width=2)
    assert found == '<line x1="0" aria-label="say &quot;&lt;&quot;" stroke-width="2"></line>'


def test_a_table_tells_what_its_cells_belong_to() -> None:
    found = table("Goods", ["", "price"], [row("salt", "3", id_="salt")])
    assert '<thead><tr><td></td><th scope="col">price</th></tr></thead>' in found
    assert '<tr id="salt"><th scope="row">salt</th><td>3</td></tr>' in found
    # It can be scrolled by keys, and has a name for those who come to it so.
    assert found.startswith('<div class="wide" role="group" aria-label="Goods" tabindex="0">')


def test_every_picture_says_in_words_what_it_shows() -> None:
    scale, unknown = Scale(2.0), Estimate(1.0, float("-inf"), float("inf"), 1)
    for picture in (scale.draw_axis("points"), scale.draw_bar(1.5), scale.draw_interval(unknown)):
        assert re.match(r'<svg [^>]*role="img"><title>[^<]+</title>', picture)
    assert "<title>points, from \N{MINUS SIGN}2 to +2</title>" in scale.draw_axis("points")
    assert 'class="range unknown"' in scale.draw_interval(unknown)


def test_a_page_fits_a_phone_and_the_dark() -> None:
    found = page("A & b", element("p", "text"), language="pl")
    assert found.startswith('<!doctype html>\n<html lang="pl"><head>')
    assert "<title>A &amp; b</title>" in found
    assert 'name="viewport" content="width=device-width, initial-scale=1"' in found
    light, dark = re.findall(r":root \{([^}]+)\}", found)
    assert set(re.findall(r"--\w+", dark)) == set(re.findall(r"--\w+", light))
    assert set(re.findall(r"var\((--\w+)\)", found)) == set(re.findall(r"(--\w+):", light))
    assert "@media print" in found


def test_the_contents_lead_to_every_section() -> None:
    inner = Section("Second & more", "second", (element("p", "text"),))
    found = page("Book", Section("First", "first", (inner,)), Section("First", "first"), contents="Spis treści")
    assert re.findall('<a href="(#[^"]+)">([^<]+)</a>', found) == [
        ("#first", "First"),
        ("#second", "Second &amp; more"),
        ("#first--2", "First"),
    ]
    assert '<section id="second"><h3>Second &amp; more<a class="anchor" href="#second"' in found
    assert '<nav class="contents" aria-label="Spis treści"><b>Spis treści</b>' in found
    assert page_mistakes(found) == []


def test_a_page_without_sections_has_no_contents() -> None:
    found = page("Note", element("p", "text"))
    assert "<nav" not in found
    assert page_mistakes(found) == []


def test_a_page_allows_nothing_but_its_own_style() -> None:
    found = page("A", element("p", "text"))
    style = found.partition("<style>")[2].partition("</style>")[0]
    own = b64encode(sha256(style.encode()).digest()).decode()
    assert style_hash() == f"sha256-{own}"
    policy = f"default-src 'none'; style-src 'sha256-{own}'; base-uri 'none'; form-action 'none'"
    assert f'<meta http-equiv="Content-Security-Policy" content="{policy}">' in found
    # It comes before all that it is about.
    assert found.index("Content-Security-Policy") < found.index("<title>")


def test_signs_that_turn_text_around_are_replaced() -> None:
    assert "\u202e" not in page("a\u202eb", element("p", "c\u202ed", title="e\u202ef"))


def test_anchors_hold_no_blanks() -> None:
    assert anchor("share of wins", "b1.x <i>") == "share-of-wins-b1.x-i-"


def test_the_checks_of_pages_see_mistakes() -> None:
    """What the other tests of pages rely on."""
    wrong = (
        "<p><div></div></p>",
        "<ul><p>x</p></ul>",
        '<a href="#nowhere">x</a>',
        '<a href="http://example.org">x</a>',
        '<p id="top">x</p>',
        "<h4>x</h4>",
        "<h1>x</h1>",
        "<script></script>",
        '<p onclick="x">x</p>',
        '<p style="x">x</p>',
        "<p>",
    )
    assert page_mistakes(page("A", element("p", "x"))) == []
    assert [each for each in wrong if not page_mistakes(page("A", Markup(each)))] == []
