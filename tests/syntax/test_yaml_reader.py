from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aodrules.source.diagnostics import Report
from aodrules.source.files import decode
from aodrules.source.spans import Source
from aodrules.syntax import yaml_reader
from aodrules.syntax.from_source import read
from aodrules.syntax.tree import Mapping, Node, Scalar, Sequence, walk
from aodrules.syntax.yaml_reader import LOADER, PythonLoader, read_yaml
from tests.syntax.texts import RULES, VARIANT, tree


def value(text: str) -> Node:
    found = tree(f"key: {text}\n").get("key")
    assert found is not None
    return found


PARSERS = [LOADER, PythonLoader]


@pytest.fixture(params=PARSERS)
def _both_parsers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml_reader, "LOADER", request.param)


def outcome(text: str, parser: object) -> tuple[object, bool]:
    """Return what a parser makes of a text, and whether something is wrong with it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yaml_reader, "LOADER", parser)
        report = Report()
        found = read_yaml(Source("x", text), report)
    return (None if found is None or report.has_errors else found.plain()), report.has_errors


@pytest.mark.parametrize(
    "text, expected",
    [
        ("{en: Which?, pl: Który?}", {"en": "Which?", "pl": "Który?"}),
        ("[Why?, a?b]", ["Why?", "a?b"]),
        ("[a:, b]", None),
        ("{a: {b:}}", None),
        ("[a:[b]]", None),
        ("|#note", None),
        (">-#note", None),
        ("| # note\n  text", "text\n"),
    ],
)
def test_both_parsers_of_yaml_read_the_same(text: str, expected: object) -> None:
    for parser in PARSERS:
        assert outcome(f"key: {text}\n", parser) == ({"key": expected} if expected else None, expected is None)


@given(
    st.text(alphabet="ab:,-[]{}()?!|>'\"%# \nx0=<&*.@`~", max_size=14),
    st.sampled_from(["{a: %s, b: c}", "[%s, b]", "%s"]),
)
@settings(max_examples=300)
def test_whatever_one_parser_of_yaml_takes_the_other_takes_too(inner: str, frame: str) -> None:
    text = f"key: {frame.replace('%s', inner)}\n"
    one, other = (outcome(text, parser) for parser in PARSERS)
    assert one == other


@pytest.mark.usefixtures("_both_parsers")
@pytest.mark.parametrize("text", [RULES, VARIANT])
def test_both_parsers_of_yaml_give_the_same_tree(text: str) -> None:
    found = tree(text)
    assert [(type(node), node.span.line, node.span.column) for node in walk(found)] == PLACES.setdefault(
        text, [(type(node), node.span.line, node.span.column) for node in walk(found)]
    )


PLACES: dict[str, list[tuple[type, int, int]]] = {}


def test_every_plain_word_stands_where_its_span_says() -> None:
    for node in walk(tree(RULES)):
        if isinstance(node, Scalar):
            line = node.span.source.line(node.span.line)
            shown = line[node.span.column - 1 : node.span.end_column - 1]
            assert shown == (f'"{node.text}"' if node.quoted else node.text)


def test_keys_stand_where_their_spans_say() -> None:
    for node in walk(tree(RULES)):
        if isinstance(node, Mapping):
            for entry in node:
                line = entry.key.span.source.line(entry.key.span.line)
                assert line[entry.key.span.column - 1 : entry.key.span.end_column - 1] == entry.name


def test_columns_count_characters() -> None:
    found = tree("{a: 'ŻÓŁW 🐢', b: word}\n").get("b")
    assert found is not None
    assert (found.span.column, found.span.end_column) == (18, 22)


def test_quoted_text_is_never_a_number_or_flag() -> None:
    assert [value(text).plain() for text in ('"7"', "'true'", '""')] == ["7", "true", ""]
    found = value("'it''s'")
    assert isinstance(found, Scalar)
    assert (found.text, found.quoted, found.span.column, found.span.end_column) == ("it's", True, 6, 13)


def test_a_block_of_text_has_the_place_of_its_sign() -> None:
    found = tree("key: |\n  one\n  two\n").get("key")
    assert isinstance(found, Scalar)
    assert (found.text, found.block, found.quoted) == ("one\ntwo\n", True, False)
    assert (found.span.line, found.span.column, found.span.end_column) == (1, 6, 7)


def test_nothing_written_is_an_empty_value() -> None:
    found = tree("{battle: , attacker: player}\n").get("battle")
    assert isinstance(found, Scalar)
    assert found.is_empty


def test_numbers_are_keys_by_their_digits() -> None:
    found = tree("table: {0: 6, 1..4: 4, 5..: 0}\n").get("table")
    assert found is not None
    assert found.plain() == {"0": 6, "1..4": 4, "5..": 0}


def test_lists_and_groups_span_what_they_hold() -> None:
    found = tree("a:\n  - b\n  - [c,\n     d]\n\n\ne: f\n").get("a")
    assert isinstance(found, Sequence)
    assert (found.span.line, found.span.column, found.span.end_line, found.span.end_column) == (2, 3, 4, 8)


def test_a_byte_order_mark_and_other_line_ends_change_nothing() -> None:
    plain = tree("a: {b: 1}\nc: {d: 2}\n")
    odd = tree("\ufeffa: {b: 1}\r\nc: {d: 2}\r")
    assert odd.plain() == plain.plain()
    assert odd.key("c").span.line == 2


def test_an_expression_that_was_cut_is_read_as_it_was_meant() -> None:
    report = Report()
    found = read_yaml(Source("x", "{add: 4 * f(a, b), to: [g(c, d), e]}\n"), report)
    assert found is not None
    assert found.plain() == {"add": "4 * f(a, b)", "to": ["g(c, d)", "e"]}
    assert [each.code for each in report] == ["unquoted-expression"] * 2


@pytest.mark.parametrize("text", [RULES, VARIANT])
def test_a_text_cut_short_anywhere_is_no_surprise(text: str) -> None:
    for end in range(0, len(text), 7):
        read(Source("x", text[:end]), Report())


def never_raises(text: str) -> None:
    report = Report()
    found = read(Source("x", text), report)
    assert found is not None or report.has_errors
    for each in report:
        assert 1 <= each.line <= len(each.primary.span.source.lines)
        assert 1 <= each.column <= len(each.primary.span.source.line(each.line)) + 1


@pytest.mark.usefixtures("_both_parsers")
@pytest.mark.parametrize("text", ["? 0", "? 0\n", "? a\n: ", "game:", "a: [? b]"])
def test_what_is_missing_at_the_end_is_missing_within_the_text(text: str) -> None:
    never_raises(text)


@given(st.text(max_size=200))
def test_any_text_gives_a_document_or_problems(text: str) -> None:
    never_raises(text)


@given(st.text(alphabet="abc:,-[]{}()&*!|>'\"%@`#? \n\t0.1~<\\", max_size=60))
@settings(max_examples=300)
def test_any_signs_of_yaml_give_a_document_or_problems(text: str) -> None:
    never_raises(text)


@given(st.binary(max_size=200))
def test_any_bytes_give_a_document_or_problems(content: bytes) -> None:
    report = Report()
    source = decode("x", content, report)
    if source is None:
        assert report.has_errors
    else:
        never_raises(source.text)


@given(
    st.sampled_from([RULES, VARIANT]),
    st.lists(st.tuples(st.integers(0, 10**6), st.sampled_from(list("[]{}(),:-'\"& \n\tx0"))), max_size=4),
)
@settings(max_examples=150)
def test_a_document_with_a_few_slips_gives_a_document_or_problems(text: str, slips: list[tuple[int, str]]) -> None:
    for place, sign in slips:
        index = place % len(text)
        text = text[:index] + sign + text[index + place % 2 :]
    never_raises(text)


@given(st.text(alphabet="ab:,-[]{}()&*!|>'\"%\\ \n\tx0", max_size=60))
def test_the_parser_in_python_gives_a_document_or_problems(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yaml_reader, "LOADER", PythonLoader)
        never_raises(text)


@pytest.mark.parametrize("text", ['"\\U00110000"', '"\\UFFFFFFFF"', '"\\ud800"', '"\\0"', '"\\e[31m"', '"\\N"'])
@pytest.mark.usefixtures("_both_parsers")
def test_escapes_cannot_bring_in_what_is_no_text(text: str) -> None:
    report = Report()
    read_yaml(Source("x", f"key: {text}\n"), report)
    assert {each.code for each in report} <= {"control-character", "invalid-yaml"}
    assert report.has_errors


@pytest.mark.parametrize(
    "text",
    [
        "[" * 500_000,
        "a: " + "[" * 500_000,
        "{a: " * 200_000,
        "- " * 500_000,
        "? " * 500_000,
        "a: 1\n" * 40_000,
        "a: [" + "f(a," * 60_000,
        "a: {" + "b c, " * 40_000 + "}",
        "game: {" + "".join(f"k{i}: 1, " for i in range(30_000)) + "}",
        "a: " + "9" * 1_000_000,
    ],
    ids=lambda text: text[:8],
)
def test_hostile_documents_are_read_in_no_time(text: str) -> None:
    assert report_is_made(text)


def report_is_made(text: str) -> bool:
    report = Report()
    read(Source("x", text), report)
    return report.has_errors
