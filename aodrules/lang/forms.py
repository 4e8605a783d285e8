"""Forms of names by case and count, and what can be wrong with a text: what both readers of texts know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

CASE, COUNT = "case", "count"
"""What a name may be a pattern over."""
FORM = "NAME"
"""The function by which a sentence asks for a form of a name."""
CATEGORIES = ("zero", "one", "two", "few", "many", "other")
"""What a count can be, as Unicode has it; each language tells some of them apart."""


@frozen
class PatternProblem:
    """Something wrong with a text: what, and where in it."""

    message: str
    start: int
    end: int
    help: str | None = None
    name: str | None = None
    """The parameter that it is about, if it is one that is not known."""


def forms_of_mapping(forms: Mapping[str, Any]) -> str:
    """Return the pattern that some forms stand for: by count if they are called after counts, else by case.

    Examples:
        >>> forms_of_mapping({"nom": "woda", "gen": "wody"})
        '{ $case -> *[nom] woda [gen] wody }'
    """
    is_count = all(key in CATEGORIES for key in forms)
    default = ("other" if "other" in forms else list(forms)[-1]) if is_count else next(iter(forms))
    parts = (
        f"{'*' if key == default else ''}[{key}] {forms_of_mapping(each) if isinstance(each, Mapping) else each}"
        for key, each in forms.items()
    )
    return f"{{ ${COUNT if is_count else CASE} -> {' '.join(parts)} }}"
