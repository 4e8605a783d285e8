"""The commands by name, each imported when it is first asked for: most need only a part of the package."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from importlib import import_module

import click

# The module and the name in it, for each command.
_PLACES: dict[str, tuple[str, str]] = {
    "balance": ("simulating", "balance"),
    "bench": ("benching", "bench"),
    "check": ("checking", "check"),
    "clauses": ("clauses", "clauses"),
    "compile": ("compiling", "compile_"),
    "diff": ("differing", "diff"),
    "explain": ("explaining", "explain"),
    "mutate": ("mutation", "mutate"),
    "new": ("creating", "new"),
    "play": ("playing", "play"),
    "rulebook": ("rulebooks", "rulebook"),
    "schema": ("schemas", "schema"),
    "simulate": ("simulating", "simulate"),
    "test": ("testing", "test"),
}


class Commands(MutableMapping[str, click.Command]):
    """The commands there are."""

    def __init__(self) -> None:
        self._places = dict(_PLACES)
        self._made: dict[str, click.Command] = {}

    def __getitem__(self, name: str) -> click.Command:
        if name not in self._made:
            module, inside = self._places[name]
            self._made[name] = getattr(import_module(f"aodrules.cli.{module}"), inside)
        return self._made[name]

    def __setitem__(self, name: str, command: click.Command) -> None:
        self._made[name] = command
        self._places.setdefault(name, ("", ""))

    def __delitem__(self, name: str) -> None:
        del self._places[name]
        self._made.pop(name, None)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)
