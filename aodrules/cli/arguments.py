"""Rules and bots named by one word on the command line, and how many play."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click

from aodrules.arguments import RulesRequest
from aodrules.authoring.check_files import check_head, editions_of, rules_words
from aodrules.compose.library import parse_rules_word
from aodrules.errors import ArgumentError, RulesError
from aodrules.play.labels import Words
from aodrules.rulebook import Rules, load
from aodrules.source.disk import SUFFIXES
from aodrules.source.wording import count_range, join

format_option = click.option(
    "--format", "form", type=click.Choice(("text", "json")), default="text", show_default=True, help="A text or data."
)

_SAVE = re.compile(r'\s*\{\s*"format"\s*:\s*"aodrules save')
_HEAD = 200
"""So many bytes tell a save from anything else."""


def is_save(word: str) -> bool:
    """Whether a word names a saved game, whatever its file is called; rules are YAML."""
    path = Path(word)
    if path.suffix == ".json":
        return True
    try:
        text = _beginning(path) if path.is_file() else ""
    except OSError:
        return False  # what reads rules says what is wrong with it
    return bool(_SAVE.match(text)) or (text.lstrip().startswith("{") and path.suffix not in SUFFIXES)


def _beginning(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(_HEAD).decode("utf-8", "replace")


def selection_of(word: str, beside: str | None = None) -> RulesRequest:
    """Return the rules that a word asks for.

    A variant alone is played with the edition of the rules beside it, or else with the first that it is made for.
    """
    found = [parse_rules_word(each) for each in rules_words(word)]
    wanted = None if beside is None else selection_of(beside).base
    return next((each for each in found if each.base == wanted), found[0])


def rules_of(word: str, beside: str | None = None) -> Rules:
    """Return the rules that a word like `game+variant+./mine.yaml` stands for; see `selection_of`."""
    wrong = check_head(word)
    if wrong.has_errors:
        raise RulesError(wrong)
    if editions_of(word):
        raise click.UsageError(f"`{word}` is a game with several editions; name {join(editions_of(word), 'or')}")
    asked = selection_of(word, beside)
    return load(asked.base, asked.variants)


def check_players(rules: Rules, players: int | None) -> None:
    """Refuse a number of players that the rules are not for."""
    low, high = rules.players
    if players is not None and not low <= players <= high:
        raise click.UsageError(
            f"`{rules.edition or rules.name}` is for {count_range(low, high, 'player')}, not {players}"
        )


def check_language(words: Words, language: str) -> None:
    """Refuse a language in which neither the rules nor we have a single word: nothing would be shown in it."""
    try:
        words.check(language)
    except ArgumentError as problem:
        raise click.UsageError(str(problem)) from None


def look_for_bots_here() -> None:
    """Let Python find modules in the folder where the user stands, after all others."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
