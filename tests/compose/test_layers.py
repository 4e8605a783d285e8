"""Documents together: layers, conflicts, and what settles them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aodrules.compose import layers
from aodrules.compose.addresses import TreePlace
from aodrules.compose.edit_resolver import EditResolver
from aodrules.compose.edits import Edit
from aodrules.compose.from_documents import compose
from aodrules.compose.layers import are_in_conflict
from aodrules.compose.ordering import EditSet, Order
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Source, Span
from aodrules.syntax.documents import Edits, Head
from aodrules.syntax.tree import Mapping, Scalar
from tests.compose.texts import composed, correct, document

GAME = """
tile: {mill: {age: 1, own: {a: {modify: worth}}}, farm: {age: 2}}
kinds: {tile: {attributes: {age: number}, hooks: {own: {effects: true}, all: {effects: true}}}}
state: {table: {turn: number 1..8 = 1}}
graph: {borders: {links: [[a, b]]}}
verb:
  go: {do: [{step: one, do: [{step: inner, do: [{gain: 1}]}]}, {step: two, do: [{gain: 2}]}, tidy]}
  tidy: {do: []}
"""


def variant(name: str, text: str) -> str:
    return f"variant: {name}\n{text}"


def test_a_variant_edits_what_the_edition_made() -> None:
    edition = "edition: first\nadd: {tile.mine: {age: 3}}\nchange: {tile.mill.age: 5}"
    made = correct(GAME, edition, variant("a", "change: {tile.mill.age: 6, tile.mine.age: 7}"), edition="first")
    assert (made.plain("tile", "mill", "age"), made.plain("tile", "mine", "age")) == (6, 7)


def test_an_edition_goes_on_from_its_base_and_its_modules() -> None:
    module = "module: war\nadd: {tile.fort: {age: 9}}"
    base = "edition: first\nincludes: [war]\nchange: {tile.fort.age: 8}"
    second = "edition: second\nbased_on: first\nchange: {tile.fort.age: 7}"
    made = correct(GAME, second, base, module, edition="second")
    assert made.plain("tile", "fort", "age") == 7
    assert (made.rules.edition, made.rules.variants) == ("second", ())
    assert [each.layer for each in made.rules.origin("tile.fort")] == ["war", "first", "second"]


def test_variants_share_a_module() -> None:
    module = "module: common\nincludes: [deeper]\nadd: {tile.hut: {age: 1}}\nafter: [deeper]"
    deeper = "module: deeper\nadd: {tile.den: {age: 2}}"
    texts = [variant("a", "includes: [common]"), variant("b", "includes: [common]\nchange: {tile.hut.age: 4}")]
    made = correct(GAME, module, deeper, *texts)
    assert (made.plain("tile", "hut", "age"), made.plain("tile", "den", "age")) == (4, 2)


CONFLICTS = """
change: {tile.mill.age: 3}
change: {tile.mill.age: 4}
  two variants change `tile.mill.age` and neither is said to come last
change: {tile.mill.age: 3}
remove: [tile.mill]
  `a` changes `tile.mill.age` and `b` removes `tile.mill`, and neither is said to come last
remove: [tile.mill]
remove: [tile.mill]
  two variants remove `tile.mill` and neither is said to come last
add: {tile.hut: {age: 1}}
add: {tile.hut: {age: 2}}
  two variants add `tile.hut` and neither is said to come last
add: {tile.hut: {age: 1}}
change: {tile.hut.age: 2}
  `b` changes `tile.hut.age` and `a` adds `tile.hut`, and neither is said to come last
add: {tile.mill.own.b: {modify: x}}
remove: [tile.mill]
  `a` adds `tile.mill.own.b` and `b` removes `tile.mill`, and neither is said to come last
change: {verb.go.one: [tidy]}
change: {verb.go.inner.do: []}
  `a` changes `verb.go.one.do` and `b` changes `verb.go.inner.do`, and neither is said to come last
insert: [{before: verb.go.two, do: [tidy]}]
remove: [verb.go.two]
  `a` puts steps at `verb.go.two` and `b` removes `verb.go.two`, and neither is said to come last
insert: [{before: verb.go.two, do: [tidy]}]
change: {verb.go.two: {gain: 7}}
  `a` puts steps at `verb.go.two` and `b` changes `verb.go.two`, and neither is said to come last
insert: [{last: verb.go, do: [{gain: 2}]}]
change: {verb.go.do: []}
  `a` puts steps at `verb.go.do` and `b` changes `verb.go.do`, and neither is said to come last
move: [{step: verb.go.two, before: verb.go.one}]
move: [{step: verb.go.two, last: verb.go}]
  two variants move `verb.go.two` and neither is said to come last
move: [{step: verb.go.two, before: verb.go.one}]
move: [{step: verb.go.one, last: verb.go}]
  `a` moves `verb.go.two` and `b` moves `verb.go.one`, and neither is said to come last
move: [{step: verb.go.one, last: verb.go.two}]
move: [{step: verb.go.two, last: verb.go}]
  `a` moves `verb.go.one` and `b` moves `verb.go.two`, and neither is said to come last
move: [{step: verb.go.two, before: verb.go.one}]
remove: [verb.go.one]
  `a` moves `verb.go.two` and `b` removes `verb.go.one`, and neither is said to come last
move: [{step: verb.go.two, before: verb.go.one}]
change: {verb.go.two: {gain: 7}}
  `a` moves `verb.go.two` and `b` changes `verb.go.two`, and neither is said to come last
insert: [{before: verb.go.two, do: [tidy]}]
move: [{step: verb.go.two, before: verb.go.one}]
  `a` puts steps at `verb.go.two` and `b` moves `verb.go.two`, and neither is said to come last
add: {graph.borders.links: [[b, c]]}
add: {graph.borders.links: [[b, c]]}
  two variants add `graph.borders.links` and neither is said to come last
remove: {tile: age == 2}
change: {tile.farm.age: 3}
  `a` removes `tile.farm` and `b` changes `tile.farm.age`, and neither is said to come last
"""


def conflicts() -> list[tuple[str, str, str]]:
    """Return two edits and the message: three lines each."""
    lines = CONFLICTS.strip().split("\n")
    return list(zip(lines[::3], lines[1::3], (line.strip() for line in lines[2::3]), strict=True))


@pytest.mark.parametrize("one,other,message", conflicts())
def test_two_edits_without_an_order_are_a_conflict(one: str, other: str, message: str) -> None:
    made = composed(GAME, variant("a", one), variant("b", other))
    assert (made.codes, made.messages) == (["conflicting-changes"], [message])
    (problem,) = made.report
    assert {problem.path, problem.secondary[0].span.path} == {"a.yaml", "b.yaml"}


HARMONIES = [
    ("add: {tile.hut: {age: 1}}", "add: {tile.den: {age: 2}}"),
    ("add: {tile.mill.all.b: {modify: x}}", "add: {tile.mill.all.c: {modify: x}}"),
    ("add: {graph.borders.links: [[b, c]]}", "add: {graph.borders.links: [[c, d]]}"),
    ("add: {state.tile.x: flag}", "add: {state.tile.y: flag}"),
    ("add: {weather: {rain: {}}}", "add: {weather: {snow: {}}}"),
    ("insert: [{before: verb.go.two, do: [tidy]}]", "change: {verb.go.two.do: []}"),
    ("insert: [{after: verb.go.two, do: [tidy]}]", "change: {verb.go.two: [tidy]}"),
    ("insert: [{after: verb.go.tidy, do: [tidy]}]", "insert: [{before: verb.go.tidy, do: [tidy]}]"),
    ("insert: [{last: verb.go, do: [{gain: 2}]}]", "remove: [verb.go.two]"),
    ("insert: [{last: verb.go, do: [{gain: 2}]}]", "insert: [{last: verb.go, do: [{gain: 3}]}]"),
    ("move: [{step: verb.go.two, before: verb.go.one}]", "insert: [{before: verb.go.one, do: [tidy]}]"),
    ("move: [{step: verb.go.two, before: verb.go.one}]", "insert: [{last: verb.go.two, do: [tidy]}]"),
    ("move: [{step: verb.go.two, last: verb.tidy}]", "insert: [{last: verb.go.two, do: [tidy]}]"),
    ("move: [{step: verb.go.two, last: verb.tidy}]", "change: {verb.go.two: [tidy]}"),
    ("move: [{step: verb.go.two, last: verb.go}]", "move: [{step: verb.go.one, last: verb.go}]"),
    ("effects: {a: {modify: x}}", "effects: {a: {modify: x}}"),
    ("change: {tile.mill.age: 3}", "change: {tile.farm.age: 3}"),
]


@pytest.mark.parametrize("one,other", HARMONIES)
def test_edits_that_do_not_touch_go_together_in_any_order(one: str, other: str) -> None:
    made = correct(GAME, variant("a", one), variant("b", other))
    again = correct(GAME, variant("b", other), variant("a", one))
    assert made.rules.fingerprint == again.rules.fingerprint


@pytest.mark.parametrize(
    "where,expected",
    [
        ("after: verb.go.one", "1abc2t"),
        ("before: verb.go.two", "1abc2t"),
        ("first: verb.go", "abc12t"),
        ("last: verb.go", "12tabc"),
    ],
)
def test_steps_at_one_place_come_in_the_order_of_document_names(where: str, expected: str) -> None:
    texts = [variant(name, f"insert: [{{{where}, do: [{{step: {name}, do: []}}]}}]") for name in "bca"]
    steps = correct(GAME, *texts).plain("verb", "go", "do")
    assert isinstance(steps, list)
    names = [step["step"] if isinstance(step, dict) else "t" for step in steps]
    assert "".join({"one": "1", "two": "2"}.get(str(name), str(name)) for name in names) == expected


@pytest.mark.parametrize("names", ["ab", "ba"])
@pytest.mark.parametrize(
    "edit,expected",
    [
        ("insert: [{first: verb.go.inner, do: [{gain: 9}]}]", [{"gain": 9}, {"gain": 1}]),
        ("change: {verb.go.inner: [{gain: 8}]}", [{"gain": 8}]),
        ("change: {verb.go.inner.do: []}", []),
    ],
)
def test_what_does_not_know_of_a_move_follows_the_step_to_its_new_place(
    names: str, edit: str, expected: list[object]
) -> None:
    moving = variant(names[0], "move: [{step: verb.go.one, last: verb.tidy}]")
    made = correct(GAME, moving, variant(names[1], edit))
    inner = {"step": "inner", "do": expected}
    assert made.plain("verb", "tidy", "do") == [{"step": "one", "do": [inner]}]


def test_what_comes_after_a_move_knows_the_new_place_only() -> None:
    moving = variant("a", "move: [{step: verb.go.two, last: verb.tidy}]")
    made = correct(GAME, moving, variant("b", "after: [a]\nchange: {verb.tidy.two: [{gain: 8}]}"))
    assert made.plain("verb", "tidy", "do") == [{"step": "two", "do": [{"gain": 8}]}]
    late = composed(GAME, moving, variant("b", "after: [a]\nchange: {verb.go.two: [{gain: 8}]}"))
    assert late.codes == ["unknown-target"]


def test_a_step_is_moved_out_of_another_that_is_moved() -> None:
    outer = variant("a", "move: [{step: verb.go.one, last: verb.tidy}]")
    inner = variant("b", "move: [{step: verb.go.inner, after: verb.go.two}]")
    made = correct(GAME, outer, inner)
    assert made.plain("verb", "tidy", "do") == [{"step": "one", "do": []}]
    assert "{'step': 'inner', 'do': [{'gain': 1}]}, 'tidy'" in str(made.plain("verb", "go"))


def test_after_settles_a_conflict() -> None:
    one, other = variant("a", "after: [b]\nchange: {tile.mill.age: 3}"), variant("b", "change: {tile.mill.age: 4}")
    assert correct(GAME, one, other).plain("tile", "mill", "age") == 3
    assert correct(GAME, other, one).plain("tile", "mill", "age") == 3


def test_after_lets_a_variant_edit_what_another_adds() -> None:
    one, other = variant("a", "after: [b]\nchange: {tile.hut.age: 3}"), variant("b", "add: {tile.hut: {age: 4}}")
    assert correct(GAME, one, other).plain("tile", "hut", "age") == 3


def test_a_variant_does_not_know_what_others_add_unless_it_comes_after() -> None:
    adding, removing = variant("a", "add: {tile.hut: {age: 2}}"), "remove:\n  tile: age == 2"
    assert correct(GAME, adding, variant("b", removing)).plain("tile", "hut") == {"age": 2}
    assert correct(GAME, adding, variant("b", f"after: [a]\n{removing}")).plain("tile", "hut") is None


def test_after_does_not_help_to_add_the_same_thing_twice() -> None:
    made = composed(
        GAME, variant("a", "add: {tile.hut: {age: 2}}"), variant("b", "after: [a]\nadd: {tile.hut: {age: 3}}")
    )
    assert made.codes == ["duplicate-declaration"]


def test_a_step_that_another_variant_doubles_is_still_found() -> None:
    doubling = variant("a", "insert: [{first: verb.go, do: [tidy]}]")
    beside = variant("b", "insert: [{after: verb.go.tidy, do: [{gain: 5}]}]")
    steps = correct(GAME, doubling, beside).plain("verb", "go", "do")
    assert isinstance(steps, list)
    assert [steps[0], *steps[-2:]] == ["tidy", "tidy", {"gain": 5}]


def test_edits_with_another_variant_count_only_together_with_it() -> None:
    one = variant("a", "add: {tile.den: {age: 1}}\nwith: {b: {change: {tile.hut.age: 9, tile.den.age: 2}}}")
    other = variant("b", "add: {tile.hut: {age: 4}}")
    both, alone = correct(GAME, one, other), correct(GAME, one)
    assert (both.plain("tile", "hut", "age"), both.plain("tile", "den", "age")) == (9, 2)
    assert alone.plain("tile", "den", "age") == 1


def test_what_comes_after_a_variant_comes_after_what_it_does_with_others() -> None:
    one = variant("a", "with: {b: {change: {tile.mill.age: 2}}}")
    last = variant("c", "after: [a]\nchange: {tile.mill.age: 3}")
    assert correct(GAME, one, variant("b", "add: {tile.hut: {age: 4}}"), last).plain("tile", "mill", "age") == 3


def test_partners_that_come_after_each_other_make_no_circle() -> None:
    one = variant("a", "after: [b]\nchange: {tile.mill.age: 2}")
    other = variant("b", "with: {a: {change: {tile.mill.age: 3}}}")
    assert correct(GAME, one, other).plain("tile", "mill", "age") == 3


DISAGREEMENTS = """
variant: a / requires: [b]
  missing-requirement: the variant `a` requires `b`, which is not in use
variant: a / conflicts: [b] // variant: b
  conflicting-variants: the variant `a` does not go together with `b`
variant: a / editions: [first]
  wrong-edition: the variant `a` is for `first`, found no edition
variant: a / after: [b] // variant: b / after: [a]
  variant-cycle: these documents form a circle: `a` comes after `b`, `b` comes after `a`
variant: a / based_on: a
  variant-cycle: these documents form a circle: `a` is based on `a`
variant: a / based_on: b // variant: b / after: [a]
  variant-cycle: these documents form a circle: `a` comes after `b`, `b` comes after `a`
variant: a / includes: [b]
  unknown-variant: there is no module `b`, which `a` names
variant: a // variant: a
  duplicate-document: two documents bear the name `a`
"""


def disagreements() -> list[tuple[list[str], str, str]]:
    """Return documents, the code and the message: two lines each."""
    lines = DISAGREEMENTS.strip().split("\n")
    texts = [[text.replace(" / ", "\n") for text in line.split(" // ")] for line in lines[::2]]
    said = [line.strip().split(": ", 1) for line in lines[1::2]]
    return [(each, code, message) for each, (code, message) in zip(texts, said, strict=True)]


@pytest.mark.parametrize("texts,code,message", disagreements())
def test_documents_that_do_not_go_together_are_told(texts: list[str], code: str, message: str) -> None:
    made = composed(GAME, *texts)
    assert (made.codes, made.messages) == ([code], [message])


def test_an_unknown_variant_is_told_with_the_nearest_one() -> None:
    made = composed(GAME, "variant: builders", variants=["bilders"])
    (problem,) = made.report
    assert (problem.code, problem.help) == ("unknown-variant", "did you mean `builders`?")


def test_a_variant_for_another_edition_is_told() -> None:
    made = composed(GAME, "edition: first", "variant: a\neditions: [second]", edition="first")
    assert made.messages == ["the variant `a` is for `second`, found `first`"]


@pytest.mark.parametrize("names", [("a", "b"), ("b", "a")])
def test_two_variants_add_exceptions_to_one_law(names: tuple[str, str]) -> None:
    law = "property: {fair.share: {always: turn < 9}}"
    first = "add: {property.fair.share.except: {late: turn > 20}}"
    second = "add: {property: {fair.share: {except: {early: turn < 2}}}}"
    texts = [variant(name, text) for name, text in zip(names, (first, second), strict=True)]
    made = correct(GAME, law, *texts)
    assert made.plain("property", "fair.share") == {
        "always": "turn < 9",
        "except": {"late": "turn > 20", "early": "turn < 2"},
    }
    twice = composed(GAME, law, variant("a", first), variant("b", first))
    assert twice.codes == ["conflicting-changes"]


def test_two_documents_may_bear_one_name_for_two_editions() -> None:
    texts = ["edition: first", "edition: second"]
    texts += [
        f"variant: a\neditions: [{name}]\nchange: {{tile.mill.age: {age}}}"
        for name, age in (("first", 3), ("second", 4))
    ]
    assert correct(GAME, *texts, edition="first").plain("tile", "mill", "age") == 3
    assert correct(GAME, *texts, edition="second").plain("tile", "mill", "age") == 4


def test_an_edition_and_a_variant_of_one_name_are_told() -> None:
    made = composed(GAME, "edition: a", "variant: a", edition="a")
    assert made.messages == ["two documents bear the name `a`"]


def test_an_edition_based_on_itself_is_told() -> None:
    made = composed(GAME, "edition: a\nbased_on: b", "edition: b\nbased_on: a", edition="a")
    assert made.messages == ["these documents form a circle: `a` is based on `b`, `b` is based on `a`"]


def test_a_variant_without_what_it_requires_says_nothing_more() -> None:
    needing = variant("b", "requires: [a]\nchange: {tile.den.age: 9, tile.nowhere: {}}")
    leaning = variant("c", "requires: [b]\nchange: {tile.elsewhere.age: 1}")
    assert composed(GAME, needing, leaning).codes == ["missing-requirement"]


def test_two_variants_that_name_each_other_are_told_once() -> None:
    made = composed(GAME, variant("a", "conflicts: [b]"), variant("b", "conflicts: [a]"))
    assert made.codes == ["conflicting-variants"]


SOURCE = Source("a.yaml", "")
SPAN = Span(SOURCE, 1, 1, 1, 1)
WHERE = ("before", "after", "first", "last")


def unit(name: str) -> EditSet:
    return EditSet(Head("variant", Scalar(SPAN, name, name)), SOURCE, Edits())


@st.composite
def edits(draw: st.DrawFn) -> Edit:
    action = draw(st.sampled_from(["add", "change", "remove", "insert", "move"]))
    chain, other = (tuple(draw(st.lists(st.sampled_from("ab"), max_size=3))) for _ in range(2))
    where = draw(st.sampled_from(WHERE)) if action in ("insert", "move") else ""
    to = TreePlace(Mapping(SPAN), chain=other) if action == "move" else None
    return Edit(action, chain, chain, "a", "variant", SPAN, where=where, to=to, keeps_name=draw(st.booleans()))


def one_by_one(order: Order, resolvers: dict[str, EditResolver]) -> Iterator[tuple[Edit, Edit]]:
    """Try every pair."""
    for each in order.units:
        yield from combinations(resolvers[each.key].edits, 2)
    for one, other in combinations(order.units, 2):
        if not order.are_ordered(one, other):
            yield from ((first, second) for first in resolvers[one.key].edits for second in resolvers[other.key].edits)


@given(st.lists(st.lists(edits(), max_size=4), min_size=1, max_size=3), st.booleans())
def test_no_pair_is_missed(layer: list[list[Edit]], are_ordered: bool) -> None:
    units = [unit(name) for name, _ in zip("abc", layer, strict=False)]
    before = {each.key: frozenset[str]() for each in units}
    if are_ordered:
        before[units[-1].key] = frozenset(each.key for each in units[:1]) - {units[-1].key}
    order = Order(tuple(units), before)
    resolvers = {
        each.key: EditResolver(each, Mapping(SPAN), Report(), of_unit)
        for each, of_unit in zip(units, layer, strict=True)
    }
    expected = [pair for pair in one_by_one(order, resolvers) if are_in_conflict(*pair)]
    assert list(layers.conflicts(order, resolvers)) == expected


def test_edits_of_different_things_are_never_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[Edit, Edit]] = []
    monkeypatch.setattr(layers, "are_in_conflict", lambda *pair: compared.append(pair))
    game = document("state: {table: {turn: number 1..8 = 1}}\n")
    more = []
    for name in "abcdefghi":
        added = ", ".join(f"{name}_{number}: {{is: 1}}" for number in range(9))
        more.append(document(f"variant: {name}\nadd: {{value: {{{added}}}}}\n"))
    report = Report()
    made = compose((game, *more), None, list("abcdefghi"), report)
    values = made.root.get("value")
    assert isinstance(values, Mapping)
    assert len(values) == 81
    assert compared == []
