"""What makes one JSON value of another, as a JSON Patch (RFC 6902)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

JsonPatch = list[dict[str, Any]]


def json_patch(old: Any, new: Any) -> JsonPatch:
    """Return the steps that make one value of another. A list that only grew is grown, any other is replaced.

    Examples:
        >>> json_patch({"a": 1, "b": [1]}, {"b": [1, 2]})
        [{'op': 'remove', 'path': '/a'}, {'op': 'add', 'path': '/b/-', 'value': 2}]
    """
    return list(_steps(old, new, ""))


def _steps(old: Any, new: Any, path: str) -> Iterator[dict[str, Any]]:
    if isinstance(old, dict) and isinstance(new, dict):
        yield from ({"op": "remove", "path": _inside(path, name)} for name in old if name not in new)
        for name, part in new.items():
            if name in old:
                yield from _steps(old[name], part, _inside(path, name))
            else:
                yield {"op": "add", "path": _inside(path, name), "value": part}
    elif _is_longer(old, new):
        yield from ({"op": "add", "path": f"{path}/-", "value": part} for part in new[len(old) :])
    elif type(old) is not type(new) or old != new:
        yield {"op": "replace", "path": path, "value": new}


def _is_longer(old: Any, new: Any) -> bool:
    return isinstance(old, list) and isinstance(new, list) and 0 < len(old) < len(new) and new[: len(old)] == old


def _inside(path: str, name: str) -> str:
    return f"{path}/{name.replace('~', '~0').replace('/', '~1')}"
