"""The page of bounds says what the program keeps to."""

from __future__ import annotations

import re

from aodrules.check import context
from aodrules.check.analyse import bounds, weights
from aodrules.check.resolve import kinds
from aodrules.lang import parsing
from aodrules.source import disk
from aodrules.syntax import problems as syntax_problems
from tests.docs.blocks import DOCS

BOUNDS = {
    "depth of a document": syntax_problems.DEEPEST,
    "nodes of a document": syntax_problems.MOST_NODES,
    "characters of an expression": parsing.MOST_CHARACTERS,
    "depth of an expression": parsing.MOST_DEPTH,
    "players": context.MOST_PLAYERS,
    "cells of a grid": kinds.MOST_CELLS,
    "members of a kind": bounds.MOST_MEMBERS,
    "pieces of a kind": bounds.MOST_PIECES,
    "cells of all fields": bounds.MOST_CELLS,
    "ways to fill in an option": bounds.MOST_INSTANCES,
    "rounds of all attributes": bounds.MOST_ROUNDS,
    "operations of what a field starts with, for all its cells": bounds.MOST_BEFORE,
    "operations between two decisions": bounds.MOST_WORK,
    "operations of a game": bounds.MOST_IN_ALL,
    "decisions of a game": bounds.MOST_DECISIONS,
}
WEIGHTS = {
    "a constant, a name": 0,
    "a read, a sum, a comparison, a round of a loop": 1,
    "a call of a value, verb, event or hook, an effect that is looked for": weights.CALL,
    "a change of a name": weights.CHANGED,
    "a change of a field, what happens, a named step, a `while`: what the log tells": weights.NOTED,
    "a way to fill in an option": weights.INSTANCE,
    "a piece that is put in order, a roll": weights.SHUFFLED,
    "an answer by chance": weights.PICKED,
    "a step of the search for the best sets": weights.SOUGHT,
}


def test_the_page_of_bounds_is_current() -> None:
    page = (DOCS / "reference" / "language" / "bounds.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| (.+?) \| ([\d,]+) \|$", page, re.MULTILINE))
    numbers = {name: int(number.replace(",", "")) for name, number in rows.items()}
    assert numbers == {**BOUNDS, **WEIGHTS, "digits of a number": 9}
    assert "| size of a document | 1 MiB |" in page
    assert disk.LARGEST_FILE == 2**20
