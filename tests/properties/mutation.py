"""Documents changed at random: keys dropped, renamed, retyped; numbers and names changed; steps moved."""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

WORD = re.compile(r"[a-z_][a-z0-9_]+")
ODD_VALUES: tuple[Any, ...] = (0, 1, -1, 7, 1000, True, "", "none", "players", "x y", [], {}, ["all"], {"is": 1}, None)
Change = Callable[[Any, random.Random, list[str]], None]


def mutated(document: dict[str, Any], seed: int, changes: int = 2) -> dict[str, Any]:
    """Return a copy of a document with a few changes that depend on the seed alone."""
    chance = random.Random(seed)
    found = copy.deepcopy(document)
    words = sorted({word for text in _texts(found) for word in WORD.findall(text)})
    for _ in range(chance.randint(1, changes)):
        containers = list(_containers(found))
        if containers:  # a change may have dropped all there was
            chance.choice(CHANGES)(chance.choice(containers), chance, words)
    return found


def _containers(node: Any) -> Iterator[Any]:
    if isinstance(node, dict | list):
        if node:
            yield node
        for child in node.values() if isinstance(node, dict) else node:
            yield from _containers(child)


def _texts(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        for key, value in node.items():
            yield str(key)
            yield from _texts(value)
    elif isinstance(node, list):
        for child in node:
            yield from _texts(child)
    else:
        yield str(node)


def _place(node: Any, chance: random.Random) -> Any:
    return chance.choice(list(node)) if isinstance(node, dict) else chance.randrange(len(node))


def drop(node: Any, chance: random.Random, words: list[str]) -> None:
    del node[_place(node, chance)]


def rename(node: Any, chance: random.Random, words: list[str]) -> None:
    if isinstance(node, dict):
        place = _place(node, chance)
        items = [(chance.choice(words) if key == place else key, value) for key, value in node.items()]
        node.clear()
        node.update(items)


def retype(node: Any, chance: random.Random, words: list[str]) -> None:
    node[_place(node, chance)] = copy.deepcopy(chance.choice(ODD_VALUES))


def change_number(node: Any, chance: random.Random, words: list[str]) -> None:
    place = _place(node, chance)
    if isinstance(node[place], int):
        node[place] += chance.choice((-3, -1, 1, 2, 50))
    elif isinstance(node[place], str):
        node[place] = re.sub(r"\d+", lambda found: str(max(0, int(found[0]) + chance.choice((-1, 1)))), node[place])


def change_name(node: Any, chance: random.Random, words: list[str]) -> None:
    place = _place(node, chance)
    if isinstance(node[place], str):
        found = WORD.findall(node[place])
        if found:
            node[place] = node[place].replace(chance.choice(found), chance.choice(words), 1)


def swap(node: Any, chance: random.Random, words: list[str]) -> None:
    one, other = _place(node, chance), _place(node, chance)
    node[one], node[other] = node[other], node[one]


def repeat(node: Any, chance: random.Random, words: list[str]) -> None:
    if isinstance(node, list):
        node.insert(_place(node, chance), copy.deepcopy(node[_place(node, chance)]))


def sink(node: Any, chance: random.Random, words: list[str]) -> None:
    place = _place(node, chance)
    node[place] = [node[place]] if chance.random() < 0.5 else {chance.choice(words): node[place]}


CHANGES: tuple[Change, ...] = (drop, rename, retype, change_number, change_name, change_name, swap, repeat, sink)
