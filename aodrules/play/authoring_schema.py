"""The authoring schema of one game: the shipped schemas in one document, closed over what that game declares.

A variant that adds names of its own may use them; which they are, no schema can know.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from aodrules.check.checked import Parameter
from aodrules.compose.addresses import FIXED_KINDS, UNPLAYED_KINDS, TreePlace, all_steps, step_holders
from aodrules.play.rules_context import RulesContext
from aodrules.source.wording import join
from aodrules.syntax.tree import Entry, Mapping, Node, Scalar, at
from aodrules.syntax.validation import SUFFIX, Schema, schema_files


def list_keys(parts: dict[str, Schema], holder: Schema, branches: Schema) -> None:
    """Put the keys of all branches under the properties of what chooses among them; what fits does not change.

    A key that means something else in another branch is only explained.
    """
    known: dict[str, list[Schema]] = {}
    for tag, branch in branches.items():
        for key, body in _properties(parts, branch):
            found = known.setdefault(key, [])
            found.insert(0 if key == tag else len(found), body)
    holder["properties"] = {key: _shared(bodies) for key, bodies in sorted(known.items())}


def _properties(parts: dict[str, Schema], branch: Schema) -> Iterator[tuple[str, Schema]]:
    """Iterate over the keys of a branch, and of those it chooses among."""
    branch = _resolved(parts, branch)
    yield from branch.get("properties", {}).items()
    for word in ("then", "else"):
        if word in branch:
            yield from _properties(parts, branch[word])


def _resolved(parts: dict[str, Schema], schema: Schema) -> Schema:
    if "$ref" not in schema:
        return schema
    found: Any = {"$defs": parts}
    for word in str(schema["$ref"]).removeprefix("#/").split("/"):
        found = found[word]
    resolved: Schema = found
    return resolved


def _shared(bodies: list[Schema]) -> Schema:
    first = bodies[0]
    if all(body == first for body in bodies):
        return first
    return {word: first[word] for word in ("title", "description") if word in first}


OPEN = {"$comment": "A document may add such names."}
"""Marks a schema that is closed over the names of the game and that a document can open by adding some."""
_MARK = " with own names"
_VARIANT = "#/$defs/variant"
_NAME = {"type": "string", "pattern": r"^[a-z][a-z0-9_]*(?!\n)$"}
_DEFINITION = re.compile(r"#/\$defs/([^/]+)(?:/\$defs/([^/]+))?$")

# What closes a schema, beside an enumeration.
_CLOSING = ("additionalProperties", "pattern", "$comment")
# What has names that steps, effects and members use; it stands under `add`, nested or with a dot.
_KEY = r"^(?:verb|value|decision|option|event|kinds)(?:\.|$)"
_ADDS: Schema = {"required": ["add"], "properties": {"add": {"not": {"patternProperties": {_KEY: False}}}}}
_ADDS_WITH: Schema = {"required": ["with"], "properties": {"with": {"not": {"additionalProperties": {"not": _ADDS}}}}}


def with_own_names(parts: dict[str, Schema]) -> Schema:
    """Return the schema of variants: where one adds names, a second form counts, in which others are fine too.

    The second form of all that is closed over names is added to the parts.
    """
    bodies = {reference: _without_definitions(_at(parts, reference)) for reference in _all(parts)}
    uses = {reference: set(_references(body)) for reference, body in bodies.items()}
    closed = {reference for reference, body in bodies.items() if _is_marked(body)}
    second = _reaching(uses, closed) & _reached(uses)
    for reference in sorted(second):
        name, definition = _names(reference)
        into, made = parts.setdefault(name + _MARK, {}), _opened(bodies[reference], second)
        if definition is None:
            into |= made
        else:
            into.setdefault("$defs", {})[definition] = made
    return {"if": {"anyOf": [_ADDS, _ADDS_WITH]}, "then": {"$ref": _VARIANT + _MARK}, "else": {"$ref": _VARIANT}}


def _reaching(uses: dict[str, set[str]], closed: set[str]) -> set[str]:
    """Return the references to all definitions in which something closed can stand, however deep."""
    found = set(closed)
    while more := {reference for reference, used in uses.items() if used & found} - found:
        found |= more
    return found


def _reached(uses: dict[str, set[str]]) -> set[str]:
    """Return the references to all definitions that a variant can come to."""
    found = {_VARIANT}
    while more := {used for reference in found for used in uses[reference]} - found:
        found |= more
    return found


def _all(parts: dict[str, Schema]) -> Iterator[str]:
    for name, part in parts.items():
        yield f"#/$defs/{name}"
        yield from (f"#/$defs/{name}/$defs/{definition}" for definition in part.get("$defs", {}))


def _names(reference: str) -> tuple[str, str | None]:
    found = _DEFINITION.match(reference)
    assert found is not None  # the shipped schemas refer to nothing but parts and their definitions
    return found[1], found[2]


def _at(parts: dict[str, Schema], reference: str) -> Schema:
    name, definition = _names(reference)
    part = parts[name]
    found: Schema = part if definition is None else part["$defs"][definition]
    return found


def _without_definitions(schema: Schema) -> Schema:
    return {key: value for key, value in schema.items() if key != "$defs"}


def _parts_of(part: Any) -> Iterator[Schema]:
    """Iterate over a schema and all that is written inside it."""
    if isinstance(part, dict):
        yield part
        part = list(part.values())
    for item in part if isinstance(part, list) else ():
        yield from _parts_of(item)


def _references(body: Schema) -> Iterator[str]:
    return (part["$ref"] for part in _parts_of(body) if isinstance(part.get("$ref"), str))


def _is_marked(body: Schema) -> bool:
    return any(part.get("$comment") == OPEN["$comment"] for part in _parts_of(body))


def _opened(part: Any, second: set[str]) -> Any:
    """Return a part in which other names are fine too, and that refers to the second form of all that has one."""
    if isinstance(part, list):
        return [_opened(item, second) for item in part]
    if not isinstance(part, dict):
        return part
    found = {key: _opened(value, second) for key, value in part.items()}
    if found.get("$ref") in second:
        name, definition = _names(found["$ref"])
        found["$ref"] = f"#/$defs/{name}{_MARK}" + (f"/$defs/{definition}" if definition else "")
    return _open(found) if found.get("$comment") == OPEN["$comment"] else found


def _open(found: Schema) -> Schema:
    if "enum" not in found:
        return {key: value for key, value in found.items() if key not in _CLOSING}
    told: Schema = {key: found[key] for key in ("title", "description") if key in found}
    known = {key: found[key] for key in ("enum", "enumDescriptions") if key in found}
    return {**told, "anyOf": [known, _NAME]}


_META = ("name", "text", "clauses", "needs")
_KERNEL = "by_verb"
_DEEPEST = 3
_BARE = ("stop", "end_game")


def authoring_schema(*contexts: RulesContext) -> Schema:
    """Return the schema for documents of one game and for variants of it; several contexts are editions of the game."""
    parts = _bundled()
    game = _Game(contexts)
    _close_steps(parts["steps"]["$defs"], game)
    _close_names(parts, game)
    _close_kinds(parts, game)
    _close_edits(parts["variant"], game)
    for name, holder, chooser in (("steps", "step", _KERNEL), ("effects", "effect", "by_tag")):
        defs = parts[name]["$defs"]
        list_keys(parts, defs[holder], defs[chooser]["dependentSchemas"])
    variant = with_own_names(parts)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Rules and variants of {contexts[0].ruleset.name}",
        "description": f"Made from {join([str(context.request) for context in contexts])} by `aodrules schema`.",
        "type": "object",
        "if": {"anyOf": [{"required": [kind]} for kind in ("variant", "edition", "module")]},
        "then": variant,
        "else": {
            "if": {"required": ["words"]},
            "then": {"$ref": "#/$defs/words"},
            "else": {"$ref": "#/$defs/rules"},
        },
        "$defs": parts,
    }


def _bundled() -> dict[str, Schema]:
    """Return every shipped schema, with references that hold inside one document."""
    return {
        file.removesuffix(SUFFIX): _with_references(copy.deepcopy(schema), file.removesuffix(SUFFIX))
        for file, schema in schema_files().items()
    }


def _with_references(part: Any, name: str) -> Any:
    if isinstance(part, list):
        return [_with_references(item, name) for item in part]
    if not isinstance(part, dict):
        return part
    found = {key: _with_references(value, name) for key, value in part.items() if key not in {"$schema", "$id"}}
    if isinstance(found.get("$ref"), str):
        file, _, pointer = found["$ref"].partition("#")
        found["$ref"] = f"#/$defs/{file.removesuffix(SUFFIX) or name}{pointer}"
    return found


class _Game:
    """What a game declares, as far as a schema can know it."""

    def __init__(self, contexts: Sequence[RulesContext]) -> None:
        self.root = _united([context.ruleset.root for context in contexts])
        checked = [context.checked for context in contexts]
        self.verbs = {name: verb for each in checked for name, verb in each.verbs.items()}
        self.values = {name for each in checked for name in each.values}
        self.attributes = {name: one for each in checked for name, one in each.attributes.items()}
        self._given: list[Iterable[Parameter]] = [
            one.parameters
            for each in checked
            for group in (each.decisions, each.events, each.hooks)
            for one in group.values()
        ]
        kinds = self.root.get("kinds")
        self.kinds = {entry.name: entry.value for entry in kinds} if isinstance(kinds, Mapping) else {}

    def ids(self, section: str) -> list[str]:
        """Return the ids of a kind of declaration."""
        found = self.root.get(section)
        return [entry.name for entry in found] if isinstance(found, Mapping) else []

    def about(self, section: str, name: str) -> str:
        """Return what can be said about a declaration in a line: what it is given, and what it is."""
        given, formula = at(self.root, section, name, "given"), at(self.root, section, name, "is")
        names = ", ".join(entry.name for entry in given) if isinstance(given, Mapping) else ""
        said = formula.text if isinstance(formula, Scalar) else ""
        return f"{name}({names})" + (f" = {said}" if said else "")

    def addresses(self) -> Iterator[tuple[str, Node]]:
        """Iterate over the nodes of the composed tree that have short addresses."""
        yield from _addresses(self.root, "", _DEEPEST)

    def named_steps(self) -> list[str]:
        """Return the addresses of all named steps."""
        return sorted({step.address for place in step_holders(TreePlace(self.root)) for step in all_steps(place)})

    def parameter_names(self) -> set[str]:
        """Return the names of all that may be given to a decision, an event or a hook."""
        return {parameter.name for group in self._given for parameter in group}


def _united(roots: Sequence[Mapping]) -> Mapping:
    """Return the trees of several editions as one: what is in any of them is there, as the first has it."""
    first = roots[0]
    for entry in (entry for root in roots[1:] for entry in root):
        old = first.get(entry.name)
        if isinstance(old, Mapping) and isinstance(entry.value, Mapping):
            first = first.with_entry(Entry(entry.key, _united([old, entry.value])))
        elif old is None:
            first = first.with_entry(entry)
    return first


def _addresses(node: Mapping, address: str, depth: int) -> Iterator[tuple[str, Node]]:
    for entry in node:
        here = f"{address}.{entry.name}" if address else entry.name
        # Words and clauses are far more than all else, and hardly ever edited.
        if entry.name == "clauses" or here in UNPLAYED_KINDS:
            continue
        yield here, entry.value
        if depth > 1 and isinstance(entry.value, Mapping):
            yield from _addresses(entry.value, here, depth - 1)


# Steps.


def _close_steps(defs: Schema, game: _Game) -> None:
    """Let steps be those of the language and the verbs of the game."""
    kernel: Schema = defs[_KERNEL]["dependentSchemas"]
    keys = {key for verb in kernel for key in defs[_target(kernel[verb])]["properties"]}
    verbs = game.verbs
    given = {one.name for verb in verbs.values() for one in verb.parameters} | game.parameter_names()
    for name, verb in verbs.items():
        if name not in keys | given:
            kernel[name] = _verb(name, verb.parameters)
    step = defs["step"]
    step["propertyNames"] = {"enum": sorted({*keys, *given, *verbs}), **OPEN}
    step["if"] = {"type": "string"}
    step["then"] = {"enum": sorted({*verbs, *_BARE}), **OPEN}


def _target(reference: Schema) -> str:
    return str(reference["$ref"]).rsplit("/", 1)[-1]


def _verb(name: str, parameters: tuple[Parameter, ...]) -> Schema:
    main = next((parameter for parameter in parameters if parameter.main), None)
    about = f"{main.name}: {main.type}" if main is not None else "Nothing follows it."
    properties: Schema = {name: {"description": about, "type": ["string", "integer", "boolean", "null"]}}
    for parameter in parameters:
        if not parameter.main:
            properties[parameter.name] = {"description": str(parameter.type), "type": ["string", "integer", "boolean"]}
    return {
        "title": f"The verb `{name}`",
        "properties": properties | _meta(),
        "additionalProperties": False,
    }


def _meta() -> Schema:
    return {name: {"$ref": f"#/$defs/common/$defs/{name}"} for name in _META}


# Names.


def _close_names(parts: dict[str, Schema], game: _Game) -> None:
    """Let decisions, events, values and options be only those there are."""
    steps, effects, decisions = (parts[name]["$defs"] for name in ("steps", "effects", "decisions"))
    questions, events = game.ids("decision"), game.ids("event")
    steps["choose"] |= {
        "if": {"required": ["options"]},
        "else": {"properties": {"choose": {"enum": questions, **OPEN}}},
    }
    told = [game.about("event", name) for name in events]
    _only(steps["happen"], "happen", events, told)
    _only(effects["upon"], "upon", events, told)
    values = sorted(game.values)
    _only(effects["modify"], "modify", values, [game.about("value", name) for name in values])
    positions = game.ids("position")
    if positions:
        # A scenario may also build on a position of its own document.
        built_on = parts["statements"]["$defs"]["built_on"]
        del built_on["type"]
        built_on["anyOf"] = [{"enum": positions}, {"type": "string"}]
    for part in (decisions["used_option"], effects["used_offer"]):
        _only(part, "use", game.ids("option"), [game.about("option", name) for name in game.ids("option")])


def _only(schema: Schema, key: str, names: list[str], about: list[str]) -> None:
    """Let a key have only some values; editors show what is said about each."""
    told = {name: schema["properties"][key][name] for name in ("title", "description")}
    schema["properties"][key] = {**told, "enum": names, "enumDescriptions": about, **OPEN}


# Kinds.


def _close_kinds(parts: dict[str, Schema], game: _Game) -> None:
    """Let members have only the attributes and hooks of their kind, and let there be no other kinds."""
    defs = parts["components"]["$defs"]
    for kind in game.kinds:
        defs[f"member of {kind}"] = _member(game, kind, defs["member"])
        parts["rules"]["properties"][kind] = _members(game, kind)
    parts["rules"]["additionalProperties"] = False


def _members(game: _Game, kind: str) -> Schema:
    member = {"$ref": f"#/$defs/components/$defs/member of {kind}"}
    return {
        "title": f"Members of {kind}",
        "type": "object",
        "properties": {
            "clauses": {"$ref": "#/$defs/common/$defs/shared_clauses"},
            "columns": _columns(_all_facts(game, kind)),
            **dict.fromkeys(game.ids(kind), member),
        },
        "additionalProperties": member,
    }


def _columns(facts: Schema) -> Schema:
    told = "What the cells of members that are written as rows mean."
    return {"description": told, "type": "array", "items": {"anyOf": [{"enum": sorted(facts)}, _NAME]}}


def _member(game: _Game, kind: str, shipped: Schema) -> Schema:
    facts = _all_facts(game, kind)
    own = shipped["properties"]
    row = {"type": shipped["type"], "properties": facts | _meta(), "additionalProperties": False, **OPEN}
    rows = {"type": "object", "additionalProperties": row}
    return {
        "title": f"A member of {kind}",
        "type": shipped["type"],
        "properties": {**own, "columns": _columns(facts), **facts, "each": rows},
        "additionalProperties": False,
        **OPEN,
    }


def _all_facts(game: _Game, kind: str) -> Schema:
    """Return the attributes and hooks of a kind and of the wider one as properties."""
    facts: Schema = {}
    for name in (kind, _wider(game, kind)):
        facts |= _facts(game, name) if name is not None else {}
    return facts


def _wider(game: _Game, kind: str) -> str | None:
    node = at(game.kinds.get(kind), "is_a")
    return node.text if isinstance(node, Scalar) else None


def _facts(game: _Game, kind: str) -> Schema:
    """Return the attributes and hooks of a kind as properties."""
    attributes, hooks = at(game.kinds.get(kind), "attributes"), at(game.kinds.get(kind), "hooks")
    found: Schema = {}
    for entry in attributes if isinstance(attributes, Mapping) else ():
        found[entry.name] = _attribute(game, f"{kind}.{entry.name}")
    for entry in hooks if isinstance(hooks, Mapping) else ():
        found[entry.name] = _hook(entry.value)
    return found


def _attribute(game: _Game, name: str) -> Schema:
    attribute = game.attributes.get(name)
    if attribute is None or attribute.per:
        return {}
    told = {"description": f"An attribute: {attribute.type}"}
    ids = game.ids(str(attribute.type))
    if ids:
        return {**told, "anyOf": [{"enum": ids}, {"type": "string"}]}
    return {**told, "type": ["string", "integer", "boolean"]}


def _hook(body: Node) -> Schema:
    if at(body, "effects") is not None:
        return {"$ref": "#/$defs/effects/$defs/effects"}
    if at(body, "adds_to") is not None or at(body, "is") is not None:
        return {"$ref": "#/$defs/common/$defs/expression"}
    return {"$ref": "#/$defs/steps/$defs/steps"}


# Edits.


def _close_edits(variant: Schema, game: _Game) -> None:
    """Let edits begin with what there is; addresses are listed, so that an editor completes them."""
    first = sorted(FIXED_KINDS | set(game.kinds))
    begins = f"^(?:{'|'.join(first)})(?:\\.|$)"
    listed = dict(game.addresses())
    defs = variant["$defs"]
    anything = {"$ref": "#/$defs/variant/$defs/anything"}
    defs["add"]["propertyNames"] = {"pattern": begins, **OPEN}
    defs["add"]["properties"] = {kind: _members(game, kind) for kind in game.kinds}
    defs["change"]["propertyNames"] = {"pattern": begins}
    defs["change"]["properties"] = {address: {**anything, **_now(node)} for address, node in listed.items()}
    defs["remove"]["items"] = {"anyOf": [{"enum": list(listed)}, {"type": "string", "pattern": begins}]}
    places = [("insertion", "before"), ("insertion", "after")]
    places += [("step_move", key) for key in ("step", "before", "after")]
    for edit, key in places:
        place = defs[edit]["properties"][key]
        told = {name: place[name] for name in ("title", "description")}
        place.clear()
        place.update(told, anyOf=[{"enum": game.named_steps()}, {"type": "string", "pattern": begins}])


def _now(node: Node) -> Schema:
    return {"description": f"Now: {node.text}"} if isinstance(node, Scalar) else {}
