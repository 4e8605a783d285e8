"""What loading gives."""

from __future__ import annotations

from attrs import frozen

from aodrules.check.checked import CheckedRules
from aodrules.compose.ruleset import Ruleset
from aodrules.play.rules_summary import RulesSummary
from aodrules.source.diagnostics import Diagnostic


@frozen(eq=False)
class Loaded:
    """A ruleset, checked, and the problems that did not stop it."""

    ruleset: Ruleset
    checked: CheckedRules
    warnings: tuple[Diagnostic, ...]


def cover_of(ruleset: Ruleset, checked: CheckedRules) -> RulesSummary:
    """Return the facts that stand on the cover of some rules."""
    game = checked.game
    return RulesSummary(game.name, ruleset.edition, ruleset.variants, checked.fingerprint, game.players, game.seats)
