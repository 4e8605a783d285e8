from __future__ import annotations

import re

from aodrules.pages import Markup, element, join, join_lines, page, row, table
from aodrules.simulate.balance_page import Scale
from aodrules.simulate.statistics import Estimate


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
    assert "<title>points, from -2 to +2</title>" in scale.draw_axis("points")
    assert 'class="range unknown"' in scale.draw_interval(unknown)


def test_a_page_fits_a_phone_and_the_dark() -> None:
    found = page("A & b", element("p", "text"), language="pl")
    assert found.startswith('<!doctype html>\n<html lang="pl"><head>')
    assert "<title>A &amp; b</title>" in found
    assert 'name="viewport" content="width=device-width, initial-scale=1"' in found
    light, dark = re.findall(r":root \{([^}]+)\}", found)
    assert set(re.findall(r"--\w+", dark)) == set(re.findall(r"--\w+", light))
    assert set(re.findall(r"var\((--\w+)\)", found)) == set(re.findall(r"(--\w+):", light))
