"""The plain documents of a game put together, in the long form: how its files are cut and abridged does not matter."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from aodrules.compose import problems
from aodrules.compose.addresses import CONDITION_LISTS, META_KEYS, NEVER_IDS, PARAMETER_LISTS, UNPLAYED_KINDS
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Source, Span
from aodrules.syntax.scalars import meaning
from aodrules.syntax.tree import Entry, Mapping, Node, Scalar, Sequence

_DEPTHS = {"game": 1, "state": 2, "text": 2}
"""How many keys lead to a declaration below its kind; one, if not said."""


def merge_documents(documents: Iterable[Mapping], report: Report) -> Mapping:
    """Return one tree of all declarations; what is declared twice is reported and the first one kept."""
    result: Mapping | None = None
    for declarations in documents:
        result = declarations if result is None else _merge(result, declarations, (), report)
    return Mapping(Span(Source("", ""), 1, 1, 1, 1)) if result is None else result


def _merge(left: Mapping, right: Mapping, path: tuple[str, ...], report: Report) -> Mapping:
    entries = dict(left.entries)
    for entry in right:
        first = entries.get(entry.name)
        entries[entry.name] = entry if first is None else _merge_entries(first, entry, (*path, entry.name), report)
    return Mapping(left.span, entries)


def _merge_entries(first: Entry, second: Entry, path: tuple[str, ...], report: Report) -> Entry:
    if path[0] == "text" and len(path) == 2:
        first, second = by_language(first), by_language(second)
    is_open = len(path) <= _DEPTHS.get(path[0], 1)
    if is_open and isinstance(first.value, Mapping) and isinstance(second.value, Mapping):
        return Entry(first.key, _merge(first.value, second.value, path, report))
    report.add(problems.duplicate_declaration(".".join(path), second.key.span, first.key.span))
    return first


def by_language(text: Entry) -> Entry:
    """Return a text with its words by language; those that name none are English."""
    if not isinstance(text.value, Scalar):
        return text
    return Entry(text.key, Mapping.of(text.value.span, [Entry.of("en", text.value)]))


def iter_declarations(root: Mapping, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Span]]:
    """Iterate over the addresses of a tree's declarations, with the places of their ids."""
    for entry in root:
        there = (*path, entry.name)
        is_open = there != ("game",) and len(there) <= _DEPTHS.get(there[0], 1)
        if is_open and isinstance(entry.value, Mapping):
            yield from iter_declarations(entry.value, there)
        else:
            yield there, entry.key.span


_WITH_DEFAULT = re.compile(r"(?P<type>[^=]*[^=\s])\s*=(?!=)\s*(?P<value>\S.*)", re.DOTALL)
_PARTS_OF_DECISIONS = frozenset({"given", "optional", "otherwise", "again", "option", *META_KEYS})


def long_form(node: Node, path: tuple[str, ...] = (), key: Scalar | None = None) -> Node:
    """Return a node that stands at a path of keys, under the last of them, with all that is in it in the long form."""
    if path and path[0] in UNPLAYED_KINDS:
        return node
    if path[-1:] == ("clauses",) and isinstance(node, Scalar):
        return Sequence(node.span, (node,))
    default = _key_of_default(path)
    if default is not None and isinstance(node, Scalar) and isinstance(node.value, str):
        return _declaration(node, default)
    if key is not None and len(path) > 1 and path[-2] in CONDITION_LISTS and not key.text.isidentifier():
        node = _refusing(node, key)
    if isinstance(node, Mapping):
        if key is not None and path[:-1] == ("decision",):
            node = _with_options(node, key)
        return long_tree(node, path)
    if isinstance(node, Sequence):
        if path and path[-1] in PARAMETER_LISTS:
            return long_tree(_named_by_types(node), path)
        return Sequence(node.span, tuple(long_form(item, (*path, "")) for item in node))
    return node


def long_tree(node: Mapping, path: tuple[str, ...] = ()) -> Mapping:
    """Return a mapping that stands at a path of keys with every declaration in it in the long form."""
    spread = spread_offers(node)
    entries = (Entry(entry.key, long_form(entry.value, (*path, entry.name), entry.key)) for entry in spread)
    return Mapping.of(node.span, entries)


def spread_offers(effects: Mapping) -> Mapping:
    """Return effects with an offer for each answer of those that offer several: what stands beside `options` is shared.

    A limit counts all answers together. An answer that bears the id of another effect is left where it is.
    """
    entries: list[Entry] = []
    for entry in effects:
        options = entry.body.get("options") if "offer" in entry.body else None
        if not isinstance(options, Mapping) or any(name in effects for name in options.entries):
            entries.append(entry)
        else:
            entries += [Entry(answer.key, _offer(entry, answer)) for answer in options]
    return Mapping.of(effects.span, entries)


def _offer(group: Entry, answer: Entry) -> Mapping:
    """Return one answer of an offer of several as an offer of its own."""
    shared = group.body.without("options")
    limit = shared.get("limit")
    if isinstance(limit, Mapping) and "shared" not in limit:
        counted = limit.with_entry(Entry.of("shared", group.key))
        shared = shared.with_entry(Entry(shared.key("limit"), counted))
    own = answer.body
    conditions = [each for each in (shared.get("where"), own.get("where")) if isinstance(each, Mapping)]
    if len(conditions) == 2:
        together = Mapping.of(own.span, [*conditions[0], *conditions[1]])
        own = own.with_entry(Entry(own.key("where"), together))
    return Mapping.of(own.span, [*(each for each in shared if each.name not in own), *own])


def _with_options(decision: Mapping, name: Scalar) -> Mapping:
    """Return a decision that is written as its only answer with that answer among `options`; any other as it is."""
    if "options" in decision or "do" not in decision:
        return decision
    named = decision.get("option")
    rest = [entry for entry in decision if entry.name in _PARTS_OF_DECISIONS and entry.name != "option"]
    answer = Mapping.of(decision.span, (entry for entry in decision if entry.name not in _PARTS_OF_DECISIONS))
    key = named if isinstance(named, Scalar) else name
    options = Mapping.of(decision.span, [Entry(key, answer)])
    return Mapping.of(decision.span, [*rest, Entry.of("options", options, key.span)])


def _refusing(node: Node, clause: Scalar) -> Node:
    """Return a condition, or a list of them, that stands under the clause or text that it refuses by."""
    if isinstance(node, Sequence):
        return Sequence(node.span, tuple(_refusing(item, clause) for item in node))
    reason = Entry.of("else", clause)
    if isinstance(node, Scalar):
        return Mapping.of(node.span, [Entry.of("is", node), reason])
    return node if "else" in node else node.with_entry(reason)


def _named_by_types(types: Sequence) -> Mapping:
    """Return the parameters that bear the names of their types."""
    return Mapping.of(types.span, (Entry(each, each) for each in types if isinstance(each, Scalar)))


def _key_of_default(path: tuple[str, ...]) -> str | None:
    """Return the key under which the long form keeps what follows `=`; nothing where no type is declared."""
    match path:
        case ("kinds", _, "hooks", _, "is"):
            return "default"
        case (*_, last) if last in NEVER_IDS:
            return None
        case ("state", _, _) | (_, _, *_, "remembers", _):
            return "start"
        case ("kinds", _, "attributes", _) | ("game", "settings", _):
            return "default"
        case (_, *_, parameters, _) if parameters in PARAMETER_LISTS and len(path) > 3:
            return "default"
    return None


def _declaration(scalar: Scalar, default: str) -> Mapping:
    found = _WITH_DEFAULT.fullmatch(scalar.text.rstrip())
    parts = {"is": scalar}
    if found is not None:
        parts = {"is": _part(scalar, *found.span("type")), default: _part(scalar, *found.span("value"))}
    return Mapping.of(scalar.span, (Entry.of(name, part) for name, part in parts.items()))


def _part(scalar: Scalar, start: int, end: int) -> Scalar:
    text = scalar.text[start:end]
    return Scalar(part_span(scalar, start, end), meaning(text), text)


def part_span(scalar: Scalar, start: int, end: int) -> Span:
    """Return the place of a part of what was written, by offsets into its text."""
    if scalar.block:
        return scalar.span
    shift = 1 if scalar.quoted else 0
    return scalar.span.within(start + shift, end + shift)
