"""`aodrules schema`: a JSON Schema that knows one game, for editors."""

from __future__ import annotations

import json

import click

from aodrules.authoring.schemas import schema_text
from aodrules.cli.arguments import rules_of
from aodrules.cli.output import echo
from aodrules.cli.progress import job
from aodrules.compose.library import shipped_games


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
