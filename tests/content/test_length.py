"""How long the rules of Age of Discovery are: what is added is said in few words, or a verb is missing."""

from __future__ import annotations

from aodrules.source.shipped import shipped

NO_RULES = {"clauses", "layout", "properties", "rulings", "scenarios", "starters", "words"}
"""Folders of what is said about the rules, or shown of them."""
MOST = 40_000
"""Characters, comments counted; the same rules took 52,956 before the language had its short forms."""


def test_the_rules_are_at_most_40_000_characters_long() -> None:
    game = shipped("content") / "aod"
    paths = [path for path in game.rglob("*.yaml") if not NO_RULES & set(path.relative_to(game).parts)]
    lengths = {path.relative_to(game).as_posix(): len(path.read_text(encoding="utf-8")) for path in paths}
    assert 30_000 < sum(lengths.values()) <= MOST, lengths
