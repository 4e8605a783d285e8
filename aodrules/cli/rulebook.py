"""`aodrules rulebook`: the rules text of one composition."""

from __future__ import annotations

from pathlib import Path

import click

from aodrules.authoring.check_files import rules_words
from aodrules.authoring.rule_text import RuleText
from aodrules.authoring.text_blocks import to_html, to_markdown
from aodrules.cli.arguments import rules_of
from aodrules.cli.output import echo
from aodrules.compose.library import parse_rules_word
from aodrules.play.labels import LANGUAGES


@click.command()
@click.argument("word", metavar="RULES")
@click.option("--lang", "language", type=click.Choice(LANGUAGES), default="en", show_default=True, help="The language.")
@click.option(
    "--format", "form", type=click.Choice(("md", "html")), default="md", show_default=True, help="Markdown or a page."
)
@click.option("--examples/--no-examples", default=True, show_default=True, help="Show scenarios that pass as examples.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write it to this file.")
def rulebook(word: str, language: str, form: str, examples: bool, out: Path | None) -> None:
    """Write a rules text for exactly these rules: clauses, what each variant changed, components and examples.

    Example: aodrules rulebook nim
    """
    word = rules_words(word)[0]
    asked = parse_rules_word(word)
    base = rules_of(asked.base) if asked.variants else None
    text = RuleText(rules_of(word), base, language, examples)
    blocks = list(text.blocks())
    page = to_html(blocks, text.title, language) if form == "html" else to_markdown(blocks)
    if out is None:
        echo(page, nl=False)
    else:
        out.write_text(page, encoding="utf-8")
        echo(f"written: {out}")
