"""The Python files of the repository as syntax trees, for the tests about them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from attrs import frozen

CHECKOUT = Path(__file__).parents[2]


@frozen
class Module:
    """One Python file: where it lies, what it is called when imported, and what it says."""

    path: Path
    name: str
    tree: ast.Module
    length: int

    @property
    def shown(self) -> str:
        return self.path.relative_to(CHECKOUT).as_posix()


@frozen
class Import:
    """One module named by an import statement, with the line of the statement."""

    module: str
    line: int


@cache
def modules(folder: str) -> tuple[Module, ...]:
    """Return every Python file under a top folder of the checkout, sorted by path."""
    return tuple(_read(path) for path in sorted((CHECKOUT / folder).rglob("*.py")))


def imports(module: Module, known: frozenset[str]) -> Iterator[Import]:
    """Return what a module imports, lazily or not; `from a import b` means `a.b` where that is a known module."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            origin = node.module or ""
            for alias in node.names:
                inner = f"{origin}.{alias.name}"
                yield Import(inner if inner in known else origin, node.lineno)


def words(module: Module) -> Iterator[tuple[int, str]]:
    """Return every identifier and every string constant of a module with its line."""
    line = 1
    for node in ast.walk(module.tree):
        line = getattr(node, "lineno", line)
        for _, value in ast.iter_fields(node):
            # Whatever text a syntax tree holds is an identifier or a string; `global` and patterns hold lists of it.
            for text in value if isinstance(value, list) else [value]:
                if isinstance(text, bytes):
                    yield line, text.decode("latin-1")
                elif isinstance(text, str):
                    yield line, text


def _read(path: Path) -> Module:
    text = path.read_text(encoding="utf-8")
    parts = path.relative_to(CHECKOUT).with_suffix("").parts
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    return Module(path, name, ast.parse(text, filename=str(path)), len(text.splitlines()))
