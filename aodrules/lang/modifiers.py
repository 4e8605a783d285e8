"""What effects can do to a value, in the order in which they do it."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

ModifierOperation: TypeAlias = Literal["set", "add", "times", "at_least", "at_most", "allow", "forbid"]
MODIFIER_OPERATIONS: Final[tuple[ModifierOperation, ...]] = get_args(ModifierOperation)
"""The operations in the order in which they apply, wherever in the rules their effects stand."""
