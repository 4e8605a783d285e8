"""Pages that are made from the program are what it would make of them now; `AODRULES_REWRITE=1` writes them anew."""

from __future__ import annotations

import os

import pytest

from tests.docs.blocks import DOCS
from tests.docs.generated import PAGES

REWRITE = os.environ.get("AODRULES_REWRITE") == "1"


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_current(name: str) -> None:
    page, text = DOCS / name, PAGES[name]()
    if REWRITE:
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text, encoding="utf-8")
    is_current = page.read_text(encoding="utf-8") == text
    assert is_current, "`AODRULES_REWRITE=1 pytest tests/docs` writes it anew"
