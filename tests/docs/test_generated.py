"""Pages that are made from the program are what it would make of them now; `AODRULES_REWRITE=1` writes them anew."""

from __future__ import annotations

import os

import pytest

import aodrules
from tests.docs.blocks import DOCS
from tests.docs.generated import PAGES
from tests.docs.python_reference import GROUPS

REWRITE = os.environ.get("AODRULES_REWRITE") == "1"


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_current(name: str) -> None:
    page, text = DOCS / name, PAGES[name]()
    if REWRITE:
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text, encoding="utf-8")
    is_current = page.read_text(encoding="utf-8") == text
    assert is_current, "`AODRULES_REWRITE=1 pytest tests/docs` writes it anew"


def test_every_public_name_is_documented() -> None:
    documented = [name for names in GROUPS.values() for name in names]
    assert sorted(documented) == sorted(aodrules.__all__)
