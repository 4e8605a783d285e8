"""All commands by name, imported."""

from __future__ import annotations

import click

from aodrules.cli.main import cli

_CONTEXT = click.Context(cli)
COMMANDS = {name: command for name in cli.list_commands(_CONTEXT) if (command := cli.get_command(_CONTEXT, name))}
