"""Words for people: names and texts by address and language, each a pattern that is checked at its place."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as AnyMapping
from typing import Any

from aodrules.check import problems
from aodrules.check.checked import DecisionDef, Option, Parameter, Value
from aodrules.check.context import Context
from aodrules.compose.addresses import is_meta
from aodrules.lang.forms import CASE, COUNT, forms_of_mapping
from aodrules.lang.patterns import pattern_problems
from aodrules.source.spans import Span
from aodrules.syntax.tree import Mapping, Node, Path, Scalar

_OF_NAMES = frozenset({CASE, COUNT})
_ENGINE = {"next": frozenset({"item"})}


def read_texts(context: Context) -> dict[str, dict[str, str]]:
    """Return all names and texts: address → language → pattern."""
    return {address: {each: _pattern(node) for each, node in words.items()} for address, words in _words(context)}


def _words(context: Context) -> Iterator[tuple[str, dict[str, Node]]]:
    found: dict[str, dict[str, Node]] = {}
    for address, words in _read_names(context.root):
        found[address] = {**words, **found.get(address, {})}
    for entry in context.root.mapping("text"):
        found[entry.name] = {**found.get(entry.name, {}), **_by_language(entry.value)}
    yield from found.items()


def _read_names(root: Mapping) -> Iterator[tuple[str, dict[str, Node]]]:
    for entry in root:
        # In a layout, `name` says where a name stands.
        if entry.name not in ("text", "layout"):
            yield from _names_in(entry.value, (entry.name,), root)


def _names_in(node: Node, path: Path, root: Mapping) -> Iterator[tuple[str, dict[str, Node]]]:
    if not isinstance(node, Mapping):
        return
    address = ".".join(map(str, path))
    name = node.get("name")
    if name is not None and is_meta("name", name, path, root):  # something may bear the id `name`
        yield address, _by_language(name)
    for key in ("text", "description"):
        words = node.get(key)
        if isinstance(words, Mapping) and is_meta("text", words, path, root):
            yield f"{address}.{key}", _by_language(words)
    for entry in node:
        yield from _names_in(entry.value, (*path, entry.name), root)


def _by_language(node: Node) -> dict[str, Node]:
    if isinstance(node, Mapping):
        return {entry.name: entry.value for entry in node if isinstance(entry.value, Scalar | Mapping)}
    return {"en": node} if isinstance(node, Scalar) else {}


def _pattern(node: Node) -> str:
    """Return the pattern that a text is, or that its forms stand for."""
    return forms_of_mapping(_forms(node)) if isinstance(node, Mapping) and len(node) else _text(node)


def _forms(node: Mapping) -> dict[str, Any]:
    return {each.name: _forms(each.value) if isinstance(each.value, Mapping) else _text(each.value) for each in node}


def _text(node: Node) -> str:
    return node.text.strip() if isinstance(node, Scalar) else ""


# What is wrong with them.


def check_texts(
    context: Context, decisions: AnyMapping[str, DecisionDef], values: AnyMapping[str, Value], *, parameters: bool
) -> None:
    """Report patterns that cannot be read, and those that name what nobody gives them, as far as that can be known.

    A text at an address that is not there may be for another edition, and so is only read.
    """
    known = _known_parameters(context, decisions, values) if parameters else {}
    for address, words in _words(context):
        names = known.get(address, _OF_NAMES if parameters and _is_name(context, address) else None)
        for node in words.values():
            for leaf in _leaves(node):
                _check_pattern(context, leaf, names)


def _is_name(context: Context, address: str) -> bool:
    """Whether nothing but a name stands at an address, which a sentence may ask forms of."""
    first, *rest = address.split(".")
    members = {each for (_, each) in context.member_kinds} if first in context.kinds else set()
    return first in ("state", "kinds", "player", "game") or (len(rest) == 1 and rest[0] in members)


def _leaves(node: Node) -> Iterator[Scalar]:
    if isinstance(node, Scalar):
        yield node
    for entry in node if isinstance(node, Mapping) else ():
        yield from _leaves(entry.value)


def _check_pattern(context: Context, scalar: Scalar, known: frozenset[str] | None) -> None:
    shift = len(scalar.text) - len(scalar.text.lstrip())
    for problem in pattern_problems(scalar.text.strip(), known):
        at = _span(scalar, problem.start + shift, problem.end + shift)
        if problem.name is None:
            context.add(problems.malformed_text(problem.message, at, problem.help))
        else:
            help_ = None if known - _OF_NAMES else "nothing is filled in here"  # type: ignore[operator] # it was known
            context.add(problems.unknown_name(problem.name, at, known or (), "parameter", help_))


def _span(scalar: Scalar, start: int, end: int) -> Span:
    """Return the place of a part of a text; in a text over several lines, of a part of one of them."""
    if not scalar.block:
        shift = 1 if scalar.quoted else 0
        return scalar.span.within(start + shift, end + shift)
    above, line = scalar.text[:start].count("\n"), scalar.span.line + 1
    first = scalar.span.source.line(line)
    written = scalar.text.split("\n")[above]
    indent = len(first) - len(scalar.text.split("\n")[0])
    at = indent + start - (scalar.text.rfind("\n", 0, start) + 1)
    if indent < 0 or scalar.span.source.line(line + above)[indent:] != written:
        return scalar.span  # folded: its lines are not those of the text
    return Span(scalar.span.source, line + above, at + 1, line + above, at + 1 + max(end - start, 1))


def _known_parameters(
    context: Context, decisions: AnyMapping[str, DecisionDef], values: AnyMapping[str, Value]
) -> dict[str, frozenset[str]]:
    """Return what may stand in braces in the text at an address; at all others there are names."""
    found: dict[str, frozenset[str]] = dict(_ENGINE)
    options = [option for decision in decisions.values() for option in decision.options]
    for decision in decisions.values():
        found[decision.address] = _names(decision.parameters)
    for option in (*options, *context.shared.values()):
        given = _names(option.parameters)
        found[option.address] = found.get(option.address, given) | given
        for address in _reasons(option):
            found[address] = found.get(address, given) & given
    for event in context.events.values():
        found[f"event.{event.name}"] = _names(event.parameters)
    for value in values.values():
        found |= dict.fromkeys(
            (f"value.{value.name}{end}" for end in ("", ".false", ".true")), _names(value.parameters)
        )
    return found


def _reasons(option: Option) -> Iterator[str]:
    """Iterate over the texts by which an option refuses."""
    for each in option.conditions:
        yield f"{option.address}.{each.under}.{each.id}"
        if each.otherwise:
            yield each.otherwise
    for parameter in option.parameters:
        if parameter.otherwise:
            yield parameter.otherwise


def _names(parameters: tuple[Parameter, ...]) -> frozenset[str]:
    return frozenset(parameter.name for parameter in parameters)
