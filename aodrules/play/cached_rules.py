"""The parts of some rules, each read from the cache or made when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from aodrules.cache.store import Store, from_bytes, to_bytes
from aodrules.play.rules_summary import RulesSummary

if TYPE_CHECKING:
    from aodrules.check.checked import CheckedRules
    from aodrules.compose.ruleset import Ruleset
    from aodrules.play.loaded import Loaded
    from aodrules.source.diagnostics import Diagnostic

# What the cache keeps of a ruleset; the generated code beside it.
_RULES, _TEXT = "rules", "text"


class CachedRules:
    """The parts of some rules.

    The entry with the checked rules is read when the rules are loaded, so that nothing that happens to the cache later
    can change them. It becomes values when they are needed.
    """

    def __init__(self, store: Store | None, make: Callable[[], Loaded]) -> None:
        self._store = store
        self._make = make
        entry = None if store is None else store.read_plain(_RULES)
        self._entry: bytes | None = None
        if entry is None:
            self.cover, self._has_warnings = self._begin()
        else:
            cover, self._has_warnings, self._entry = entry
            self.cover = RulesSummary(*cover)

    def _begin(self) -> tuple[RulesSummary, bool]:
        """Make everything and keep it in the cache."""
        from aodrules.play.loaded import cover_of

        self._made = found = self._make()
        cover, has_warnings = cover_of(found.ruleset, found.checked), bool(found.warnings)
        entry = None if self._store is None else to_bytes((found.checked, found.warnings))
        if self._store is not None and entry is not None:
            self._store.write_plain(_RULES, (tuple(cover), has_warnings, entry))
            self._store.write(_TEXT, found.ruleset)
        return cover, has_warnings

    @cached_property
    def _made(self) -> Loaded:
        """Everything, made anew: an entry that was there is there no more, or is damaged."""
        from aodrules.errors import AodrulesError

        found = self._make()
        if found.checked.fingerprint != self.cover.fingerprint:
            raise AodrulesError("the documents are not those that the rules were loaded from; load the rules again")
        return found

    @cached_property
    def _checked(self) -> tuple[CheckedRules, tuple[Diagnostic, ...]]:
        found = None if self._entry is None else from_bytes(self._entry)
        self._entry = None
        return found if isinstance(found, tuple) else (self._made.checked, self._made.warnings)

    @property
    def checked(self) -> CheckedRules:
        """The checked rules."""
        return self._checked[0]

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """Problems that did not stop the rules from loading."""
        return self._checked[1] if self._has_warnings else ()

    @cached_property
    def ruleset(self) -> Ruleset:
        """The composed ruleset."""
        from aodrules.compose.ruleset import Ruleset

        found = None if self._store is None or "_made" in vars(self) else self._store.read(_TEXT)
        return found if isinstance(found, Ruleset) else self._made.ruleset
