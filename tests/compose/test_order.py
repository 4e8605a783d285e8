"""Naming order never shows: any permutation of documents and names gives the same rules and the same problems."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from aodrules.compose.from_documents import compose
from aodrules.source.diagnostics import Diagnostic, Report
from aodrules.syntax.documents import Document
from tests.compose.texts import document

GAME = document(
    """
    kinds: {tile: {attributes: {age: number}, hooks: {own: {effects: true}, built: {}}}}
    tile:
      mill: {age: 1, own: {a: {modify: worth, add: 1}}, built: [{step: pay, do: [{gain: 1}]}]}
      farm: {age: 2, needs: b}
    graph: {borders: {of: tile, links: [[mill, farm]]}}
    state: {table: {turn: number 1..8 = 1}}
    verb: {go: {do: [{step: one, do: [{step: inner, do: [{gain: 1}]}]}, {step: two, do: [{gain: 2}]}, tidy]}}
    """
)
EDITS = {
    "add": """
        tile.hut: {age: 1}
        tile.hut: {age: 2}
        tile.den: {age: 2}
        tile.hut.own.e: {modify: worth, add: 9}
        tile.mill.own.b: {modify: worth, add: 2}
        tile.farm.own.c: {modify: worth, add: 3}
        tile.farm.own.d: {modify: worth, add: 4}
        graph.borders.links: [[mill, den]]
        state.tile.x: flag
        state.tile.y: flag = true
    """,
    "change": """
        tile.mill.age: 3
        tile.mill: {age: 4}
        tile.mill.built: [tidy]
        tile.hut.age: 5
        verb.go.one: [tidy]
        verb.go.inner.do: []
        verb.go.two: {gain: 7}
        verb.go.tidy: [{gain: 9}]
        verb.go.do: [tidy]
    """,
    "remove": """
        tile.mill
        tile.mill.own.a
        tile.hut
        tile.nowhere
        verb.go.two
        verb.go.tidy
    """,
    "insert": """
        {before: verb.go.two, do: [{gain: 3}]}
        {after: verb.go.two, do: [{gain: 4}]}
        {first: verb.go, do: [tidy]}
        {last: verb.go, do: [{step: new, do: []}]}
        {after: verb.go.tidy, do: [{gain: 5}]}
        {first: verb.go.inner, do: [{gain: 6}]}
        {last: tile.mill.built, do: [{gain: 8}]}
    """,
    "move": """
        {step: verb.go.two, before: verb.go.one}
        {step: verb.go.one, last: verb.go}
        {step: verb.go.inner, last: tile.mill.built}
        {step: verb.go.tidy, first: verb.go}
        {step: verb.go.two, after: verb.go.inner}
        {step: tile.mill.built.pay, first: verb.go}
    """,
    "effects": """
        one: {modify: worth, add: 1}
        two: {modify: worth, add: 2}
    """,
}
NAMES = ("a", "b", "c", "d")


def words(names: tuple[str, ...]) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(names), unique=True, max_size=2)


@st.composite
def edits(draw: st.DrawFn) -> dict[str, str]:
    found = {}
    for kind in draw(st.lists(st.sampled_from(sorted(EDITS)), unique=True, max_size=2)):
        choices = st.sampled_from([line.strip() for line in EDITS[kind].strip().split("\n")])
        chosen = draw(st.lists(choices, unique_by=lambda text: text.split(": {")[0], min_size=1, max_size=2))
        opening, closing = "[]" if kind in ("remove", "insert", "move") else "{}"
        found[kind] = f"{opening}{', '.join(chosen)}{closing}"
    return found


@st.composite
def variants(draw: st.DrawFn, name: str) -> Document:
    others = tuple(other for other in NAMES if other != name)
    lines = [f"variant: {name}"]
    for key, chance in (("after", 3), ("requires", 8), ("conflicts", 8)):
        if draw(st.integers(0, chance)) == 0:
            lines.append(f"{key}: [{', '.join(draw(words(others)))}]")
    lines += [f"{kind}: {body}" for kind, body in draw(edits()).items()]
    together = draw(edits())
    if together and draw(st.integers(0, 3)) == 0:
        bodies = ", ".join(f"{kind}: {body}" for kind, body in together.items())
        lines.append(f"with: {{{draw(st.sampled_from(others))}: {{{bodies}}}}}")
    return document("\n".join(lines))


def outcome(documents: tuple[Document, ...]) -> tuple[str, list[Diagnostic], list[tuple[str, str]]]:
    report = Report()
    names = [each.head.name.text for each in documents if each.head is not None]
    rules = compose(documents, None, names, report)
    return rules.fingerprint, list(report), [(entry.address, entry.layer) for entry in rules.origins]


@given(st.tuples(*(variants(name) for name in NAMES[:3])))
def test_naming_order_never_shows(made: tuple[Document, ...]) -> None:
    outcomes = [outcome(order) for order in permutations((GAME, *made))]
    assert all(each == outcomes[0] for each in outcomes)


@given(edits(), edits())
def test_document_names_show_only_in_the_order_of_steps_put_in(one: dict[str, str], other: dict[str, str]) -> None:
    results = []
    for names in (("a", "b"), ("b", "a")):
        bodies = ["\n".join(f"{kind}: {body}" for kind, body in each.items()) for each in (one, other)]
        made = [document(f"variant: {name}\n{body}") for name, body in zip(names, bodies, strict=True)]
        rules, problems, _ = outcome((GAME, *made))
        results.append((rules, sorted(problem.code for problem in problems)))
    assert results[0][1] == results[1][1]
    put = {"insert", "move"}
    if not results[0][1] and not (put & one.keys() and put & other.keys()) and "effects" not in {**one, **other}:
        assert results[0][0] == results[1][0]
