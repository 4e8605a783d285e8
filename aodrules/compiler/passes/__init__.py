"""Passes over plans: each makes a plan cheaper and changes nothing that it does."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

PASSES: Mapping[str, str] = MappingProxyType(
    {
        "inline_values": "small values are written where they are called",
        "inline_verbs": "small verbs and hooks are written where they are called",
        "keep_values": "values that are kept are worked out again only after something they read has changed",
        "unroll_loops": "loops in expressions over few known items are written out",
        "inline_moves": "simple moves are written as plain changes of cells",
        "plain_draws": "draws of pieces without owners use the short way of the runtime",
        "narrow_domains": "only values that could be legal are tried for a parameter",
        "legality_keys": "codes are looked up by a key with a bit for each condition",
        "memoize_keys": "the bits of a key that depend on one bag are remembered for what it holds",
        "merge_bag_tests": "options that need something of the same bag are listed under one test of it",
        "guard_listings": "the codes of an optional decision are listed only if one of them can be legal",
        "loop_guards": "a loop over players begins only if it does anything for one of them",
        "redundant_checks": "what made an answer legal is not tested again by its steps",
        "remember_folds": "what is gathered over one place alone is remembered by what lies in it",
        "known_presence": "what was found to be there is not tested again",
        "share_formulas": "what a function computes more than once is computed where it is first needed",
        "restrict_loops": "a loop over a bag runs over the members for which it does anything",
    }
)
"""Each pass by its name, in the order in which they come, with what it does."""
