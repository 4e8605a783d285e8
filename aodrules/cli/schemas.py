"""`aodrules schema`: a JSON Schema that knows one game, for editors."""

from __future__ import annotations

import json

import click

from aodrules.cli.words import rules_of


@click.command()
@click.argument("word", metavar="RULES")
def schema(word: str) -> None:
    """Print a JSON Schema for those who write variants of a game: it knows its ids, verbs, decisions and hooks.

    Example: aodrules schema tests/games/nim.yaml > nim.schema.json
    """
    click.echo(json.dumps(rules_of(word).schema(), indent=2, ensure_ascii=False))
