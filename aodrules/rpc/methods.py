"""The table of all methods."""

from __future__ import annotations

from functools import cache
from typing import Any

from aodrules.rpc import game_methods, looking_methods, rules_methods, table_methods
from aodrules.rpc.method import Method, MethodCall
from aodrules.rpc.openrpc import describe
from aodrules.rpc.parameters import NoParameters
from aodrules.rpc.results import PlainData


@cache
def methods() -> dict[str, Method]:
    """Return all methods by name."""
    found = (
        Method("rpc.discover", _discover, NoParameters, dict[str, Any], _discover.__doc__ or ""),
        *rules_methods.METHODS,
        *table_methods.METHODS,
        *looking_methods.METHODS,
        *game_methods.METHODS,
    )
    return {each.name: each for each in found}


def _discover(_call: MethodCall, _given: NoParameters) -> PlainData:
    """Return a description of all methods, with schemas of their parameters and results: a document of OpenRPC."""
    return PlainData(description())


@cache
def description() -> dict[str, Any]:
    """Return the document of OpenRPC that describes all methods."""
    return describe(list(methods().values()))
