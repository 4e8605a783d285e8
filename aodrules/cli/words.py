"""`aodrules words`: which languages some rules have words in, what they are, and what is lacking in one."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

import click

from aodrules.cli.arguments import format_option, rules_of
from aodrules.cli.output import echo
from aodrules.play.lookup import all_words, lacking_words, words_by_language
from aodrules.source.wording import count, quote

_CODE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]+)*")


@click.command()
@click.argument("word", metavar="RULES")
@click.option("--missing", metavar="LANGUAGE", help="List what has no words in this language; exit with 1 if any.")
@click.option("--list", "listed", metavar="LANGUAGE", help="List all addresses with their words in this language.")
@format_option
def words(word: str, missing: str | None, listed: str | None, form: str) -> int:
    """Count the words of some rules by language, list them, or list what is lacking in one.

    What is lacking is told with what it is called in English.

    Example: aodrules words harbour

    Example: aodrules words nim --list en

    Example: aodrules words nim --missing en
    """
    if missing is not None and listed is not None:
        raise click.UsageError("give `--missing` or `--list`")
    if missing is not None and not _CODE.fullmatch(missing):
        raise click.UsageError(f"{quote(missing)} is no code of a language; one is two or three small letters, as `de`")
    context = rules_of(word).book
    if listed is not None:
        echo(_told(all_words(context, listed), form))
        return 0
    if missing is None:
        known = words_by_language(context)
        languages = sorted({language for texts in known.values() for language in texts})
        counts = {language: sum(language in texts for texts in known.values()) for language in languages}
        told = "\n".join(f"{language}: {each} of {count(len(known), 'text')}" for language, each in counts.items())
        echo(json.dumps(counts, indent=2) if form == "json" else told or "there are no words")
        return 0
    found = lacking_words(context, missing)
    echo(_told(found, form))
    return 1 if found else 0


def _told(found: Mapping[str, str], form: str) -> str:
    if form == "json":
        return json.dumps(found, indent=2, ensure_ascii=False)
    return "\n".join(f"{address}: {' '.join(text.split())}" for address, text in found.items()) or "nothing is lacking"
