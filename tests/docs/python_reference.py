"""The reference of the Python names, made from their docstrings."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable, Iterator
from textwrap import dedent
from types import UnionType
from typing import Any, get_args

from attrs import frozen

import aodrules
from aodrules import bots, svg, testing
from aodrules.testing import machines, strategies

GROUPS: dict[str, tuple[str, ...]] = {
    "Loading rules": (
        "catalogue",
        "CatalogueGame",
        "CatalogueEntry",
        "CatalogueRuling",
        "load",
        "Rules",
        "Component",
        "Clause",
        "Setting",
        "Text",
    ),
    "Playing": (
        "Game",
        "Decision",
        "Surroundings",
        "Around",
        "Action",
        "Choices",
        "Candidate",
        "Learned",
        "Reason",
    ),
    "What happened": (
        *("Event", "EventCause", "EventPiece", "EventPlace"),
        *(of.__name__ for of in get_args(aodrules.Event)),
        *("LogGroup", "LogTurn"),
    ),
    "Looking": ("State", "View", "Hidden", "Played", "Snapshot"),
    "Back and forth": ("UndoNeeds", "WhatIf"),
    "Sending": ("to_json", "to_plain", "from_json", "json_schema"),
    "Scores": ("Score", "ScoreLine", "Share", "Standing"),
    "Writing down": ("open_game", "replay"),
    "Problems in rules": ("Diagnostic", "Report"),
    "Errors": (
        "AodrulesError",
        "RulesError",
        "ActionError",
        "InvalidActionError",
        "IllegalActionError",
        "AmbiguousActionError",
        "ArgumentError",
        "UndoError",
        "SampleError",
        "SecretError",
        "NotationError",
        "UnknownNameError",
        "InternalError",
        "CacheWarning",
    ),
}
_SECTION = re.compile(r"^(Args|Raises|Example|Returns):$", re.MULTILINE)


@frozen
class Part:
    """A field, property or method of a class, or a function: how it is written, and its docstring."""

    written: str
    text: str


def groups() -> Iterator[str]:
    """Return the parts of the page."""
    for title, names in GROUPS.items():
        yield f"## {title}\n"
        for name in names:
            yield from _named(name, getattr(aodrules, name))


def module_groups() -> Iterator[str]:
    """Return the parts of the page about modules of their own: pictures and bots."""
    for module in (svg, bots):
        yield f"## `{module.__name__}`\n"
        yield _lines(inspect.getdoc(module) or "") + "\n"
        for name in module.__all__:
            if inspect.isclass(getattr(module, name)) or inspect.isfunction(getattr(module, name)):
                yield from _named(name, getattr(module, name), module.__name__)


def testing_groups() -> Iterator[str]:
    """Return the parts of the page about testing: one for each module that is public."""
    for module in (testing, strategies, machines):
        yield f"## `{module.__name__}`\n"
        yield _lines(inspect.getdoc(module) or "") + "\n"
        for name in module.__all__:
            yield from _named(name, getattr(module, name), module.__name__)


def _named(name: str, thing: Any, module: str = "aodrules") -> Iterator[str]:
    yield f"### `{name}`\n"
    if isinstance(thing, UnionType):
        base = get_args(thing)[0].__mro__[1]
        yield f"Any of {', '.join(f'`{one.__name__}`' for one in get_args(thing))}; `kind` tells which.\n"
        yield "| what all have | what it is |\n|---|---|"
        yield from _rows(_parts(base))
        return
    if not inspect.isclass(thing):
        yield f"```text\n{module}.{_call(thing)}\n```\n"
        yield from _sections(inspect.getdoc(thing) or "")
        return
    yield from _sections(inspect.getdoc(thing) or "")
    parts = [part for part in _parts(thing) if part.text]
    if parts:
        yield "| part | what it is |\n|---|---|"
        yield from _rows(parts)


def _rows(parts: Iterable[Part]) -> Iterator[str]:
    yield from (f"| {in_cell(f'`{part.written}`')} | {_in_a_row(part.text)} |" for part in parts if part.text)
    yield ""


def _tree(thing: Any) -> Any:
    return ast.parse(dedent(inspect.getsource(thing))).body[0]


def _parts(class_: type) -> Iterator[Part]:
    """Iterate over what a class has, in the order of its source."""
    body = _tree(class_).body
    for one, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(one, ast.FunctionDef) and not one.name.startswith("_"):
            yield _function(class_, one)
        elif isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name) and not one.target.id.startswith("_"):
            yield Part(f"{one.target.id}: {ast.unparse(one.annotation)}", _string(after) or " ")
        elif isinstance(one, ast.FunctionDef) and one.name == "__init__":
            yield from _set_in(one)


def _set_in(function: ast.FunctionDef) -> Iterator[Part]:
    """Iterate over the public attributes that `__init__` sets."""
    for one, after in zip(function.body, [*function.body[1:], None], strict=True):
        target = one.targets[0] if isinstance(one, ast.Assign) else None
        if isinstance(target, ast.Attribute) and not target.attr.startswith("_"):
            yield Part(target.attr, _string(after) or " ")


def _function(class_: type, function: ast.FunctionDef) -> Part:
    text = ast.get_docstring(function) or ""
    if any(_ends_with_property(each) for each in function.decorator_list):
        returned = f": {ast.unparse(function.returns)}" if function.returns else ""
        return Part(function.name + returned, text)
    return Part(_call(getattr(class_, function.name)), text)


def _call(function: Any) -> str:
    """Return how a function is called: its parameters with their defaults."""
    signature = inspect.signature(function)
    plain = [each.replace(annotation=each.empty) for name, each in signature.parameters.items() if name != "self"]
    # A function as a default is shown without its address, which differs from run to run.
    return re.sub(r"<function \S+ at 0x[0-9a-f]+>", "...", f"{function.__name__}{inspect.Signature(plain)}")


def _ends_with_property(decorator: ast.expr) -> bool:
    return ast.unparse(decorator).endswith("property")


def _string(node: ast.stmt | None) -> str | None:
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    return str(node.value.value) if is_text else None  # type: ignore[union-attr]


def _sections(text: str) -> Iterator[str]:
    """Iterate over the sections of a docstring; examples are run elsewhere and left out."""
    words = _SECTION.split(text)
    yield _lines(words[0]) + "\n"
    for title, body in zip(words[1::2], words[2::2], strict=True):
        if title != "Example":
            yield f"{title}:\n"
            yield "\n".join(_items(body)) + "\n"


def _items(body: str) -> Iterator[str]:
    for entry in re.split(r"\n(?=\S)", dedent(body).strip("\n")):
        name, _, meaning = entry.partition(": ")
        yield f"- `{name}`: {' '.join(meaning.split())}"


def _lines(text: str) -> str:
    """Return paragraphs with one sentence per line."""
    paragraphs = [" ".join(each.split()) for each in text.strip().split("\n\n")]
    return "\n\n".join(re.sub(r"(?<=[a-z)`])\. (?=[A-Z`])", ".\n", each) for each in paragraphs)


def _in_a_row(text: str) -> str:
    words = _SECTION.split(text)
    lines = [" ".join(words[0].split())]
    for title, body in zip(words[1::2], words[2::2], strict=True):
        if title in ("Args", "Raises"):
            lines += [item.replace("- ", "raises " if title == "Raises" else "", 1) for item in _items(body)]
    return in_cell("<br>".join(lines))


def in_cell(text: str) -> str:
    """Return a text for a cell of a table: a bar in code would end the cell in some readers of Markdown."""
    return re.sub(r"`([^`]*\|[^`]*)`", lambda code: f"<code>{code[1].replace('|', '&#124;')}</code>", text)
