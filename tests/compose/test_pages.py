"""Every code of this stage has its page and its case, and the examples on the page are as they say."""

from __future__ import annotations

import pytest

from aodrules.compose.from_documents import compose
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Source
from aodrules.syntax.from_source import read
from tests.compose.texts import names_in
from tests.diagnostics.test_golden import cases
from tests.diagnostics.test_pages import PAGES, blocks, codes_of

CODES = sorted(codes_of("compose"))


def found_in(texts: list[str]) -> set[str]:
    """Return what is said about the blocks of a section, taken as documents that are used together."""
    report = Report()
    read_ones = [read(Source(f"{index}.yaml", text), report) for index, text in enumerate(texts)]
    documents = [each for each in read_ones if each is not None]
    compose(documents, *names_in(documents), report)
    return {each.code for each in report}


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_a_page_and_a_case(code: str) -> None:
    assert (PAGES / f"{code}.md").read_text(encoding="utf-8").startswith(f"# {code}\n")
    assert any(case.startswith(f"{code}/") for case in cases())


@pytest.mark.parametrize("code", CODES)
def test_the_wrong_example_has_that_problem_alone(code: str) -> None:
    texts = blocks(code, "Wrong")
    assert not texts or found_in(texts) == {code}


@pytest.mark.parametrize("code", CODES)
def test_the_right_example_has_no_problem(code: str) -> None:
    assert found_in(blocks(code, "Right")) == set()
