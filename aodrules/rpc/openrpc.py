"""What describes the methods to programs: a document of OpenRPC, made from the table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.metadata import version
from typing import Any

from aodrules.exchange.value_schema import JsonSchema, SchemaMaker, described_parts
from aodrules.exchange.values import public_fields, to_plain
from aodrules.rpc.following import ASKED, CHANGED, CLOSED
from aodrules.rpc.method import Method
from aodrules.rpc.parameters import default_of, is_optional
from aodrules.rpc.problems import CODES, ProblemData
from aodrules.rpc.results import GameChanged, GameClosed, UndoAsked

OPENRPC = "1.3.2"
NOTIFICATIONS: Mapping[str, type] = {CHANGED: GameChanged, ASKED: UndoAsked, CLOSED: GameClosed}
"""What is told without being asked, by name."""
_HERE, _THERE = "#/$defs/", "#/components/schemas/"


def describe(methods: Iterable[Method]) -> dict[str, Any]:
    """Return the document that describes methods."""
    maker = SchemaMaker()
    listed = [_described(maker, each) for each in methods]
    told = {name: {"params": maker.of(of)} for name, of in NOTIFICATIONS.items()}
    problem = maker.of(ProblemData)
    errors = {kind: {"code": code, "message": says, "data": problem} for kind, (code, says) in CODES.items()}
    found = {
        "openrpc": OPENRPC,
        "info": {"title": "aodrules", "version": version("aodrules"), "description": "Board games by their rules."},
        "methods": listed,
        "components": {"schemas": dict(sorted(_optional(maker.defs).items())), "errors": errors},
        "x-notifications": told,
    }
    moved: dict[str, Any] = _moved(found)
    return moved


def _optional(defs: JsonSchema) -> JsonSchema:
    """Return definitions; of the data of an error, and of the step of a patch, what does not apply is left out."""
    for name, required in ((ProblemData.__name__, ["kind"]), ("PatchStep", ["op", "path"])):
        defs[name] = {**defs[name], "required": required}
    return defs


def _described(maker: SchemaMaker, method: Method) -> dict[str, Any]:
    return {
        "name": method.name,
        "summary": method.summary,
        "description": method.says,
        "paramStructure": "by-name",
        "params": parameters_of(maker, method),
        "result": {"name": "result", "schema": {"type": "null"} if method.result is None else maker.of(method.result)},
    }


def parameters_of(maker: SchemaMaker, method: Method) -> list[dict[str, Any]]:
    """Return the parameters of a method: names, descriptions, schemas, and what is meant where one is left out."""
    says = dict(described_parts(method.parameters))
    found = []
    for one in public_fields(method.parameters):
        schema, required = maker.of(one.type), not is_optional(one)
        if not required:
            schema |= {"default": to_plain(default_of(one))}
        found.append({"name": one.name, "description": says[one.name], "required": required, "schema": schema})
    return found


def _moved(found: Any) -> Any:
    """Return data with references to where OpenRPC keeps definitions."""
    if isinstance(found, dict):
        return {name: _moved(part) for name, part in found.items()}
    if isinstance(found, list):
        return [_moved(part) for part in found]
    return _THERE + found.removeprefix(_HERE) if isinstance(found, str) and found.startswith(_HERE) else found
