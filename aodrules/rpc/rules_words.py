"""Rules by the word that a program asks for; those asked for last are kept."""

from __future__ import annotations

from collections import OrderedDict

from attrs import define, field

from aodrules.compose.library import is_path, is_shipped_name, parse_rules_word
from aodrules.rpc.problems import refused
from aodrules.rulebook import Rules, load
from aodrules.source.wording import quote

_MOST_KEPT = 32
_LONGEST = 4096


@define(eq=False)
class RulesByWord:
    """Loads rules. Files and folders of this machine only where that is allowed."""

    allow_paths: bool
    _kept: OrderedDict[str, Rules] = field(factory=OrderedDict, init=False)

    def load(self, word: str) -> Rules:
        """Return the rules that a word asks for.

        Raises:
            RulesError: They cannot be loaded.
            RpcProblemError: The word names a file or folder, and that is not allowed.
        """
        if word in self._kept:
            self._kept.move_to_end(word)
            return self._kept[word]
        rules = self._load(word)
        if not self.allow_paths:  # a file may change
            self._kept[word] = rules
        if len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)
        return rules

    def _load(self, word: str) -> Rules:
        asked = parse_rules_word(word)
        if len(word) > _LONGEST or (not self.allow_paths and self._names_files(asked.base, asked.variants)):
            help_ = "`catalogue.list` says what ships; `aodrules serve --allow-paths` allows files and folders"
            raise refused("unknown-name", f"no rules {quote(word)} ship with the package", help=help_)
        return load(asked.base, asked.variants)

    def _names_files(self, base: str, variants: tuple[str, ...]) -> bool:
        return not is_shipped_name(base) or any(map(is_path, variants))
