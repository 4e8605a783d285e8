"""Values of our stages as bytes, and back: whatever else the bytes name is not made."""

from __future__ import annotations

import io
import pickle
from typing import Any

# What the values of our stages are made of beside their own classes.
_OTHERS = frozenset({("collections", "Counter"), ("builtins", "frozenset"), ("builtins", "set")})


def to_pickle(value: Any) -> bytes | None:
    """Return a value as bytes; nothing if it has no such form."""
    try:
        return pickle.dumps(value, protocol=5)
    except (pickle.PicklingError, AttributeError, RecursionError, TypeError):
        return None


def from_pickle(content: bytes) -> Any:
    """Return the value that bytes stand for; nothing if they are damaged or name what is not ours."""
    try:
        return Unpickler(io.BytesIO(content)).load()
    except Exception:  # noqa: BLE001 - whatever is wrong with it, it is made anew
        return None


class Unpickler(pickle.Unpickler):
    """Makes nothing but values of our own stages."""

    def find_class(self, module: str, name: str) -> Any:
        """Return a class of ours."""
        if module.startswith("aodrules.") or (module, name) in _OTHERS:
            found = super().find_class(module, name)
            if isinstance(found, type) and found.__module__ == module:
                return found
        raise pickle.UnpicklingError(f"{module}.{name}")
