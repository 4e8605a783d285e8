from __future__ import annotations

from aodrules.source.diagnostics import Report
from aodrules.source.spans import Source
from aodrules.syntax.from_source import read
from tests.syntax.texts import RULES, VARIANT, codes, document


def test_a_plain_document_is_all_declarations() -> None:
    found = document(RULES)
    assert found.head is None
    assert found.declarations is found.root


def test_a_head_is_read() -> None:
    head = document(VARIANT).head
    assert head is not None
    assert (head.kind, head.name.text, head.house) == ("variant", "longer-game", True)
    assert [name.text for name in head.editions + head.requires + head.overrides] == ["first", "builders", "turn.eight"]


def test_edits_are_told_apart() -> None:
    edits = document(VARIANT).edits
    assert edits.add is not None
    assert edits.change is not None
    assert [(each.where, each.address.text) for each in edits.insert] == [
        ("after", "verb.set_up.order"),
        ("last", "verb.rounds"),
    ]
    assert [(each.step.text, each.where, each.address.text) for each in edits.move] == [
        ("verb.set_up.money", "before", "verb.set_up.order")
    ]
    assert edits.effects is not None
    assert edits.with_ is not None


def test_only_some_declarations_stand_beside_a_head() -> None:
    declarations = document(VARIANT).declarations
    assert declarations is not None
    assert list(declarations.entries) == ["scenario"]


def test_all_editions_are_the_same_as_none_said() -> None:
    head = document("variant: a\neditions: all\nchange: {b: 1}\n").head
    assert head is not None
    assert head.editions == ()


def test_one_word_without_brackets_is_a_list_of_one() -> None:
    lists = ("editions", "overrides", "keeps", "clauses")
    head = document("variant: a\n" + "".join(f"{name}: x\n" for name in lists) + "change: {b: 1}\n").head
    assert [[one.text for one in getattr(head, name)] for name in lists] == [["x"]] * 4


def test_a_list_of_documents_is_told_where_it_lacks_brackets() -> None:
    for name in ("includes", "requires", "conflicts", "after"):
        assert codes(f"variant: a\n{name}: b\nchange: {{b: 1}}\n") == ["wrong-shape"]


def test_an_edit_without_a_head_is_one_problem() -> None:
    assert codes("change: {a: 1}\nverb: {go: {}}\n") == ["missing-head"]


def test_a_document_with_mistakes_is_still_returned() -> None:
    report = Report()
    edits = "insert: [3, {after: x}, {do: []}]\nmove: [3, {after: x}, {step: x}]\neffects: 3\n"
    found = read(Source("x", f"variant: [a]\n{edits}"), report)
    assert found is not None
    assert found.head is None
    assert (found.edits.insert, found.edits.move) == ((), ())
    assert report.has_errors
