"""`aodrules new`: a house rule to begin with, that checks, passes its test and can be played."""

from __future__ import annotations

from pathlib import Path

import click

from aodrules.authoring.schemas import schema_line, schema_text
from aodrules.authoring.starters import USUAL, Starter, StarterError, games_with_starters, starter, starters
from aodrules.cli.output import echo
from aodrules.cli.progress import job

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
