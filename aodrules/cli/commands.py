"""The commands by name, each imported when it is first asked for: most need only a part of the package."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

import click

# The module of each command and the function in it.
_PLACES = {
    "balance": ("simulate", "balance"),
    "check": ("check", "check"),
    "clauses": ("clauses", "clauses"),
    "compile": ("compile", "compile_"),
    "demo": ("demo", "demo"),
    "diff": ("diff", "diff"),
    "explain": ("explain", "explain"),
    "mutate": ("mutate", "mutate"),
    "new": ("new", "new"),
    "play": ("play", "play"),
    "rulebook": ("rulebook", "rulebook"),
    "schema": ("schema", "schema"),
    "simulate": ("simulate", "simulate"),
    "test": ("test", "test"),
}


class LazyGroup(click.Group):
    """A group whose commands are imported when they are used, and not when they are listed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - as click calls it
        """Return the names of the commands."""
        return list(_PLACES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as click calls it
        """Return a command, if there is one of that name."""
        if cmd_name not in _PLACES:
            return None
        module, function = _PLACES[cmd_name]
        command: click.Command = getattr(import_module(f"aodrules.cli.{module}"), function)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands."""
        # As short help it is told in full; the help of a command would be cut off.
        listed = [click.Command(name, short_help=_first_line(*place)) for name, place in _PLACES.items()]
        click.Group(commands=listed).format_commands(ctx, formatter)


def _first_line(module: str, function: str) -> str:
    """Return the first line of a command's help, read from its source: to import all commands takes too long."""
    source = Path(__file__).with_name(f"{module}.py").read_text(encoding="utf-8")
    defined = {node.name: node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
    return (ast.get_docstring(defined[function]) or "").partition("\n")[0]
