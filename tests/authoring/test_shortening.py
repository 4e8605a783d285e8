"""Short forms: the same rules, order and comments in fewer words, and nothing to do a second time."""

from __future__ import annotations

from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aodrules.authoring.formatting import format_document
from aodrules.authoring.shortening import meaning_of
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Source
from aodrules.syntax.tree import Plain
from aodrules.syntax.yaml_reader import read_yaml
from tests.compose.texts import composed

CASES = {
    "one clause stands without brackets": (
        "verb: {go: {do: [{step: a, do: [], clauses: [x.y]}], clauses: [a.b]}}",
        "verb: {go: {do: [{step: a, do: [], clauses: x.y}], clauses: a.b}}",
    ),
    "what tests rules keeps its brackets": (
        "scenario: {a: {clauses: [x.y]}}",
        "scenario: {a: {clauses: [x.y]}}",
    ),
    "parameters named like their types are a list": (
        "value: {a: {given: {player: player, region: region}, is: 1}, b: {given: {p: player}, is: 1}}",
        "value: {a: {given: [player, region], is: 1}, b: {given: {p: player}, is: 1}}",
    ),
    "a condition that repeats its clause says it once": (
        'option: {go: {where: {a.b: {is: "f(x, y)", else: a.b}, c.d: {is: x, else: a.b}}, do: []}}',
        'option: {go: {where: {a.b: "f(x, y)", c.d: {is: x, else: a.b}}, do: []}}',
    ),
    "a decision with one option is written as that": (
        """
        decision:
          a: {optional: true, options: {a: {for: {unit: unit}, do: [go]}}, clauses: [x.y]}
          b:
            options: {c: {where: [x], do: [go]}}
          d:
            again: 2
            options:
              e:
                for: [unit]              # which
                # and then
                do:
                  - go                   # now
                  - stop
            clauses: [x.y]
        """,
        """
        decision:
          a: {optional: true, for: [unit], do: [go], clauses: x.y}
          b:
            option: c
            where: [x]
            do: [go]
          d:
            again: 2
            option: e
            for: [unit]              # which
            # and then
            do:
              - go                   # now
              - stop
            clauses: x.y
        """,
    ),
    "a decision whose option says more than that stays": (
        """
        decision:
          a: {options: {a: {do: [], clauses: [x.y]}}}
          b: {options: {b: {do: [], again: 2}}}
          c: {options: {c: {use: shared}}}
          d: {options: {d: {do: []}, e: {do: []}}}
          f:
            options:                     # why
              f:
                do: []
        """,
        """
        decision:
          a: {options: {a: {do: [], clauses: x.y}}}
          b: {options: {b: {do: [], again: 2}}}
          c: {options: {c: {use: shared}}}
          d: {options: {d: {do: []}, e: {do: []}}}
          f:
            options:                     # why
              f:
                do: []
        """,
    ),
    "members that say the same of themselves are rows": (
        """
        good:
          # those of the mines
          gold:   {copies: 5, worth: "max(1, 2)", clauses: [a.b]}   # dear
          silver: {copies: 6, worth: 3, clauses: [a.b]}
          tin:    {copies: 7, worth: 2, clauses: [a.b]}
          lead:   {copies: 7, worth: 1, clauses: [a.b]}
        """,
        """
        good:
          # those of the mines
          clauses: a.b
          columns: [copies, worth]
          gold:    [5, "max(1, 2)"]   # dear
          silver:  [6, 3]
          tin:     [7, 2]
          lead:    [7, 1]
        """,
    ),
    "with one column a row is its cell": (
        "good:\n  a: {n: 1}\n  b: {n: x + 1}\n  c: {n: 3}\n  d: {n: 4}\n",
        "good:\n  columns: [n]\n  a:       1\n  b:       x + 1\n  c:       3\n  d:       4\n",
    ),
    "few members, or ones that differ, are no table": (
        "good:\n  a: {n: 1}\n  b: {n: 2}\n  c: {n: 3}\nbad:\n  a: {n: 1}\n  b: {n: 2}\n  c: {n: 3}\n  d: {m: 3}\n",
        "good:\n  a: {n: 1}\n  b: {n: 2}\n  c: {n: 3}\nbad:\n  a: {n: 1}\n  b: {n: 2}\n  c: {n: 3}\n  d: {m: 3}\n",
    ),
    "edits are shortened too": (
        """
        variant: v
        clauses: [x.y]
        add:
          verb.go: {given: {player: player}, do: [], clauses: [x.y]}
          decision: {a: {options: {a: {do: []}}}}
        change:
          decision.b: {options: {b: {for: {unit: unit}, do: []}}}
        with:
          w:
            add: {value: {n: {is: 1, clauses: [x.y]}}}
        """,
        """
        variant: v
        clauses: [x.y]
        add:
          verb.go: {given: {player: player}, do: [], clauses: x.y}
          decision: {a: {options: {a: {do: []}}}}
        change:
          decision.b: {for: [unit], do: []}
        with:
          w:
            add: {value: {n: {is: 1, clauses: x.y}}}
        """,
    ),
}


def formatted(text: str) -> str:
    report = Report()
    found = format_document(Source("rules.yaml", text), report)
    assert found is not None, [each.message for each in report]
    return found


def meant(text: str) -> Plain | None:
    root = read_yaml(Source("rules.yaml", text), Report())
    assert root is not None
    return meaning_of(root)


@pytest.mark.parametrize("name", CASES)
def test_short_forms(name: str) -> None:
    before, after = (dedent(each).strip() + "\n" for each in CASES[name])
    assert formatted(before) == after
    assert formatted(after) == after
    assert meant(before) == meant(after) is not None


def test_a_document_without_a_long_form_is_only_laid_out() -> None:
    text = "good: {a: [1, 2]}\nverb: {go: {do: [], clauses: [x]}}\n"
    assert formatted(text) == text


IDS = st.sampled_from(["ash", "birch", "cedar", "dill", "elm", "fern"])
COMMENTS = st.sampled_from(["", "", "", "   # why"])
CLAUSES = st.sampled_from(["", "", ", clauses: [a.b]", ", clauses: [a.b, c.d]"])
GIVEN = st.sampled_from(["{player: player}", "{p: player}", "[player]", "{player: player, unit: unit}"])
WHERE = st.sampled_from(
    ["[x > 1]", "{a.b: {is: x, else: a.b}}", "{a.b: [x, {is: y, else: a.b}], c: {is: x, else: a.b}}"]
)
KEYS = st.lists(st.sampled_from(["n", "m", "worth"]), unique=True, max_size=3)


@st.composite
def members(draw: st.DrawFn) -> str:
    ids, same = draw(st.lists(IDS, unique=True, min_size=1)), draw(KEYS)
    lines = ["good:"]
    for id_ in ids:
        keys = same if draw(st.integers(0, 9)) else draw(KEYS)
        body = ", ".join(f"{key}: {draw(st.integers(-3, 9))}" for key in keys) + draw(CLAUSES)
        lines.append(f"  {id_}:{' ' * draw(st.integers(1, 3))}{{{body.removeprefix(', ')}}}{draw(COMMENTS)}")
    return "\n".join(lines)


@st.composite
def decisions(draw: st.DrawFn) -> str:
    lines = ["decision:"]
    for id_ in draw(st.lists(IDS, unique=True, min_size=1, max_size=3)):
        options = draw(st.lists(IDS, unique=True, min_size=1, max_size=2))
        body = [
            f"for: {draw(GIVEN)}",
            f"where: {draw(WHERE)}",
            "do: [go]",
            *draw(st.sampled_from([[], ["limit: {game: 1}"]])),
        ]
        more = draw(CLAUSES)
        if draw(st.booleans()):
            inside = ", ".join(f"{each}: {{{', '.join(body)}}}" for each in options)
            lines.append(f"  {id_}: {{optional: true, options: {{{inside}}}{more}}}{draw(COMMENTS)}")
            continue
        lines += [f"  {id_}:", f"    options:{draw(COMMENTS)}"]
        for each in options:
            lines += [f"      {each}:{draw(COMMENTS)}", *(f"        {part}{draw(COMMENTS)}" for part in body)]
        lines += [f"    {more.removeprefix(', ')}"] * bool(more)
    return "\n".join(lines)


@given(members(), decisions())
def test_any_rules_keep_their_meaning_fingerprint_and_comments(some: str, others: str) -> None:
    text = f"{some}\n{others}\n"
    once = formatted(text)
    assert formatted(once) == once
    assert meant(once) == meant(text)
    assert once.count("# why") == text.count("# why")
    assert composed(once).rules.fingerprint == composed(text).rules.fingerprint
