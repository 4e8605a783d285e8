"""The way of a node from its YAML to the Python that runs it, and the pages about diagnostics."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

from attrs import evolve, frozen

from aodrules.check.analyse.calls import handed_over
from aodrules.check.checked import CheckedRules
from aodrules.check.steps import Argument, Call, Choose, FieldPlace, Happen, ParameterPlace, RunHook
from aodrules.check.visit import all_bodies, walk_steps
from aodrules.compiler.codegen.module import generate
from aodrules.compiler.lower.from_checked import plan
from aodrules.compiler.nodes import CallBlock, Exit, Function, Statement
from aodrules.compiler.plan import Plan
from aodrules.compiler.readable import BlockLabel, legend_of
from aodrules.compiler.source_listing import constant_lines, excerpt, format_listing, lines_of
from aodrules.compiler.visit import PARTS, SAID, children, transform
from aodrules.compose.addresses import MissingAddress, TreePlace, named_steps, resolve
from aodrules.compose.ruleset import OriginEntry
from aodrules.lang.expressions import Const, Local
from aodrules.play.rules_context import RulesContext
from aodrules.play.scores import words_at
from aodrules.source.shipped import shipped
from aodrules.source.spans import Span
from aodrules.source.wording import count
from aodrules.syntax.tree import Entry, Mapping, Node, Scalar, Sequence, walk

_MOST_LINES = 80
_DECLARING = {"declare", "add", "change"}
_STATEMENTS = {*get_args(Statement), *get_args(Exit), Function}
"""The nodes of a plan that become statements."""


def format_python(context: RulesContext, players: int, *, log: bool = True, raw: bool = False) -> str:
    """Return the Python of a ruleset for so many players, with the places in the YAML beside it.

    It is in the words of the rules: fields, members and variables by name. Raw it is the Python that runs.
    """
    planned = plan(context.checked, players)
    generated = generate(planned, log=log)
    if raw:
        return format_listing(generated)
    return format_listing(generated, legend_of(context.checked, planned, generated, _block_labels(context, planned)))


def error_page(code: str) -> str | None:
    """Return the page about a diagnostic."""
    path = shipped("errors") / f"{code}.md"
    return path.read_text(encoding="utf-8") if code in error_pages() else None


def error_pages() -> list[str]:
    """Return the codes of all diagnostics that have a page."""
    return sorted(path.stem for path in shipped("errors").glob("*.md") if path.stem != "index")


def explain_address(context: RulesContext, address: str, players: int, *, raw: bool = False) -> str | None:
    """Return the way of a node as text; of one that was taken out, who did it; nothing if there never was one."""
    place = resolve(context.ruleset.root, address)
    if isinstance(place, MissingAddress):
        default = _default_of(context, place)
        return _removed_lines(context, address) or (default and explain_address(context, default, players, raw=raw))
    where = _WrittenLines.of(place)
    planned = plan(context.checked, players)
    parts = [
        ("written", _written_lines(context, address)),
        ("clauses", [f"  {clause}" for clause in context.clauses_at(address)]),
        ("supplied by the kind", _supplied_lines(context, place)),
        ("composed", [f"  {place.address}:", *(f"    {line}" for line in yaml_lines(place.node))]),
        ("calls, with everything that is filled in", _call_lines(context.checked, where)),
        ("modified by", _modifier_lines(context, address)),
        (f"planned for {count(players, 'player')}", _cut_long(_plan_lines(planned, where)) if raw else []),
        (f"Python for {count(players, 'player')}", _python_lines(context, planned, where, raw=raw)),
    ]
    return "\n\n".join("\n".join([f"{title}:", *lines]) for title, lines in parts if lines)


def _removed_lines(context: RulesContext, address: str) -> str | None:
    """Return every layer's hand in a node that is no more."""
    origins = [entry for entry in context.ruleset.origin(address) if f"{address}.".startswith(f"{entry.address}.")]
    last = next((entry.action for entry in reversed(origins) if entry.action in ("remove", "move")), None)
    if last is None:
        return None
    title = "written, and taken out again:" if last == "remove" else "written, and moved away:"
    return "\n".join([title, *(line for entry in origins for line in _format_entry(entry))])


@frozen(eq=False)
class _WrittenLines:
    """The lines of the files that a node and all inside it were written on."""

    lines: frozenset[tuple[str, int]]

    @classmethod
    def of(cls, place: TreePlace) -> _WrittenLines:
        spans = [place.span, *(node.span for node in walk(place.node))]
        return cls(frozenset((span.path, line) for span in spans for line in range(span.line, span.end_line + 1)))

    def touch(self, span: Span) -> bool:
        return (span.path, span.line) in self.lines


def _written_lines(context: RulesContext, address: str) -> list[str]:
    """Return who wrote what of the node or inside it, or of what declares it."""
    origins = context.ruleset.origin(address)
    about = [each for each in origins if each.address.startswith(address) or each.action in _DECLARING]
    return [line for entry in about for line in _format_entry(entry)]


def _format_entry(entry: OriginEntry) -> Iterator[str]:
    yield from _format_place(f"{entry.kind} {entry.layer}: {entry.action} {entry.address}", entry.span)


def _supplied_lines(context: RulesContext, place: TreePlace) -> list[str]:
    """Return what the kind says of the hooks that a member uses, and what it does where the member says nothing."""
    kind = context.checked.kinds.get(place.parts[0])
    if kind is None or len(place.parts) < 2:
        return []
    family = [name for name, one in context.checked.kinds.items() if one.family == kind.family]
    hooks = [(name, entry) for name in family for entry in _hooks(context, name)]
    body = place.node if isinstance(place.node, Mapping) else Mapping(place.span)
    used = place.parts[2:3] or (*(entry.name for entry in body), *(hook.name for _, hook in hooks if _has_body(hook)))
    return [
        line
        for name, hook in hooks
        if hook.name in used
        for line in _format_place(f"kinds.{name}.hooks.{hook.name}", hook.key.span)
    ]


def _hooks(context: RulesContext, kind: str) -> Mapping:
    return context.ruleset.root.mapping("kinds").mapping(kind).mapping("hooks")


def _default_of(context: RulesContext, missing: MissingAddress) -> str | None:
    """Return the address of the hook that says what a member does which says nothing, if that is what is missing."""
    member, name = missing.deepest.parts, missing.rest[0]
    kind = context.checked.kinds.get(member[0]) if len(member) == 2 and len(missing.rest) == 1 else None
    hooks = ((each, _hooks(context, each).entries.get(name)) for each in (member[0], kind.family)) if kind else ()
    return next((f"kinds.{each}.hooks.{name}" for each, hook in hooks if hook is not None and _has_body(hook)), None)


def _has_body(hook: Entry) -> bool:
    """Whether a hook says what members do there that say nothing."""
    return "do" in hook.body or isinstance(hook.body.get("effects"), Mapping)


def _format_place(title: str, span: Span) -> Iterator[str]:
    """Iterate over what something is, where it is written, and how."""
    yield f"  {title}"
    yield f"   --> {span}"
    yield f"    {span.source.line(span.line)}"


def yaml_lines(node: Node) -> list[str]:
    """Return a composed node as the lines of YAML it could be written with."""
    if isinstance(node, Scalar):
        return [_format_scalar(node)]
    lines: list[str] = []
    if isinstance(node, Sequence):
        for item in node:
            first, *more = yaml_lines(item) or ["[]"]
            lines += [f"- {first}", *(f"  {line}" for line in more)]
        return lines or ["[]"]
    assert isinstance(node, Mapping)
    for entry in node:
        lines += _entry_lines(entry.name, entry.value)
    return lines or ["{}"]


def _entry_lines(name: str, value: Node) -> list[str]:
    inner = yaml_lines(value)
    if isinstance(value, Scalar) or inner in (["[]"], ["{}"]):
        return [f"{name}: {inner[0]}".rstrip()]
    return [f"{name}:", *(f"  {line}" for line in inner)]


def _format_scalar(node: Scalar) -> str:
    text = "" if node.is_empty else node.text.strip()
    needs_quotes = text[:1] in {"[", "{", '"', "'", "&", "*", "!", "|", ">", "%", "@", "`"} or ": " in text
    return f'"{text}"' if needs_quotes else " ".join(text.split())


def _call_lines(rules: CheckedRules, where: _WrittenLines) -> list[str]:
    """Return the verbs, decisions, events and hooks that steps call, with all their arguments."""
    found: dict[str, None] = {}
    for step in (step for body in all_bodies(rules) for step in walk_steps(body)):
        if isinstance(step, Call | Choose | Happen | RunHook) and where.touch(step.span):
            found[f"  {_format_call(rules, step)}"] = None
    return list(found)


def _format_call(rules: CheckedRules, step: Call | Choose | Happen | RunHook) -> str:
    called, parameters, arguments = handed_over(rules, step)
    name = f"event.{called.name}" if called.kind == "event" else called.name
    given = zip(parameters, arguments, strict=True)
    return f"{name}({', '.join(f'{one.name} = {_format_argument(value)}' for one, value in given)})"


def _format_argument(value: Argument) -> str:
    if isinstance(value, Local | ParameterPlace):
        return value.name
    if isinstance(value, FieldPlace):
        return value.field
    return str(value.value) if isinstance(value, Const) else words_at(value.span)


def _modifier_lines(context: RulesContext, address: str) -> list[str]:
    """Return what changes a value, in the order in which it counts, each with the layer it comes from."""
    lines: list[str] = []
    for one in context.checked.modifiers.get(address.removeprefix("value."), ()):
        name, kind = context.layer_of(one.span)
        lines += _format_place(f"{kind} {name}: {one.operation} {one.address}", one.span)
    return lines


def _cut_long(lines: list[str]) -> list[str]:
    left = len(lines) - _MOST_LINES
    return lines if left <= 0 else [*lines[:_MOST_LINES], f"  ... {left} more lines"]


# The plan.


def _plan_lines(planned: Plan, where: _WrittenLines) -> list[str]:
    lines: list[str] = []
    seen: set[int] = set()
    for title, root in _plan_roots(planned):
        found = [node for node in _outermost(root, where) if id(node) not in seen]
        seen |= {id(node) for node in found}
        if found:
            lines += [f"  in {title}:", *(line for node in found for line in _outline(node, 2))]
    return lines


def _plan_roots(planned: Plan) -> Iterator[tuple[str, Any]]:
    yield from ((f"function {name}", function) for name, function in planned.functions.items())
    yield from ((f"procedure {name}", procedure) for name, procedure in planned.procedures.items())
    yield from ((f"block {number}", block) for number, block in planned.graph.blocks.items())


def _outermost(node: Any, where: _WrittenLines) -> Iterator[Any]:
    """Iterate over the outermost nodes of a plan that come from some lines."""
    span = getattr(node, "span", None)
    if isinstance(span, Span) and where.touch(span) and not hasattr(node, "parameters"):
        yield node
        return
    for child in children(node):
        yield from _outermost(child, where)


def _outline(node: Any, depth: int, label: str = "") -> list[str]:
    """Return a node of a plan as an outline."""
    said = [(name, getattr(node, name)) for name in SAID[type(node)]]
    plain = [f"{name}={value!r}" for name, value in said if _is_plain(value) and value is not None]
    lines = [f"{'  ' * depth}{label}{type(node).__name__} {' '.join(plain)}".rstrip()]
    for name, value in said:
        if _is_plain(value):
            continue
        for item in value if isinstance(value, tuple) else (value,):
            if type(item) in SAID:
                lines += _outline(item, depth + 1, f"{name}: ")
    return lines


def _is_plain(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(_is_plain(item) for item in value)
    return value is None or isinstance(value, int | str)


# The Python.


def _python_lines(context: RulesContext, planned: Plan, where: _WrittenLines, *, raw: bool) -> list[str]:
    """Return the lines of generated Python that come from some lines of YAML, or took something in from there."""
    planned, takers = _mark_takers(planned, where)
    generated = generate(planned, log=False)
    legend = None if raw else legend_of(context.checked, planned, generated, _block_labels(context, planned))
    lines: list[str] = []
    for name, _, tree in generated.functions:
        function = lines_of(name, tree, legend)
        wanted = [
            number
            for number, line in enumerate(function)
            if line.span is not None and (where.touch(line.span) or id(line.span) in takers)
        ]
        lines += [f"  {line}" for text in excerpt(function, wanted) for line in text.split("\n")]
    lines = _cut_long(lines)
    return lines + [f"  {line}" for line in constant_lines(generated, legend, lines)] if legend is not None else lines


def _mark_takers(planned: Plan, where: _WrittenLines) -> tuple[Plan, set[int]]:
    """Return a plan in which statements that took something in from some lines have spans of their own, by identity.

    What came from one line of YAML may stand in many places: only some of them took in what is asked for.
    """
    takers: dict[int, Span] = {}

    def mark(node: Any) -> Any:
        if type(node) not in _STATEMENTS or not _takes(node, where):
            return node
        span = evolve(node.span)
        takers[id(span)] = span
        return evolve(node, span=span, **{name: transform(getattr(node, name), mark) for name in PARTS[type(node)]})

    marked = evolve(
        planned,
        functions={name: transform(function, mark) for name, function in planned.functions.items()},
        procedures={name: transform(procedure, mark) for name, procedure in planned.procedures.items()},
        graph=evolve(
            planned.graph, blocks={number: transform(block, mark) for number, block in planned.graph.blocks.items()}
        ),
    )
    return marked, set(takers)


def _takes(node: Any, where: _WrittenLines) -> bool:
    """Whether something from some lines stands in a statement, the statements inside it left out."""
    return any(
        (hasattr(child, "span") and where.touch(child.span)) or _takes(child, where)
        for child in children(node)
        if type(child) not in _STATEMENTS
    )


# The names of blocks.


def _block_labels(context: RulesContext, planned: Plan) -> dict[int, BlockLabel]:
    """Return what each function of blocks is called: after the answer it goes on from, or the step it begins in."""
    graph, labels = planned.graph, {}
    exits = [block.exit for block in graph.blocks.values()]
    procedures = {exit_.block: exit_.procedure for exit_ in exits if isinstance(exit_, CallBlock)}
    places = list(_bodies(TreePlace(context.ruleset.root)))
    for number in graph.entries:
        block = graph.blocks[number]
        if number in graph.answers:
            address = planned.decision_points[graph.answers[number]].decision
            labels[number] = _label(number, f"after_{address.rpartition('.')[2]}", f"after an answer to {address}")
        elif number in procedures:
            labels[number] = _label(number, procedures[number], f"{procedures[number]} begins")
        elif address := _innermost(places, block.body[0].span if block.body else block.exit.span):
            labels[number] = _label(number, address.rpartition(".")[2], f"in {address}")
    return labels


def _label(number: int, name: str, says: str) -> BlockLabel:
    return BlockLabel(f"block_{number}_{name}", says)


def _bodies(place: TreePlace) -> Iterator[TreePlace]:
    """Iterate over declarations, what in them has steps, and the steps that have a name."""
    if place.has_steps or len(place.parts) == 2:
        yield place
    if place.has_steps:
        yield from named_steps(place)
    elif isinstance(place.node, Mapping):
        for entry in place.node:
            yield from _bodies(place.under(entry))


def _innermost(places: list[TreePlace], span: Span) -> str:
    """Return the address of the smallest of some places that a span stands in."""
    around = [place for place in places if place.span.path == span.path and _is_inside(span, place)]
    return max(around, key=lambda place: (place.span.line, place.span.column)).address if around else ""


def _is_inside(span: Span, place: TreePlace) -> bool:
    begin, end = place.span, place.node.span
    return (begin.line, begin.column) <= (span.line, span.column) <= (end.end_line, end.end_column)
