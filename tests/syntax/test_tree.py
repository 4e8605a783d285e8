"""A mapping says what stands under a key in the form that is asked for, or something empty."""

from __future__ import annotations

from aodrules.source.spans import Source, Span
from aodrules.syntax.tree import Entry, Mapping, Node, Scalar, Sequence, word_of

HERE = Span(Source("tree.yaml", "a\n"), 1, 1, 1, 2)
WORD = Scalar(HERE, "word", "word")
YES = Scalar(HERE, True, "true")
LIST = Sequence(HERE, (WORD, YES))


def mapping(**entries: Node) -> Mapping:
    return Mapping(HERE, {name: Entry(Scalar(HERE, name, name), value) for name, value in entries.items()})


INNER = mapping(deep=WORD)
BODY = mapping(word=WORD, yes=YES, list=LIST, inner=INNER)


def test_a_key_is_asked_for_in_the_form_that_is_needed() -> None:
    assert BODY.word("word") == word_of(WORD) == "word"
    assert BODY.flag("yes")
    assert BODY.sequence("list") == LIST.items
    assert BODY.mapping("inner") is INNER
    assert BODY.need("word") is WORD
    assert Entry(WORD, INNER).body is INNER


def test_what_is_missing_or_of_another_form_is_empty() -> None:
    for key in ("nothing", "list"):
        assert BODY.word(key) == ""
        assert not BODY.flag(key)
        assert len(BODY.mapping(key)) == 0
    assert not BODY.flag("word")
    assert BODY.sequence("nothing") == BODY.sequence("inner") == ()
    assert word_of(BODY.need("nothing")) == word_of(None) == ""
    assert len(Entry(WORD, LIST).body) == 0
