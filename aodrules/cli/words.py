"""`aodrules words`: which languages some rules have words in, and what is lacking in one."""

from __future__ import annotations

import json
import re

import click

from aodrules.cli.arguments import format_option, rules_of
from aodrules.cli.output import echo
from aodrules.play.lookup import lacking_words, words_by_language
from aodrules.source.wording import count, quote

_CODE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]+)*")


@click.command()
@click.argument("word", metavar="RULES")
@click.option("--missing", metavar="LANGUAGE", help="List what has no words in this language; exit with 1 if there is.")
@format_option
def words(word: str, missing: str | None, form: str) -> int:
    """Count the words of some rules by language, or list what is lacking in one, with what it is called in English.

    Example: aodrules words harbour

    Example: aodrules words nim --missing en
    """
    if missing is not None and not _CODE.fullmatch(missing):
        raise click.UsageError(f"{quote(missing)} is no code of a language; one is two or three small letters, as `de`")
    context = rules_of(word).book
    if missing is None:
        known = words_by_language(context)
        languages = sorted({language for texts in known.values() for language in texts})
        counts = {language: sum(language in texts for texts in known.values()) for language in languages}
        told = "\n".join(f"{language}: {each} of {count(len(known), 'text')}" for language, each in counts.items())
        echo(json.dumps(counts, indent=2) if form == "json" else told or "there are no words")
        return 0
    found = lacking_words(context, missing)
    told = "\n".join(f"{address}: {' '.join(english.split())}" for address, english in found.items())
    echo(json.dumps(found, indent=2, ensure_ascii=False) if form == "json" else told or "nothing is lacking")
    return 1 if found else 0
