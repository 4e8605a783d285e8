"""Every block of YAML in the documentation is what the comment above it says."""

from __future__ import annotations

import pytest

from tests.docs.blocks import DOCS, ROOT, Block, blocks
from tests.docs.rulesets import missing_in, problems_of

ALL = [block for block in blocks("yaml") if DOCS / "errors" not in block.page.parents]
"""Those on the pages of errors are tried in `tests/diagnostics/test_pages.py`."""


@pytest.mark.parametrize("block", ALL, ids=lambda block: block.id)
def test_a_block_of_yaml_is_what_it_says(block: Block) -> None:
    kind, _, rest = block.mark.partition(" ")
    if block.mark == "whole game":
        assert problems_of(block.text) == []
    elif kind == "from":
        assert missing_in(block.text, rest) == []
    elif block.mark.startswith("quoted from "):
        assert block.text in (ROOT / rest.removeprefix("from ")).read_text(encoding="utf-8")
    elif block.mark.startswith("added to "):
        assert problems_of(block.text, rest.removeprefix("to ")) == []
    elif block.mark.startswith("wrong in "):
        word, _, codes = rest.removeprefix("in ").partition(": ")
        assert {each.split(":")[0] for each in problems_of(block.text, word)} == set(codes.split())
    else:
        assert kind == "file", "say above the block what it is"
