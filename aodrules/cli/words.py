"""Rules named by one word on the command line."""

from __future__ import annotations

from aodrules.compose.library import parse_rules_word
from aodrules.rulebook import Rules, load


def rules_of(word: str) -> Rules:
    """Return the rules that a word like `game+variant+./mine.yaml` stands for."""
    asked = parse_rules_word(word)
    return load(asked.base, asked.variants)
