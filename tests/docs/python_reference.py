"""The reference of the Python names: the headings they stand under. The site makes the rest, of their docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any, get_args

import aodrules
from aodrules import bots, svg, testing
from aodrules.testing import machines, strategies

GROUPS: dict[str, tuple[str, ...]] = {
    "Loading rules": (
        "catalogue",
        "CatalogueGame",
        "CatalogueEntry",
        "CatalogueRuling",
        "load",
        "Rules",
        "Component",
        "Clause",
        "Setting",
        "Text",
    ),
    "Playing": (
        "Game",
        "Decision",
        "Surroundings",
        "Around",
        "Action",
        "Choices",
        "Candidate",
        "Learned",
        "Reason",
    ),
    "What happened": (
        *("Event", "EventCause", "EventPiece", "EventPlace"),
        *(of.__name__ for of in get_args(aodrules.Event)),
        *("LogGroup", "LogTurn"),
    ),
    "Looking": ("State", "View", "Hidden", "Played", "Snapshot"),
    "Back and forth": ("UndoNeeds", "WhatIf"),
    "Sending": ("to_json", "to_plain", "from_json", "json_schema"),
    "Scores": ("Score", "ScoreLine", "Share", "Standing"),
    "Writing down": ("open_game", "replay"),
    "Problems in rules": ("Diagnostic", "Report"),
    "Errors": (
        "AodrulesError",
        "RulesError",
        "ActionError",
        "InvalidActionError",
        "IllegalActionError",
        "AmbiguousActionError",
        "ArgumentError",
        "UndoError",
        "SampleError",
        "SecretError",
        "NotationError",
        "UnknownNameError",
        "InternalError",
        "CacheWarning",
    ),
}

MODULES = (svg, bots)
"""Modules that stand on the same page."""
TESTING = (testing, strategies, machines)
"""Modules with a page of their own."""


def groups() -> Iterator[str]:
    """Return the parts of the page."""
    for title, names in GROUPS.items():
        yield f"## {title}\n"
        yield from (directive(f"aodrules.{name}") for name in names)


def module_groups() -> Iterator[str]:
    """Return the parts of the page about modules of their own: pictures and bots."""
    for module in MODULES:
        yield from _module(module)


def testing_groups() -> Iterator[str]:
    """Return the parts of the page about testing: one for each module that is public."""
    for module in TESTING:
        yield from _module(module)


def _module(module: ModuleType) -> Iterator[str]:
    yield f"## `{module.__name__}`\n"
    yield lines(inspect.getdoc(module) or "") + "\n"
    yield from (directive(f"{module.__name__}.{name}") for name in module.__all__)


def directive(path: str) -> str:
    """Return what stands for a name on a page: mkdocstrings puts its docstring there, with an anchor per member."""
    is_union = path == "aodrules.Event"
    return f"::: {path}\n" + ("    options: {show_attribute_values: true}\n" if is_union else "")


def members_of(path: str) -> list[str]:
    """Return the anchors of the members of a class that stands on a page."""
    thing = resolved(path)
    if not inspect.isclass(thing):
        return []
    names = {name for each in thing.__mro__[:-1] for name in (*vars(each), *inspect.get_annotations(each))}
    return [f"{path}.{name}" for name in sorted(names) if not name.startswith("_")]


def resolved(path: str) -> Any:
    """Return what a directive names: the public name of a module."""
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)


def lines(text: str) -> str:
    """Return paragraphs with one sentence per line."""
    paragraphs = [" ".join(each.split()) for each in text.strip().split("\n\n")]
    return "\n\n".join(re.sub(r"(?<=[a-z)`])\. (?=[A-Z`])", ".\n", each) for each in paragraphs)


def in_cell(text: str) -> str:
    """Return a text for a cell of a table: a bar in code would end the cell in some readers of Markdown."""
    return re.sub(r"`([^`]*\|[^`]*)`", lambda code: f"<code>{code[1].replace('|', '&#124;')}</code>", text)
