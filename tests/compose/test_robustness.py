"""Documents of any shape compose without a failure, and naming order never shows even then."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from aodrules.compose.from_documents import compose
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Source
from aodrules.syntax.documents import Document
from aodrules.syntax.from_source import read
from tests.compose.texts import composed, names_in

KEYS = [
    *("game", "kinds", "tile", "state", "table", "player", "verb", "go", "do", "then", "else", "step", "given", "for"),
    *("main", "attributes", "hooks", "own", "effects", "options", "decision", "needs", "clauses", "name", "text", "is"),
    *("mill", "farm", "each", "remembers", "graph", "links", "id", "default", "start", "where", "with", "otherwise"),
]
ADDRESSES = [
    *("tile", "tile.mill", "tile.mill.own", "verb.go", "verb.go.a", "verb.go.do", "state.table", "nowhere", "tile."),
    *("state.table.turn.start", "kinds.tile.attributes", "..", "effects.a.x", "game", "game.id"),
    *("decision.go.options.a", "tile.mill.own.a.do"),
]
WORDS = ["a", "b", "mill", "number 1..8 = 1", "flag", "true", "3", "x == y", "''", "a b", "tile.mill"]
LISTS = ("after", "requires", "conflicts", "includes", "editions")


def mappings(keys: list[str], values: st.SearchStrategy[str], most: int = 4) -> st.SearchStrategy[str]:
    entries = st.dictionaries(st.sampled_from(keys), values, max_size=most)
    return entries.map(lambda found: "{" + ", ".join(f'"{key}": {value}' for key, value in found.items()) + "}")


def lists(items: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(items, max_size=3).map(lambda found: f"[{', '.join(found)}]")


VALUES = st.recursive(
    st.sampled_from(WORDS), lambda inner: st.one_of(lists(inner), mappings(KEYS, inner)), max_leaves=12
)
INSERTIONS = st.builds(
    '{{{}: "{}", do: {}}}'.format,
    st.sampled_from(["before", "after", "first", "last"]),
    st.sampled_from(ADDRESSES),
    VALUES,
)
MOVES = st.builds(
    '{{step: "{}", {}: "{}"}}'.format,
    st.sampled_from(ADDRESSES),
    st.sampled_from(["before", "after", "first", "last"]),
    st.sampled_from(ADDRESSES),
)
EDITS = {
    "add": mappings(ADDRESSES, VALUES),
    "change": mappings(ADDRESSES, VALUES),
    "remove": st.one_of(lists(st.sampled_from(ADDRESSES).map('"{}"'.format)), mappings(["tile"], VALUES), VALUES),
    "insert": lists(INSERTIONS),
    "move": lists(MOVES),
    "effects": VALUES,
    "with": mappings(["a", "b", "c"], mappings(["add", "change"], mappings(ADDRESSES, VALUES))),
    "based_on": st.sampled_from("abc"),
    "property": VALUES,
    **{key: lists(st.sampled_from("abc")) for key in LISTS},
}


@st.composite
def documents(draw: st.DrawFn) -> list[Document]:
    texts = [
        "\n".join(f"{key}: {draw(VALUES)}" for key in draw(st.lists(st.sampled_from(KEYS), unique=True, min_size=1)))
        for _ in range(2)
    ]
    for name in "abc":
        head = draw(st.sampled_from(["variant", "variant", "edition", "module"]))
        keys = draw(st.lists(st.sampled_from(sorted(EDITS)), unique=True, max_size=4))
        texts.append("\n".join([f"{head}: {name}", *(f"{key}: {draw(EDITS[key])}" for key in keys)]))
    found = [read(Source(f"{index}.yaml", text + "\n"), Report()) for index, text in enumerate(texts)]
    return [each for each in found if each is not None]


@given(documents())
def test_documents_of_any_shape_compose(made: list[Document]) -> None:
    edition, variants = names_in(made)
    results = []
    for order in (made, made[::-1]):
        report = Report()
        rules = compose(order, edition, variants, report)
        results.append((rules.fingerprint, [each.sort_key for each in report]))
    assert results[0] == results[1]


def test_a_document_that_includes_its_own_name_makes_no_circle_with_its_partners() -> None:
    edition = "edition: a\nincludes: [c, a]\nwith: {c: {change: {tile.mill.age: 2}}}"
    made = composed("tile: {mill: {age: 1}}", edition, "module: c", edition="a")
    assert made.codes == ["unknown-variant", "variant-cycle"]
    assert made.plain("tile", "mill", "age") == 2
