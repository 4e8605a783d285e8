"""The words of some rules that a scenario may use: steps, fields and actions."""

from __future__ import annotations

from collections.abc import Iterator

from aodrules.facts.action_codes import PASSING, Choice
from aodrules.interpreter.entry_paths import is_call, is_step
from aodrules.lang.types import Player, Type
from aodrules.play.actions import ActionTable
from aodrules.play.ids import IdTable, counters, field_pattern
from aodrules.play.rules_context import RulesContext
from aodrules.testing.entries import Steps, Target


def format_vocabulary(book: RulesContext) -> str:
    """Return all steps, fields and actions of some rules as text, for who writes scenarios."""
    game = book.checked.game
    faces = book.actions(game.seats[: game.players[1]])
    parts = {
        f"seats ({game.players[0]} to {game.players[1]} play)": [", ".join(game.seats)],
        "steps for `at` and `until`, and what runs around them": list(_steps(book)),
        "fields for `given` and `then`": list(_fields(faces.names)),
        "actions for `when` and `refused`, by decision": list(_actions(faces)),
        "members, by kind": list(_members(faces.names)),
    }
    return "\n".join(line for title, lines in parts.items() for line in (f"{title}:", *(f"  {each}" for each in lines)))


def _steps(book: RulesContext) -> Iterator[str]:
    steps, frame = Steps(book.checked), book.checked.game
    found = {_short(address, list(steps.named)): Target(address, is_step(address)) for address in steps.named}
    found |= {verb: Target(verb, is_call(verb)) for verb in steps.verbs if verb not in found}
    around = {name: [list(way.loops()) for way in steps.ways(target)[:1]] for name, target in found.items()}
    around |= {verb: [[]] for verb in (frame.begin, frame.play) if verb is not None}
    for name, ways in sorted(around.items()):
        yield from (f"{name} ({', '.join(loops)})" if loops else name for loops in ways)


def _short(address: str, others: list[str]) -> str:
    """Return as few of the last words of a step as tell it from all others."""
    parts = address.split(".")
    endings = (".".join(parts[start:]) for start in range(len(parts) - 1, -1, -1))
    return next(each for each in endings if sum(f".{other}".endswith(f".{each}") for other in others) == 1)


def _fields(names: IdTable) -> Iterator[str]:
    counted = counters(names)
    for name, field in names.tables.rules.fields.items():
        if name not in counted and not field.is_setting:
            secret = ", secret" if field.secret else ""
            yield f"{field_pattern(names, name)}: {field.type}{secret}"


def _actions(faces: ActionTable) -> Iterator[str]:
    for space in faces.spaces.values():
        shown = " | ".join(_action(choice) for choice in space.choices)
        yield f"{space.decision.removeprefix('decision.')}: {shown}"


def _members(names: IdTable) -> Iterator[str]:
    for kind in names.tables.rules.kinds.values():
        members = names.tables.rules.family(kind.name).members
        yield f"{kind.name}: {', '.join(members[place] for place in kind.places)}"


def _action(choice: Choice) -> str:
    if choice.option is None:
        return choice.id if choice.id == PASSING else " ".join((choice.id, *map(_slot, choice.types)))
    return " ".join((choice.id, *(_slot(one.type) for one in choice.option.parameters)))


def _slot(type_: Type) -> str:
    return "SEAT" if isinstance(type_, Player) else str(type_).split()[0].upper()
