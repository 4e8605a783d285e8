"""What loading gives, and what of it is kept in the cache."""

from __future__ import annotations

from attrs import frozen

from aodrules.check.checked import CheckedRules
from aodrules.compose.ruleset import Ruleset
from aodrules.source.diagnostics import Diagnostic


@frozen(eq=False)
class Loaded:
    """A ruleset, checked, and the problems that did not stop it."""

    ruleset: Ruleset
    checked: CheckedRules
    warnings: tuple[Diagnostic, ...]


@frozen(eq=False)
class Kept:
    """What playing needs of it; the ruleset is kept apart, because few ask for it."""

    checked: CheckedRules
    warnings: tuple[Diagnostic, ...]
