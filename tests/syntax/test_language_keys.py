from __future__ import annotations

from tests.syntax.language_keys import LanguageKey, language_keys


def test_the_keys_of_steps_are_found() -> None:
    found = {key.name for key in language_keys() if key.place == "steps.schema.json#/$defs/move"}
    assert found == {"move", "of", "count", "from", "to", "position", "as", "up_to", "name", "text", "clauses", "needs"}


def test_every_kernel_verb_is_found() -> None:
    verbs = {key.name for key in language_keys() if key.place == "steps.schema.json#/$defs/by_verb"}
    assert len(verbs) == 23


def test_declarations_and_heads_are_found() -> None:
    assert LanguageKey("kinds", "rules.schema.json#") in language_keys()
    assert LanguageKey("based_on", "variant.schema.json#") in language_keys()
