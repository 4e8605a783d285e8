"""What a caller asks for: a game or edition, and variants."""

from __future__ import annotations

from typing import NamedTuple


class RulesRequest(NamedTuple):
    """Names or paths, as they were given."""

    base: str
    variants: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "+".join((self.base, *self.variants))
