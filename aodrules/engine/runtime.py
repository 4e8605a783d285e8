"""The pure functions both engines stand on; generated code may use only the names listed here."""

from __future__ import annotations

from aodrules.engine.chance import generator_of, member_at, roll, shuffled
from aodrules.engine.sets_worth import SetsWorth
from aodrules.engine.spaces import Space, bits, mask_of

__all__ = ["SetsWorth", "Space", "bits", "generator_of", "mask_of", "member_at", "roll", "shuffled"]
