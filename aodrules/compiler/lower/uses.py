"""How often options that ask again were chosen in one `choose`: the names under which a plan counts it."""

from __future__ import annotations

from aodrules.check.checked import Option

CLOSED = -1
"""What stands for the count of an option that may not be chosen any more."""


def uses_of(option: Option) -> str:
    """Return the name under which the uses of an option are counted."""
    return f"uses of {option.address}"


def ending_after(option: Option) -> str:
    """Return the name of what says whether an option leaves an answer that ends the decision."""
    return f"ending after {option.address}"
