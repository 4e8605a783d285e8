"""Which words of the language the small games use, found in their YAML."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from aodrules.lang.builtins.table import BUILTINS
from aodrules.syntax.validation import schema_files

GAMES = Path(__file__).parent
Node: TypeAlias = Any
STEPS = tuple(schema_files()["steps.schema.json"]["$defs"]["by_verb"]["dependentSchemas"])
"""The kernel verbs."""
EFFECTS = tuple(schema_files()["effects.schema.json"]["$defs"]["by_tag"]["dependentSchemas"])
DECLARATIONS = tuple(key for key in schema_files()["rules.schema.json"]["properties"] if key != "clauses")
TYPES = {
    "number": r"number",
    "number a..b": r"number -?\d+\.\.-?\d+",
    "a..b": r"-?\d+\.\.-?\d+",
    "flag": r"flag",
    "K": r"(?!number|flag|player|owner)[a-z_]+",
    "player": r"player",
    "owner": r"owner",
    "maybe T": r"maybe \w+",
    "bag of K": r"bag of \w+",
    "list of K": r"list of (?!player)\w+",
    "list of player": r"list of player",
    "list of K up to n": r"list of \w+ up to \d+",
    "piece of K": r"piece of \w+",
    "set of K": r"set of (?!player)\w+",
    "set of player": r"set of player",
    "place of K": r"place of \w+",
    "field of T": r"field of .*",
    "value of T": r"value of .*",
    "T per player": r".* per player",
    "T per owner": r".* per owner",
    "T per K": r".* per (?!player|owner)\w+",
}
_WORDS_FOR_PEOPLE = ("name", "text", "clause", "ruling", "clauses", "says")
_STEP_LISTS = ("first", "do", "then", "else", "otherwise")


def games() -> dict[str, list[Path]]:
    """Return the files of each game, by its name."""
    folders = {path.name: sorted(path.rglob("*.yaml")) for path in sorted(GAMES.iterdir()) if path.is_dir()}
    return {"nim": sorted(GAMES.glob("nim*.yaml")), **{name: files for name, files in folders.items() if files}}


def used(files: Iterable[Path]) -> frozenset[str]:
    """Return the constructs that occur in the files of one game."""
    documents = [yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader) for path in files]
    return frozenset(construct for document in documents for construct in used_in(document))


def _items(node: Node) -> Iterable[tuple[str, Node]]:
    return node.items() if isinstance(node, Mapping) else ()


def used_in(document: Node) -> Iterator[str]:
    """Yield what a whole document uses: its head and edits, or its declarations."""
    yield from _expressions(document)
    if any(key in document for key in ("variant", "edition", "module")):
        yield from (f"head: {key}" for key in document)
        yield from _edits(document)
        for _, edits in _items(document.get("with")):
            yield from _edits(edits)
    else:
        yield from _declarations(document)


def _edits(edits: Node) -> Iterator[str]:
    yield from _declarations(_nested(edits.get("add", {})))
    yield from (f"winner: {key}" for key in edits.get("change", {}).get("game.winner", ()))
    yield from _effects(edits.get("effects"))
    for insertion in edits.get("insert", ()):
        yield from (f"insert: {key}" for key in insertion)
        yield from _steps(insertion["do"])
    for move in edits.get("move", ()):
        yield from (f"move a step: {key}" for key in move)
    if "remove" in edits:
        yield "remove: addresses" if isinstance(edits["remove"], list) else "remove: conditions"


def _nested(added: Mapping[str, Node]) -> dict[str, Node]:
    """Return what is added with its dotted keys written out."""
    tree: dict[str, Node] = {}
    for key, value in added.items():
        *path, last = key.split(".")
        inner = tree
        for part in path:
            inner = inner.setdefault(part, {})
        inner[last] = {**inner.get(last, {}), **value} if isinstance(value, Mapping) else value
    return tree


def _declarations(document: Mapping[str, Node]) -> Iterator[str]:
    for section, written in document.items():
        if section in DECLARATIONS:
            yield f"declaration: {section}"
        if section != "game" and "clauses" in dict(_items(written)):
            yield "declaration: clauses beside declarations"
        bodies = {key: body for key, body in _items(written) if key != "clauses"}
        if section in _SECTIONS:
            yield from _SECTIONS[section](bodies)
        elif section not in DECLARATIONS:
            yield from ("member: columns" for _ in (1,) if "columns" in bodies)
            for _, body in _items(bodies):
                yield from _member(body)


def _game(body: Node) -> Iterator[str]:
    yield from (f"game: {key}" for key in body)
    yield from (f"winner: {key}" for key in body.get("winner", ()))


def _kinds(bodies: Node) -> Iterator[str]:
    for _, body in _items(bodies):
        yield from (f"kind: {key}" for key in body)
        yield from (f"pieces: {key}" for key in body.get("pieces", ()))
        if "owned" in body.get("pieces", ()):
            yield f"owned: {str(body['pieces']['owned']).lower()}"
        yield from _types(body.get("attributes"))
        yield from _effects(body.get("effects"))
        for _, hook in _items(body.get("hooks")):
            yield from (f"hook: {key}" for key in hook)
            yield from _types(hook.get("given"))


def _member(body: Node) -> Iterator[str]:
    """Yield what a member uses: rows, fields of its own, steps and effects in its hooks."""
    for key, value in _items(body):
        if key in ("each", "remembers", "for_players"):
            yield f"member: {key}"
            yield from _types(value) if key == "remembers" else ()
        elif isinstance(value, list):
            yield from _steps(value)
        elif isinstance(value, Mapping):
            yield from _effects(value)


def _state(holders: Node) -> Iterator[str]:
    for _, fields in _items(holders):
        yield from _types(fields)
        for _, body in _items(fields):
            yield from (f"field: {key}" for key in body if isinstance(body, Mapping))
            yield from (f"secret: {body['secret']}" for _ in (1,) if isinstance(body, Mapping) and "secret" in body)


def _callables(bodies: Node) -> Iterator[str]:
    """Yield what values, verbs and events use."""
    for _, body in _items(bodies):
        for key, value in _items(body):
            yield from _types(value) if key in ("given", "main") else ()
            yield from (f"value: {key}" for _ in (1,) if key in ("is", "by", "table"))
            yield from _steps(value) if key == "do" else ()


def _decisions(bodies: Node) -> Iterator[str]:
    for _, body in _items(bodies):
        yield from (f"decision: {key}" for key in body)
        yield from _steps(body.get("otherwise", ()))
        yield from _options(body.get("options"))
        yield from _answer(body)


def _options(bodies: Node) -> Iterator[str]:
    for _, body in _items(bodies):
        word = "use" if "use" in body else "option"
        yield from (f"{word}: {key}" for key in body)
        yield from _answer(body)


def _answer(body: Node) -> Iterator[str]:
    """Yield what options and offers share."""
    yield from _types(body.get("given"))
    yield from ("limit: shared" for _ in (1,) if "shared" in body.get("limit", ()))
    yield from ("for: types as names" for _ in (1,) if isinstance(body.get("for"), list))
    for _, domain in _items(body.get("for")):
        yield "for: a set over earlier parameters" if isinstance(domain, Mapping) else "for: a type"
    for where in (body.get("where", ()), body.get("then_where", ())):
        yield from _conditions(where)
    for key in ("first", "do"):
        yield from _steps(body.get(key, ()))


def _conditions(where: Node) -> Iterator[str]:
    yield from ("where: a mapping" for _ in (1,) if isinstance(where, Mapping))
    yield from ("where: a clause or text" for key, _ in _items(where) if not key.isidentifier())
    for condition in where.values() if isinstance(where, Mapping) else where:
        yield from ("where: is and else" for _ in (1,) if isinstance(condition, Mapping))


def _effects(bodies: Node) -> Iterator[str]:
    for _, body in _items(bodies):
        kind = next((word for word in EFFECTS if isinstance(body, Mapping) and word in body), None)
        if kind is not None:
            yield kind
            yield from (f"{kind}: {key}" for key in body if key != kind)
            yield from _answer(body)


def _steps(steps: Node) -> Iterator[str]:
    for step in steps if isinstance(steps, list) else ():
        if step in ("stop", "end_game"):
            yield step
        verb = next((word for word, _ in _items(step) if word in STEPS), None)
        if verb is not None:
            yield verb
            yield from (f"{verb}: {key}" for key in step if key != verb)
        for key, value in _items(step):
            yield from _steps(value) if key in _STEP_LISTS else ()
            yield from _options(value) if key == "options" else ()


def _sets(bodies: Node) -> Iterator[str]:
    for _, body in _items(bodies):
        yield from (f"sets: {key}" for key in body)
        yield from (f"shape: {key}" for shape in body.get("shapes", ()) for key in shape)


def _types(declared: Node) -> Iterator[str]:
    """Yield the types of parameters, attributes or fields."""
    named = [(each, each) for each in declared] if isinstance(declared, list) else _items(declared)
    for _, body in named:
        text = str(body.get("is", "") if isinstance(body, Mapping) else body).split(" = ")[0]
        yield from (f"type: {name}" for name, pattern in TYPES.items() if re.fullmatch(pattern, text))
        yield from (f"type: {name}" for name, pattern in TYPES.items() if re.fullmatch(pattern, text.split(" per ")[0]))


def _expressions(node: Node) -> Iterator[str]:
    """Yield the builtins and operators in every text that is an expression."""
    if isinstance(node, Mapping):
        for key, value in node.items():
            yield from _expressions(value) if key not in _WORDS_FOR_PEOPLE else ()
    elif isinstance(node, list):
        for item in node:
            yield from _expressions(item)
    elif isinstance(node, str):
        try:
            tree = ast.parse(node, mode="eval")
        except SyntaxError:
            return
        for part in ast.walk(tree):
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in BUILTINS:
                yield f"{part.func.id}()"


_SECTIONS = {
    "game": _game,
    "kinds": _kinds,
    "state": _state,
    "value": _callables,
    "verb": _callables,
    "event": _callables,
    "decision": _decisions,
    "option": _options,
    "sets": _sets,
}
