"""The small games together use the whole language, and the table in their README says where."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from aodrules.lang.builtins.table import BUILTINS
from aodrules.syntax.validation import schema_files
from tests.games.constructs import DECLARATIONS, EFFECTS, GAMES, STEPS, TYPES, games, used

ON_ANY_BODY = ("name", "text", "clauses", "needs")
NOT_USED = {
    "choose: given": "an inline decision sees the names around it",
    "decision: first": "so far an option pays first; it means what it means there",
    "decision: limit": "what is asked anew is seldom limited; it means what it means for an option",
    "decision: open": "so far an offer is open in the games; it means what it means for an option",
    "decision: then_where": "as `first`",
    "game: outlook": "the small games pay soon enough for bots that look one step ahead",
    "game: id": "the games bear the names of their folders",
    "use: hidden": "an option says itself that it is hidden",
    "use: open": "an option says itself that it is open",
}
"""What no game uses, each with its reason."""


def keys(file: str, name: str | None = None) -> list[str]:
    """Return the keys that a schema fixes for one thing."""
    schema: Any = schema_files()[file]
    properties = (schema["$defs"][name] if name else schema)["properties"]
    return [key for key in properties if key not in ON_ANY_BODY]


def of_things(things: dict[str, tuple[str, str | None]]) -> list[str]:
    return [f"{word}: {key}" for word, (file, name) in things.items() for key in keys(file, name) if key != word]


def steps() -> list[str]:
    names = {verb: ("steps.schema.json", "named_step" if verb == "step" else verb) for verb in STEPS}
    return [*STEPS, *of_things(dict(names))]


def effects() -> list[str]:
    names = {kind: "own_offer" if kind == "offer" else kind for kind in EFFECTS}
    found = of_things({kind: ("effects.schema.json", name) for kind, name in names.items()})
    return [*EFFECTS, *found, "offer: use"]


def declarations() -> list[str]:
    components, decisions = "components.schema.json", "decisions.schema.json"
    things: dict[str, tuple[str, str | None]] = {
        "game": ("game.schema.json", "game"),
        "winner": ("game.schema.json", "winner"),
        "kind": (components, "kind"),
        "pieces": (components, "pieces"),
        "hook": (components, "hook"),
        "member": (components, "member"),
        "field": (components, "field"),
        "shape": (components, "shape"),
        "decision": (decisions, "decision"),
        "option": (decisions, "own_option"),
        "use": (decisions, "used_option"),
        "limit": (decisions, "limit"),
    }
    plain = ["secret: content", "secret: owner", "value: is", "value: by", "value: table", "sets: wild_per_set"]
    plain += ["declaration: clauses beside declarations"]
    plain += ["for: a type", "for: types as names", "for: a set over earlier parameters"]
    plain += ["where: a mapping", "where: a clause or text", "where: is and else"]
    return [*(f"declaration: {name}" for name in DECLARATIONS), *of_things(things), *plain]


def edits() -> list[str]:
    things: dict[str, tuple[str, str | None]] = {
        "head": ("variant.schema.json", None),
        "insert": ("variant.schema.json", "insertion"),
        "move a step": ("variant.schema.json", "step_move"),
    }
    return [*of_things(things), "remove: addresses", "remove: conditions"]


def language() -> dict[str, list[str]]:
    """Return every construct of the language, by chapter."""
    chapters = {
        "Steps": steps(),
        "Builtins": [f"{name}()" for name in BUILTINS],
        "Effects": effects(),
        "Types": [f"type: {name}" for name in TYPES],
        "Declarations": declarations(),
        "Editions, modules, variants": edits(),
    }
    return {title: [each for each in found if each not in NOT_USED] for title, found in chapters.items()}


@cache
def uses() -> dict[str, frozenset[str]]:
    return {game: used(files) for game, files in games().items()}


def table() -> str:
    """Return the table of the README as it must be."""
    lines = []
    for title, constructs in language().items():
        lines += [f"### {title}", "", "| construct | games |", "|---|---|"]
        for construct in constructs:
            where = [game for game, found in uses().items() if construct in found]
            lines.append(f"| `{construct}` | {', '.join(where)} |")
        lines.append("")
    return "\n".join(lines)


@pytest.mark.parametrize("chapter", language())
def test_every_construct_is_used_by_a_game(chapter: str) -> None:
    everywhere = frozenset().union(*uses().values())
    assert [construct for construct in language()[chapter] if construct not in everywhere] == []


def test_every_exception_is_needed() -> None:
    everywhere = frozenset().union(*uses().values())
    assert [construct for construct in NOT_USED if construct in everywhere] == []


def test_the_table_of_the_readme_is_true() -> None:
    text = (GAMES / "README.md").read_text(encoding="utf-8")
    assert text.split("<!-- made from the games -->\n\n")[1] == table()
