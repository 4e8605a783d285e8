"""Rules made larger on purpose: variants that hold copies of what a game has, to see how costs grow with content."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from aodrules.errors import RulesError
from aodrules.rulebook import Rules, load

_SECTIONS = ("value", "verb", "decision")


def double_members(rules: Rules, kind: str, players: int, folder: Path) -> tuple[Rules, int]:
    """Return rules that have nearly every member of a kind twice, for no more than so many players, and how many.

    The bound on work is reckoned for the most that can play and the longest way through the rules. Where twice the
    members would go beyond it, as few as possible of those with the longest text are left single.
    """
    members = sorted(_section(rules, kind).items(), key=lambda each: len(json.dumps(each[1])))
    for single in (0, 1, 2, 4, 8, 16):
        chosen = dict(members[: len(members) - single])
        path = _write(rules, folder / f"doubled_{single}.yaml", _twice(rules, kind, players, chosen))
        try:
            return load(rules.book.request.base, [*rules.book.request.variants, path]), len(chosen)
        except RulesError:
            continue
    raise ValueError(f"`{kind}` cannot have twice its members")


def _twice(rules: Rules, kind: str, players: int, members: Mapping[str, Any]) -> dict[str, Any]:
    copies = {f"{name}_again": body for name, body in members.items()}
    return {"change": {"game.players": f"{rules.players[0]}..{players}"}, "add": {kind: copies}}


def write_copies(rules: Rules, times: int, folder: Path) -> list[Path]:
    """Write variants that together make values, verbs and decisions so many times as many.

    Copies have names of their own and refer to what the originals refer to. They are read, composed and checked.
    What holds a named step is not copied: the game refers to it by that name.
    """
    return [
        _write(rules, folder / f"copy_{number}.yaml", {"add": _copies(rules, number)}) for number in range(2, times + 1)
    ]


def load_echo(folder: Path, answers: int) -> Rules:
    """Return the rules of a game that asks the same question so many times: nothing grows in it but its past."""
    call = {"do": [{"add": 1, "to": "player.heard"}]}
    asking = {"while": f"player.heard < {answers}", "at_most": answers, "do": [{"choose": "call", "by": "player"}]}
    document = {
        "game": {
            "name": {"en": "Echo"},
            "players": 1,
            "seats": ["voice"],
            "begin": "prepare",
            "play": "ask",
            "points": {"calls": {"is": "player.heard"}},
            "winner": {"most": "total(player)"},
        },
        "state": {"player": {"heard": {"is": f"number 0..{answers}"}}},
        "verb": {"prepare": {"do": []}, "ask": {"do": [{"for": "player", "in": "players", "do": [asking]}]}},
        "decision": {"call": {"options": {"high": call, "low": call}}},
    }
    path = folder / "echo.yaml"
    path.write_text("".join(f"{key}: {json.dumps(body)}\n" for key, body in document.items()), encoding="utf-8")
    return load(path)


def _copies(rules: Rules, number: int) -> dict[str, Any]:
    return {
        section: {
            f"{name}_copy_{number}": body
            for name, body in _section(rules, section).items()
            if '"step":' not in json.dumps(body)
        }
        for section in _SECTIONS
        if _section(rules, section)
    }


def _section(rules: Rules, name: str) -> dict[str, Any]:
    found = rules.book.ruleset.root.get(name)
    plain = None if found is None else found.plain()
    return plain if isinstance(plain, dict) else {}


def _write(rules: Rules, path: Path, edits: dict[str, Any]) -> Path:
    head = {"variant": path.stem.replace("_", "-"), "game": rules.book.ruleset.name, "house": True}
    lines = [f"{key}: {json.dumps(body, ensure_ascii=False)}\n" for key, body in {**head, **edits}.items()]
    path.write_text("".join(lines), encoding="utf-8")
    return path
