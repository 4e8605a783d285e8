"""The commands by name, each imported when it is first asked for: most need only a part of the package."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from importlib import import_module
from typing import Any

import click

# The module, the name in it, and the first line of its help, for each command.
_PLACES: dict[str, tuple[str, str, str]] = {
    "balance": (
        "simulate",
        "balance",
        "Compare two rulesets over the same seeds, and say what differs beyond chance.",
    ),
    "check": (
        "check",
        "check",
        "Find every mistake in the rules; with --play, also play them.",
    ),
    "clauses": (
        "clauses",
        "clauses",
        "Map each clause of the rulebook to the nodes that model it and to the scenarios and properties that test it.",
    ),
    "compile": (
        "compile",
        "compile_",
        "Compile rules to Python.",
    ),
    "demo": (
        "demo",
        "demo",
        "Show what this is: a game of bots at a few moments, a house rule and what it changes, the score sheet.",
    ),
    "diff": (
        "diff",
        "diff",
        "Show what differs between two compositions: values, components, options and steps, each with its cause.",
    ),
    "explain": (
        "explain",
        "explain",
        "Explain a node of some rules by its address, or a diagnostic by its code.",
    ),
    "mutate": (
        "mutate",
        "mutate",
        "Change one number, condition, comparison, verb, name or step at a time and count what the tests notice.",
    ),
    "new": (
        "new",
        "new",
        "Write a house rule to begin with: commented, with a scenario, ready for `check`, `test` and `play`.",
    ),
    "play": (
        "play",
        "play",
        "Play a game on the terminal, or go on with one that was saved: type `help` there.",
    ),
    "rulebook": (
        "rulebook",
        "rulebook",
        "Write a rules text for exactly these rules: clauses, what each variant changed, components and examples.",
    ),
    "schema": (
        "schema",
        "schema",
        "Print a JSON Schema for those who write variants of a game: it knows its ids, verbs, decisions and hooks.",
    ),
    "simulate": (
        "simulate",
        "simulate",
        "Let bots play many games, and show who won and how.",
    ),
    "test": (
        "test",
        "test",
        "Run the scenarios of RULES, and of the YAML files and folders PATHS; with --properties, play games too.",
    ),
}


class Commands(MutableMapping[str, click.Command]):
    """The commands there are."""

    def __init__(self) -> None:
        self._places = dict(_PLACES)
        self._made: dict[str, click.Command] = {}

    def __getitem__(self, name: str) -> click.Command:
        if name not in self._made:
            module, inside, _ = self._places[name]
            self._made[name] = getattr(import_module(f"aodrules.cli.{module}"), inside)
        return self._made[name]

    def __setitem__(self, name: str, command: click.Command) -> None:
        self._made[name] = command
        self._places.setdefault(name, ("", "", command.help or ""))

    def __delitem__(self, name: str) -> None:
        del self._places[name]
        self._made.pop(name, None)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def line(self, name: str) -> str:
        """Return the first line of a command's help; the command is not imported for that."""
        return self._places[name][2]


class LazyGroup(click.Group):
    """A group whose commands are imported when they are used, and not when they are listed."""

    def __init__(self, **settings: Any) -> None:
        self._lazy = Commands()
        super().__init__(**{**settings, "commands": self._lazy})

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands."""
        # As short help it is told in full; the help of a command would be cut off.
        listed = [click.Command(name, short_help=self._lazy.line(name)) for name in self._lazy]
        click.Group(commands=listed).format_commands(ctx, formatter)
