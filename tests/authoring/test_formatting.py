"""Documents in the house form: the same rules in the same order, every comment, and nothing to do a second time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aodrules.authoring.formatting import WIDTH, format_document
from aodrules.authoring.shortening import meaning_of
from aodrules.source.diagnostics import Report
from aodrules.source.disk import yaml_files
from aodrules.source.spans import Source
from aodrules.syntax.yaml_reader import read_yaml
from tests.docs.blocks import ROOT

SHIPPED = [path for folder in ("content", "variants", "tests/games") for path in yaml_files(ROOT / folder)]
_LONG = ", ".join(f"{{step_{number}: number, of: player}}" for number in range(6))
CASES = {
    "braces and brackets have no air inside": ("a: { b: 1 ,c: [ x,y ] }\n", "a: {b: 1, c: [x, y]}\n"),
    "everything is two further in": (
        """
        a:
            b:
                - c: 1
                  d: 2
            e:
            - f
        """,
        """
        a:
          b:
            - c: 1
              d: 2
          e:
            - f
        """,
    ),
    "quotes go where they are not needed": (
        """
        a: "max(b, 1)"
        c: {d: "max(b, 1)", e: 'it is', "f": "1", g: "yes: no"}
        """,
        """
        a: max(b, 1)
        c: {d: "max(b, 1)", e: it is, f: "1", g: "yes: no"}
        """,
    ),
    "values in a column stay in one, near to the longest key": (
        """
        a:       1
        bcd:     2
        e: 3
        f:   4
        """,
        """
        a:   1
        bcd: 2
        e: 3
        f: 4
        """,
    ),
    "comments keep their column, and two spaces before them": (
        """
        #first
        a: 1 # one
        bcdefghijklmn: 2   # two
        c:
              # above
              d: 3
                # further in
        # last
        """,
        """
        # first
        a: 1  # one
        bcdefghijklmn: 2   # two
        c:
          # above
          d: 3
                # further in
        # last
        """,
    ),
    "one empty line is enough, and none at the ends": ("\n\na: 1\n\n\n\nb: 2\n\n", "a: 1\n\nb: 2\n"),
    "what is too long for a line is cut": (
        f"a: [{_LONG}]\n",
        "a:\n" + "".join(f"  - {{step_{number}: number, of: player}}\n" for number in range(6)),
    ),
    "a long list of words goes on below": (
        f"a: [{', '.join(['word'] * 30)}]\n",
        f"a: [{', '.join(['word'] * 24)},\n  {', '.join(['word'] * 6)}]\n",
    ),
    "a comment in braces opens them": (
        """
        a: {b: 1,  # why
            c: 2}
        """,
        """
        a:
          b: 1     # why
          c: 2
        """,
    ),
    "texts of several lines stay as they are": (
        """
        a:
            is: >-
                one
                  two
            text: "three
              four"
        """,
        """
        a:
          is: >-
            one
              two
          text: "three
            four"
        """,
    ),
    "nothing behind a colon stays nothing": ("a: [{b: , c: 1}]\nd:\n", "a: [{b: , c: 1}]\nd:\n"),
    "a sign in a word is no comment": ("a: b#c\nd: '# e'  # f\n", "a: b#c\nd: '# e'  # f\n"),
}


def formatted(text: str) -> str:
    report = Report()
    found = format_document(Source("rules.yaml", text), report)
    assert found is not None, [each.message for each in report]
    return found


def comments_of(text: str) -> list[str]:
    """Return what looks like a comment, without its signs and spaces."""
    return sorted(re.sub(r"[#\s]", "", found) for found in re.findall(r"(?:^|\s)#(.*)$", text, re.MULTILINE))


@pytest.mark.parametrize("name", CASES)
def test_the_house_form(name: str) -> None:
    before, after = (dedent(each.removeprefix("\n") if each.startswith("\n ") else each) for each in CASES[name])
    assert formatted(before) == after
    assert formatted(after) == after


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_what_ships_keeps_its_words_and_comments_and_is_done_at_once(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    once = formatted(text)
    assert formatted(once) == once
    assert comments_of(once) == comments_of(text)
    assert meaning(once) == meaning(text)


def meaning(text: str) -> object:
    root = read_yaml(Source("rules.yaml", text), Report())
    return None if root is None else meaning_of(root)


def read(text: str) -> object:
    root = read_yaml(Source("rules.yaml", text), Report())
    return None if root is None else root.plain()


WORDS = st.sampled_from(
    ["cod", "rum", "player.silver > 3", "max(2, 5)", "it's", "2..4", "a b c", "yes", "x # y", "ż: ó"]
)
TREES = st.recursive(
    WORDS | st.integers(-9, 99) | st.booleans(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abcdefgh"), inner, max_size=4),
    max_leaves=16,
)


COMMENTS = st.sampled_from(["", "", "", " # why", "   #not", "  # 'this' {one}"])


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Draw a document in any layout that strict YAML allows, with comments here and there."""
    keys = draw(st.lists(st.sampled_from("pqrst"), min_size=1, unique=True))
    return "".join(f"{line}\n" for key in keys for line in block(draw, draw(TREES), 0, f"{key}: "))


def block(draw: st.DrawFn, value: object, indent: int, start: str) -> Iterator[str]:
    if not isinstance(value, dict | list) or not value or draw(st.booleans()):
        yield f"{start}{flow(draw, value)}{draw(COMMENTS)}"
        return
    yield f"{start.rstrip()}{draw(COMMENTS)}"
    indent += draw(st.integers(1, 4))
    for key, each in value.items() if isinstance(value, dict) else [(None, each) for each in value]:
        if draw(st.integers(0, 4)) == 0:
            yield from ["", f"{' ' * draw(st.integers(0, 8))}# above"]
        opening = "- " if key is None else f"{key}:{' ' * draw(st.integers(1, 3))}"
        yield from block(draw, each, indent + (2 if key is None else 0), " " * indent + opening)


def flow(draw: st.DrawFn, value: object) -> str:
    gap = draw(st.sampled_from(["", " "]))
    match value:
        case dict():
            return "{" + gap + ", ".join(f"{key}: {flow(draw, each)}" for key, each in value.items()) + gap + "}"
        case list():
            return "[" + gap + f",{gap}".join(flow(draw, each) for each in value) + gap + "]"
        case bool():
            return str(value).lower()
        case _:
            return f'"{value}"' if isinstance(value, str) else str(value)


@given(documents())
def test_any_document_keeps_its_words_and_comments_and_is_done_at_once(text: str) -> None:
    once = formatted(text)
    assert read(once) == read(text)
    for mark in ("# why", "#not", "# above", "# 'this' {one}"):
        assert once.replace("# not", "#not").count(mark) == text.count(mark)
    assert formatted(once) == once
    assert all(
        len(line.partition("  #")[0].rstrip()) <= WIDTH for line in once.splitlines() if line.lstrip(" -")[:1] in "{["
    )


def test_a_file_that_cannot_be_read_is_told_and_not_laid_out() -> None:
    report = Report()
    assert format_document(Source("rules.yaml", "a: [\n"), report) is None
    assert [each.code for each in report] == ["invalid-yaml"]
