"""Rules named by one word on the command line."""

from __future__ import annotations

import click

from aodrules.authoring.compositions import editions_asked, misnamed, words_of
from aodrules.compose.library import parse_rules_word
from aodrules.errors import RulesError
from aodrules.rulebook import Rules, load
from aodrules.source.wording import join


def rules_of(word: str) -> Rules:
    """Return the rules that a word like `game+variant+./mine.yaml` stands for.

    A variant's file alone is played with the first edition that it is made for.
    """
    wrong = misnamed(word)
    if wrong.has_errors:
        raise RulesError(wrong)
    if editions_asked(word):
        raise click.UsageError(f"`{word}` is a game with several editions; name {join(editions_asked(word), 'or')}")
    asked = parse_rules_word(words_of(word)[0])
    return load(asked.base, asked.variants)
