"""The way of a node from its YAML to the Python that runs it, and the pages about diagnostics."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

from attrs import frozen

from aodrules.check.checked import CheckedRules
from aodrules.check.steps import Argument, Call, Choose, FieldPlace, Happen, ParameterPlace, RunHook
from aodrules.check.visit import walk_steps
from aodrules.compiler.codegen.module import generate
from aodrules.compiler.lower.from_checked import plan
from aodrules.compiler.nodes import Statement
from aodrules.compiler.plan import Plan
from aodrules.compiler.source_listing import lines_of, printed
from aodrules.compiler.visit import SAID, children
from aodrules.compose.addresses import MissingAddress, TreePlace, resolve
from aodrules.compose.ruleset import OriginEntry
from aodrules.facts.action_codes import bodies
from aodrules.lang.expressions import Const, Local
from aodrules.play.rules_context import RulesContext
from aodrules.play.scores import words_at
from aodrules.source.shipped import shipped
from aodrules.source.spans import Span
from aodrules.source.wording import count
from aodrules.syntax.tree import Mapping, Node, Scalar, Sequence, walk

_MOST_LINES = 80
_STATEMENTS = get_args(Statement)


def generated_python(book: RulesContext, players: int, *, log: bool = True) -> str:
    """Return the Python of a ruleset for so many players, with the places in the YAML beside it."""
    return printed(generate(plan(book.checked, players), log=log))


def error_page(code: str) -> str | None:
    """Return the page about a diagnostic."""
    path = shipped("errors") / f"{code}.md"
    return path.read_text(encoding="utf-8") if code in error_pages() else None


def error_pages() -> list[str]:
    """Return the codes of all diagnostics that have a page."""
    return sorted(path.stem for path in shipped("errors").glob("*.md") if path.stem != "index")


def explained(book: RulesContext, address: str, players: int) -> str | None:
    """Return the way of a node as text; of one that was taken out, who did it; nothing if there never was one."""
    place = resolve(book.ruleset.root, address)
    if isinstance(place, MissingAddress):
        return _removed(book, address)
    where = _WrittenLines.of(place)
    planned = plan(book.checked, players)
    parts = [
        ("written", _written(book, address)),
        ("clauses", [f"  {clause}" for clause in book.clauses_at(address)]),
        ("composed", _composed(place)),
        ("calls, with everything that is filled in", _calls(book.checked, where)),
        ("modified by", _modifiers(book, address)),
        (f"planned for {count(players, 'player')}", _short(_planned(planned, where))),
        (f"Python for {count(players, 'player')}", _short(_python(planned, where))),
    ]
    return "\n\n".join("\n".join([f"{title}:", *lines]) for title, lines in parts if lines)


def _removed(book: RulesContext, address: str) -> str | None:
    """Return every layer's hand in a node that is no more."""
    touches = [touch for touch in book.ruleset.origin(address) if f"{address}.".startswith(f"{touch.address}.")]
    if not any(touch.action == "remove" for touch in touches):
        return None
    return "\n".join(["written, and taken out again:", *(line for touch in touches for line in _touch(touch))])


@frozen(eq=False)
class _WrittenLines:
    """The lines of the files that a node and all inside it were written on."""

    lines: frozenset[tuple[str, int]]

    @classmethod
    def of(cls, place: TreePlace) -> _WrittenLines:
        spans = [place.span, *(node.span for node in walk(place.node))]
        return cls(frozenset((span.path, line) for span in spans for line in range(span.line, span.end_line + 1)))

    def hold(self, path: str, line: int) -> bool:
        return (path, line) in self.lines

    def touch(self, span: Span) -> bool:
        return (span.path, span.line) in self.lines


def _written(book: RulesContext, address: str) -> list[str]:
    touches = [touch for touch in book.ruleset.origin(address) if _is_about(touch, address)]
    return [line for touch in touches for line in _touch(touch)]


def _is_about(touch: OriginEntry, address: str) -> bool:
    """Whether a touch is of the node or inside it, or of what declares it."""
    return touch.address.startswith(address) or touch.action in {"declare", "add", "change"}


def _touch(touch: OriginEntry) -> Iterator[str]:
    yield f"  {touch.kind} {touch.layer}: {touch.action} {touch.address}"
    yield f"   --> {touch.span}"
    yield f"    {touch.span.source.line(touch.span.line)}"


def _composed(place: TreePlace) -> list[str]:
    return [f"  {place.address}:", *(f"    {line}" for line in yaml_lines(place.node))]


def yaml_lines(node: Node) -> list[str]:
    """Return a composed node as the lines of YAML it could be written with."""
    if isinstance(node, Scalar):
        return [_scalar(node)]
    lines: list[str] = []
    if isinstance(node, Sequence):
        for item in node:
            first, *more = yaml_lines(item) or ["[]"]
            lines += [f"- {first}", *(f"  {line}" for line in more)]
        return lines or ["[]"]
    assert isinstance(node, Mapping)
    for entry in node:
        lines += _entry(entry.name, entry.value)
    return lines or ["{}"]


def _entry(name: str, value: Node) -> list[str]:
    inner = yaml_lines(value)
    if isinstance(value, Scalar) or inner in (["[]"], ["{}"]):
        return [f"{name}: {inner[0]}".rstrip()]
    return [f"{name}:", *(f"  {line}" for line in inner)]


def _scalar(node: Scalar) -> str:
    text = "" if node.is_empty else node.text.strip()
    needs_quotes = text[:1] in {"[", "{", '"', "'", "&", "*", "!", "|", ">", "%", "@", "`"} or ": " in text
    return f'"{text}"' if needs_quotes else " ".join(text.split())


def _calls(rules: CheckedRules, where: _WrittenLines) -> list[str]:
    """Return the verbs, decisions, events and hooks that steps call, with all their arguments."""
    found: dict[str, None] = {}
    for step in (step for body in bodies(rules) for step in walk_steps(body)):
        if isinstance(step, Call | Choose | Happen | RunHook) and where.touch(step.span):
            found[f"  {_call(rules, step)}"] = None
    return list(found)


def _call(rules: CheckedRules, step: Call | Choose | Happen | RunHook) -> str:
    if isinstance(step, Call):
        name, parameters = step.verb, rules.verbs[step.verb].parameters
    elif isinstance(step, Choose):
        name, parameters = step.decision, rules.decisions[step.decision].parameters
    elif isinstance(step, Happen):
        name, parameters = f"event.{step.event}", rules.events[step.event].parameters
    else:
        name, parameters = step.hook, rules.hooks[step.hook].parameters
    given = zip(parameters, step.arguments, strict=True)
    return f"{name}({', '.join(f'{one.name} = {_argument(value)}' for one, value in given)})"


def _argument(value: Argument) -> str:
    if isinstance(value, Local | ParameterPlace):
        return value.name
    if isinstance(value, FieldPlace):
        return value.field
    return str(value.value) if isinstance(value, Const) else words_at(value.span)


def _modifiers(book: RulesContext, address: str) -> list[str]:
    """Return what changes a value, in the order in which it counts, each with the layer it comes from."""
    found = book.checked.modifiers.get(address.removeprefix("value."), ())
    lines: list[str] = []
    for one in found:
        name, kind = book.layer_of(one.span)
        lines += [f"  {kind} {name}: {one.operation} {one.address}", f"   --> {one.span}"]
        lines.append(f"    {one.span.source.line(one.span.line)}")
    return lines


def _short(lines: list[str]) -> list[str]:
    return (
        lines if len(lines) <= _MOST_LINES else [*lines[:_MOST_LINES], f"  ... {len(lines) - _MOST_LINES} more lines"]
    )


# The plan.


def _planned(planned: Plan, where: _WrittenLines) -> list[str]:
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


def _python(planned: Plan, where: _WrittenLines) -> list[str]:
    """Return the lines of generated Python that come from some lines of YAML, or took something in from there."""
    takers = {id(span) for _, root in _plan_roots(planned) for span in _takers(root, where, None)}
    found: list[str] = []
    for name, _, tree in generate(planned, log=False).functions:
        spans = ((line, line.span) for line in lines_of(name, tree))
        lines = [line.text for line, span in spans if span is not None and (where.touch(span) or id(span) in takers)]
        if lines and not lines[0].startswith("def "):
            found.append(f"  def {name}: ...")
        found += [f"  {line}" for line in lines]
    return found


def _takers(node: Any, where: _WrittenLines, statement: Span | None) -> Iterator[Span]:
    """Iterate over the places of the statements of a plan in which something from some lines stands."""
    span = getattr(node, "span", None)
    if isinstance(span, Span):
        if where.touch(span) and statement is not None:
            yield statement
        if isinstance(node, _STATEMENTS):
            statement = span
    for child in children(node):
        yield from _takers(child, where, statement)
