"""What differs between two composed rulesets, by meaning: values, components, options, steps, each with its origin."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import cached_property
from typing import Literal

from attrs import evolve, frozen

from aodrules.compose.addresses import STEP_LISTS, UNPLAYED_KINDS, step_name
from aodrules.compose.ruleset import Ruleset
from aodrules.play.explanations import yaml_lines
from aodrules.source.spans import Span
from aodrules.syntax.documents import EFFECTS
from aodrules.syntax.tree import Mapping, Node, Scalar, Sequence

Sort = Literal["added", "removed", "changed", "moved"]
GROUPS = ("game", "components", "state", "values", "options", "steps", "words")
"""What differences are told under, in this order."""
_GROUP_OF = {
    "game": "game",
    "state": "state",
    "value": "values",
    "sets": "values",
    "decision": "options",
    "option": "options",
    "verb": "steps",
    "event": "steps",
}
"""By declaration kind; members of kinds and where they lie are components."""


@frozen(eq=False)
class VersionSide:
    """How something stands in one of the rulesets, and who put it there."""

    lines: tuple[str, ...]
    layer: str
    span: Span


@frozen(eq=False)
class Difference:
    """One thing that is not the same: what stands at an address before and after."""

    address: str
    group: str
    before: VersionSide | None
    after: VersionSide | None
    cause: VersionSide | None = None
    """For what was removed or moved: the edit that did it."""
    stands: str | None = None
    """For what was moved: where it stands now."""

    @property
    def sort(self) -> Sort:
        """Whether it was added, removed, changed or moved."""
        if self.stands is not None:
            return "moved"
        if self.before is None:
            return "added"
        return "removed" if self.after is None else "changed"


def differences(before: Ruleset, after: Ruleset, *, words: bool = False) -> list[Difference]:
    """Return what differs between two rulesets, group by group; texts and clauses only if they are asked for."""
    comparison = _RulesetComparison(before, after)
    found = [each for each in comparison.mappings((), before.root, after.root) if words or each.group != "words"]
    return sorted(found, key=lambda each: (GROUPS.index(each.group), each.address))


@frozen(eq=False, slots=False)
class _RulesetComparison:
    """Two rulesets that are being compared."""

    before: Ruleset
    after: Ruleset

    def mappings(self, parts: tuple[str, ...], one: Mapping, other: Mapping) -> Iterator[Difference]:
        """Iterate over what differs in two mappings, key by key."""
        for name in dict.fromkeys((*one.entries, *other.entries)):
            here = (*parts, name)
            if name in one and name in other:
                yield from self.nodes(here, one.entries[name].value, other.entries[name].value)
            elif name in one:
                yield from self._single(here, one.entries[name].value, None)
            else:
                yield from self._single(here, None, other.entries[name].value)

    def nodes(self, parts: tuple[str, ...], one: Node, other: Node) -> Iterator[Difference]:
        """Iterate over what differs in two nodes that stand at one address."""
        if isinstance(one, Mapping) and isinstance(other, Mapping) and not _is_whole(one, other):
            yield from self.mappings(parts, one, other)
        elif isinstance(one, Sequence) and isinstance(other, Sequence):
            yield from self._lists(parts, one, other)
        elif yaml_lines(one) != yaml_lines(other):
            yield self._difference(parts, one, other)

    def _single(self, parts: tuple[str, ...], one: Node | None, other: Node | None) -> Iterator[Difference]:
        """Iterate over the things in what only one side has: whole families are told member by member."""
        node = one if other is None else other
        assert node is not None  # one of the two is there
        if isinstance(node, Mapping) and len(node) and _is_family(parts):
            for entry in node:
                inner = entry.value
                yield from self._single((*parts, entry.name), inner if one else None, inner if other else None)
        else:
            yield self._difference(parts, one, other)

    def _lists(self, parts: tuple[str, ...], one: Sequence, other: Sequence) -> Iterator[Difference]:
        """Iterate over the items that differ; an item that stands for another is looked into."""
        left, right = (["\n".join(yaml_lines(item)) for item in items] for items in (one, other))
        moved = self._moved_items(parts, one, left, right)
        for position, text in enumerate(right):
            if text in moved:
                yield self._moved(parts, one.items[left.index(text)], other, position)
        old, new = (
            [(text, item) for text, item in zip(texts, items, strict=True) if text not in moved]
            for texts, items in ((left, one), (right, other))
        )
        for _, start, end, first, last in _differing([text for text, _ in old], [text for text, _ in new]):
            if end - start == last - first:
                for (_, was), (_, now) in zip(old[start:end], new[first:last], strict=True):
                    yield from self._items(parts, was, now)
            else:
                yield from (self._difference(_step(parts, item), item, None) for _, item in old[start:end])
                yield from (self._difference(_step(parts, item), None, item) for _, item in new[first:last])

    def _moved_items(self, parts: tuple[str, ...], one: Sequence, left: list[str], right: list[str]) -> set[str]:
        """Return the texts of items that stand elsewhere in the other list; of two the one that an edit moves."""
        both = {text for text in left if left.count(text) == right.count(text) == 1}
        items = [(text, ".".join(_step(parts, item))) for text, item in zip(left, one, strict=True)]
        said = {text for text, address in items if text in both and address in self._moved_addresses}
        left, right = ([text for text in texts if text not in said] for texts in (left, right))
        codes = _differing(left, right)
        return said | both & {text for _, start, end, _, _ in codes for text in left[start:end]}

    @cached_property
    def _moved_addresses(self) -> set[str]:
        """The steps that edits move in one of the two only."""
        moves = [
            {(entry.address, str(entry.span)) for entry in ruleset.origins if entry.action == "move"}
            for ruleset in (self.before, self.after)
        ]
        return {address for address, _ in moves[0] ^ moves[1]}

    def _moved(self, parts: tuple[str, ...], was: Node, now: Sequence, position: int) -> Difference:
        """Return the difference for an item that stands elsewhere in its list."""
        behind = now.items[position - 1] if position else None
        name = None if behind is None else step_name(behind)
        stands = "first" if behind is None else f"after {yaml_lines(behind)[0] if name is None else name.text}"
        here = self._difference(_step(parts, was), was, now.items[position])
        return evolve(here, stands=stands, cause=self._cause(here.address))

    def _items(self, parts: tuple[str, ...], was: Node, now: Node) -> Iterator[Difference]:
        if isinstance(was, Mapping) and isinstance(now, Mapping) and tuple(was.entries) == tuple(now.entries):
            yield from self.mappings(_step(parts, was), was, now)
        else:
            yield self._difference(_step(parts, was), was, now)

    def _difference(self, parts: tuple[str, ...], one: Node | None, other: Node | None) -> Difference:
        address = ".".join(parts)
        before = None if one is None else _side(self.before, one)
        after = None if other is None else _side(self.after, other)
        cause = self._cause(address) if other is None else self._cause(address, ("move",)) if one is None else None
        return Difference(address, _group(parts, other or one), before, after, cause)

    def _cause(self, address: str, actions: tuple[str, ...] = ("remove", "change", "move")) -> VersionSide | None:
        """Return the edit that took out, put or moved what stands at an address."""
        known = {str(entry.span) for entry in self.before.origins}
        for entry in reversed(self.after.origin(address)):
            if entry.action in actions and str(entry.span) not in known:
                return VersionSide((entry.action,), f"{entry.kind} {entry.layer}", entry.span)
        return None


def _differing(left: list[str], right: list[str]) -> list[tuple[str, int, int, int, int]]:
    """Return the parts of two lists that differ, as `difflib` tells them."""
    codes = SequenceMatcher(None, left, right, autojunk=False).get_opcodes()
    return [code for code in codes if code[0] != "equal"]


def _side(ruleset: Ruleset, node: Node) -> VersionSide:
    name = ruleset.layer_of(node.span)
    kinds = {entry.layer: entry.kind for entry in ruleset.origins}
    return VersionSide(tuple(yaml_lines(node)), f"{kinds.get(name, 'game')} {name}", node.span)


def _is_family(parts: tuple[str, ...]) -> bool:
    """Whether members or declarations stand directly under an address."""
    return len(parts) == 1 or (parts[0] == "effects" and len(parts) == 2)


def _is_whole(one: Mapping, other: Mapping) -> bool:
    """Whether two bodies have nothing in common, so that one replaces the other."""
    return bool(len(one) and len(other)) and not set(one.entries) & set(other.entries)


def _step(parts: tuple[str, ...], item: Node) -> tuple[str, ...]:
    """Return the address of an item of a list: named steps stand right under what holds them."""
    name = step_name(item)
    if name is None:
        return parts
    cut = parts[:-1] if parts[-1] in STEP_LISTS else parts
    return (*cut, name.text)


def _group(parts: tuple[str, ...], node: Node | None) -> str:
    """Return what a difference is told under: effects where they take effect."""
    if parts[0] in UNPLAYED_KINDS or parts[-1] in ("name", "text", "clauses"):
        return "words"
    if parts[0] == "effects":
        return _effect_group(node) or "steps"
    return _GROUP_OF.get(parts[0], "components")


def _effect_group(node: Node | None) -> str | None:
    if not isinstance(node, Mapping):
        return None
    return next((group for key, group in EFFECTS.items() if isinstance(node.get(key), Scalar | Mapping)), None)


def format_differences(found: list[Difference]) -> str:
    """Return differences as text: `+` was added, `-` was removed, `~` is another now, `>` was moved."""
    lines: list[str] = []
    for group in GROUPS:
        here = [each for each in found if each.group == group]
        if here:
            lines += [f"{group}:", *(line for each in here for line in _format_difference(each))]
    return "\n".join(lines) + "\n" if lines else ""


def _format_difference(each: Difference) -> Iterator[str]:
    if each.stands is not None:
        by = each.cause or each.after
        assert by is not None  # what was moved is there
        yield f"  > {each.address}: moved, now {each.stands}"
        yield f"      by {by.layer} --> {by.span}"
        return
    if each.before is not None and each.after is not None:
        if len(each.before.lines) == len(each.after.lines) == 1:
            yield f"  ~ {each.address}: {each.before.lines[0]} → {each.after.lines[0]}"
        else:
            yield f"  ~ {each.address}:"
            yield from (f"      {line}" for line in _line_differences(each.before.lines, each.after.lines))
        yield f"      was {each.before.layer} --> {each.before.span}"
        yield f"      now {each.after.layer} --> {each.after.span}"
        return
    side, sign = (each.after, "+") if each.before is None else (each.before, "-")
    assert side is not None  # one of the two is there
    yield from _format_body(sign, each.address, side.lines)
    by = each.cause or side
    yield f"      by {by.layer} --> {by.span}"


def _format_body(sign: str, address: str, lines: tuple[str, ...]) -> Iterator[str]:
    if len(lines) == 1:
        yield f"  {sign} {address}: {lines[0]}".rstrip()
        return
    yield f"  {sign} {address}:"
    yield from (f"      {line}" for line in lines)


def _line_differences(before: tuple[str, ...], after: tuple[str, ...]) -> Iterator[str]:
    for action, start, end, first, last in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if action == "equal":
            yield from (f"  {line}" for line in before[start:end])
        else:
            yield from (f"- {line}" for line in before[start:end])
            yield from (f"+ {line}" for line in after[first:last])


def plain_differences(found: list[Difference]) -> list[dict[str, object]]:
    """Return differences as plain data, for JSON."""
    return [
        {
            "address": each.address,
            "group": each.group,
            "sort": each.sort,
            **({} if each.stands is None else {"stands": each.stands}),
            **{name: _plain(side) for name, side in _sides(each) if side is not None},
        }
        for each in found
    ]


def _sides(each: Difference) -> tuple[tuple[str, VersionSide | None], ...]:
    return ("before", each.before), ("after", each.after), ("cause", each.cause)


def _plain(side: VersionSide) -> dict[str, object]:
    text, span = "\n".join(side.lines), side.span
    return {"text": text, "layer": side.layer, "path": span.path, "line": span.line, "column": span.column}
