"""Check the shape of a tree against a schema, and tell each mistake once, at its place, in the words of authors."""

from __future__ import annotations

from aodrules.source.diagnostics import Diagnostic, Report
from aodrules.source.spans import Span
from aodrules.source.wording import nearest, quote, quotes
from aodrules.syntax import problems
from aodrules.syntax.documents import EFFECTS
from aodrules.syntax.scalars import shown
from aodrules.syntax.tree import Mapping, Path, Scalar, at
from aodrules.syntax.validation import SchemaError, validator

# Far more than are shown; a hostile document could hold very many.
_MOST_ERRORS = 1000
_MISSING = frozenset({"required", "missing"})


def check_shape(root: Mapping, schema: str, report: Report) -> None:
    """Check a tree against a shipped schema (`rules`, `variant` or `ruleset`) and report what does not fit."""
    errors = validator(schema)(root.plain())
    found = [_Mistake(error, root) for error in errors[:_MOST_ERRORS]]
    unknown = {mistake.path[:-1] for mistake in found if mistake.keyword == "additionalProperties"}
    lacking = {mistake.path: mistake.asked for mistake in found if mistake.keyword in _MISSING}
    causes = {mistake.path[:-1]: mistake for mistake in reversed(found) if mistake.is_empty or mistake.is_bare_effect}
    for mistake in found:
        # A key that is missing where another is unknown is most likely that one, misnamed: one mistake, one message.
        if mistake.keyword in _MISSING and mistake.path in unknown:
            continue
        # What stands beside a key without a value, or beside one of an effect, most likely belongs under it.
        cause = causes.get(mistake.path[:-1])
        if cause is None or cause is mistake or not mistake.is_plain:
            report.add(mistake.diagnostic(lacking))


class _Mistake:
    """One thing the validator found, and the node it found it at."""

    def __init__(self, error: SchemaError, root: Mapping) -> None:
        self.keyword = error.keyword
        self.asked = error.asked
        self.path = tuple(reversed(error.steps))
        self.parent = at(root, *self.path[:-1]) if self.path else None
        node = at(root, *self.path)
        assert node is not None  # The validator was there.
        self.node = node
        self._schema = error.schema
        self._tag = error.tag

    @property
    def is_empty(self) -> bool:
        """Whether nothing stands under a key."""
        return isinstance(self.node, Scalar) and self.node.is_empty and isinstance(self.parent, Mapping)

    @property
    def is_plain(self) -> bool:
        """Whether a word or number stands where something with parts belongs."""
        return isinstance(self.node, Scalar) and self.keyword == "type"

    @property
    def is_bare_effect(self) -> bool:
        """Whether what an effect begins with stands where its id belongs."""
        return self.is_plain and self.path[-1] in EFFECTS and self._expected() == "an effect"

    def diagnostic(self, lacking: dict[Path, list[str]]) -> Diagnostic:
        """Return the problem in the words of authors; `lacking` says which keys are missing where."""
        match self.keyword:
            case "additionalProperties":
                return self._unknown_key(lacking.get(self.path[:-1], []))
            case "required":
                return problems.missing_key(self._group_span(), self._place(), self.asked)
            case "missing":
                return self._missing_tag()
            case "conflict":
                first, second = (self._group().key(name) for name in self.asked)
                return problems.conflicting_keys(first, second, self._place())
            case "propertyNames":
                return problems.malformed_name(self._key(), self._rule(), self._schema.get("pattern"))
            case "pattern" if isinstance(self.node, Scalar) and "name" in self._expected():
                return problems.malformed_name(self.node, self._rule(), self._schema["pattern"])
        return self._wrong_shape()

    def _unknown_key(self, lacking: list[str]) -> Diagnostic:
        known = [name for name in self._schema["properties"] if name not in self._holder()]
        return problems.unknown_key(self._key(), self._place(), known, lacking)

    def _missing_tag(self) -> Diagnostic:
        """Return the problem of a group without any of the keys that say what it is; one may be misspelt."""
        for entry in self._group():
            if nearest(entry.name, self.asked):
                return problems.unknown_key(entry.key, self._place(), self.asked)
        return problems.missing_key(self._group_span(), self._place(), self.asked)

    def _wrong_shape(self) -> Diagnostic:
        words = [shown(word) for word in self.asked] if self.keyword == "enum" else []
        expected = quotes(words, "or") if words else self._expected()
        if self.is_empty:
            return problems.missing_value(self._key(), self.node.span, expected, self._example())
        types = self.asked if self.keyword == "type" else ()
        wants_list = types == "array" or (isinstance(self.node, Scalar) and "array" in types)
        is_flag = types == "boolean"
        return problems.wrong_shape(
            self._node_span(), expected, self.node, words, self._example(), wants_list=wants_list, is_flag=is_flag
        )

    # Words.

    def _expected(self) -> str:
        return _in_a_sentence(self._schema.get("title", "something else"))

    def _example(self) -> str | None:
        if self.is_bare_effect:
            return f"put an id of its own before it: `{{an_id: {{{self.path[-1]}: ...}}}}`"
        found = self._schema.get("examples")
        return f"write it like {quote(shown(found[0]))}" if isinstance(found, list) else None

    def _rule(self) -> str:
        return _in_a_sentence(self._schema["description"]).rstrip(".")

    def _place(self) -> str:
        """Return what to call the group of keys that is spoken of: its verb or other tag, or what it is."""
        if "x-called" in self._schema:
            return str(self._schema["x-called"])
        if self._tag is not None:
            return quote(self._tag)
        path = self.path[:-1] if self.keyword == "additionalProperties" else self.path
        return self._expected() if path else "this document"

    # Places.

    def _holder(self) -> Mapping:
        assert isinstance(self.parent, Mapping)  # Only the keys of a mapping can be unknown or malformed.
        return self.parent

    def _key(self) -> Scalar:
        return self._holder().key(str(self.path[-1]))

    def _group(self) -> Mapping:
        assert isinstance(self.node, Mapping)  # Only a mapping can lack a key.
        return self.node

    def _group_span(self) -> Span:
        """Return the smallest span that stands for a group: its tag, the key it stands under, or its first key."""
        group = self._group()
        if self._tag is not None and self._tag in group:
            return group.key(self._tag).span
        if isinstance(self.parent, Mapping):
            return self._key().span
        return next((entry.key.span for entry in group), group.span)

    def _node_span(self) -> Span:
        if isinstance(self.node, Mapping) and self.node.entries:
            return next(iter(self.node)).key.span
        return self.node.span


def _in_a_sentence(title: str) -> str:
    return title[:1].lower() + title[1:]
