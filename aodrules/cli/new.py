"""`aodrules new`, `schema` and `rulebook`: what is written for those who change rules and those who read them."""

from __future__ import annotations

import json
from pathlib import Path

import click

from aodrules.authoring.check_files import rules_words
from aodrules.authoring.rule_text import RuleText
from aodrules.authoring.starters import (
    USUAL,
    Starter,
    StarterError,
    games_with_starters,
    schema_line,
    schema_text,
    starter,
    starters,
)
from aodrules.authoring.text_blocks import to_markdown
from aodrules.cli.arguments import check_language, rules_of
from aodrules.cli.output import echo
from aodrules.compose.library import parse_rules_word, shipped_games
from aodrules.terminal.console import job

_LIST = "?"


@click.command()
@click.argument("name", required=False)
@click.option(
    "--like",
    flag_value=_LIST,
    is_flag=False,
    default=USUAL,
    help="The starter to begin with; without a value, list them.",
)
@click.option(
    "--game",
    type=click.Choice(games_with_starters()),
    default=games_with_starters()[0],
    show_default=True,
    help="The game it changes.",
)
@click.option("--folder", type=click.Path(path_type=Path, file_okay=False), default=Path(), help="Where to write it.")
@click.option("--schema/--no-schema", default=True, show_default=True, help="Write the schema for editors beside it.")
def new(name: str | None, like: str, game: str, folder: Path, schema: bool) -> int:
    """Write a house rule to begin with: commented, with a scenario, ready for `check`, `test` and `play`.

    Example: aodrules new generous-merchants --like number
    """
    if like == _LIST or name is None:
        _list(game)
        return 0 if like == _LIST else 2
    try:
        path = _write(starter(game, like), name, folder, with_schema=schema)
    except StarterError as wrong:
        raise click.UsageError(str(wrong)) from wrong
    shown = path.as_posix()
    echo(f"written: {shown}\n\n  aodrules check {shown}\n  aodrules test {shown}\n  aodrules play {shown}")
    return 0


def _list(game: str) -> None:
    found = starters(game)
    width = max(map(len, found))
    echo(f"starters of {game}, for `aodrules new NAME --like STARTER`:")
    for each in found.values():
        echo(f"  {each.name:<{width}}  {each.about}")


def _write(begun: Starter, name: str, folder: Path, *, with_schema: bool) -> Path:
    """Write the document and, for editors, the schema of its game; nothing is written over."""
    text, path = begun.named(name), folder / f"{name}.yaml"
    if path.exists():
        raise click.UsageError(f"`{path.as_posix()}` exists already")
    folder.mkdir(parents=True, exist_ok=True)
    if with_schema:
        beside = folder / f"{begun.game}.schema.json"
        making = job("making the schema for editors, this once")
        beside.write_text(schema_text(begun.game, making), encoding="utf-8")
        text = f"{schema_line(beside.name)}\n{text}"
    path.write_text(text, encoding="utf-8")
    return path


@click.command()
@click.argument("word", metavar="[RULES]", required=False)
@click.option("--game", type=click.Choice(shipped_games()), help="All editions of a game that ships with the package.")
def schema(word: str | None, game: str | None) -> None:
    """Print a JSON Schema for those who write variants of a game: it knows its ids, verbs, decisions and hooks.

    Example: aodrules schema nim > nim.schema.json
    """
    if (word is None) == (game is None):
        raise click.UsageError("name either RULES or a game with --game")
    making = job("making the schema of all editions, this once")
    found = rules_of(word).schema() if word is not None else json.loads(schema_text(str(game), making))
    echo(json.dumps(found, indent=2, ensure_ascii=False))


@click.command()
@click.argument("word", metavar="RULES")
@click.option("--lang", "language", default="en", show_default=True, help="The language.")
@click.option(
    "--format",
    "form",
    type=click.Choice(("md", "html")),
    help="Markdown or a page; as the file is named, and Markdown if that says nothing.",
)
@click.option("--examples/--no-examples", default=True, show_default=True, help="Show scenarios that pass as examples.")
@click.option("--picture/--no-picture", default=True, show_default=True, help="Show the table on the page.")
@click.option("-o", "--out", type=click.Path(path_type=Path, dir_okay=False), help="Write it to this file.")
def rulebook(word: str, language: str, form: str | None, examples: bool, picture: bool, out: Path | None) -> None:
    """Write a rules text for exactly these rules: clauses, what each variant changed, components and examples.

    Example: aodrules rulebook nim

    Example: aodrules rulebook nim --out nim.html
    """
    word = rules_words(word)[0]
    asked = parse_rules_word(word)
    base = rules_of(asked.base) if asked.variants else None
    rules = rules_of(word)
    check_language(rules.book.words, language)
    is_page = form == "html" if form else out is not None and out.suffix in (".html", ".htm")
    text = RuleText(rules, base, language, examples, pictures=is_page and picture)
    page = text.page() if is_page else to_markdown(text.blocks())
    if out is None:
        echo(page, nl=False)
    else:
        out.write_text(page, encoding="utf-8")
        echo(f"written: {out}")
