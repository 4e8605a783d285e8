"""Golden cases whose documents are too large, too odd or too absent to be kept as files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path


def _a_missing_file(folder: Path) -> list[Path]:
    return [folder / "missing.yaml"]


def _a_long_file(folder: Path) -> list[Path]:
    path = folder / "long.yaml"
    path.write_text("# " + "x" * 1024 * 1024 + "\n", encoding="utf-8")
    return [path]


def _latin_letters(folder: Path) -> list[Path]:
    path = folder / "latin.yaml"
    path.write_bytes("value:\n  price: {is: 3, name: Währung}\n".encode("latin-1"))
    return [path]


def _many_numbers(folder: Path) -> list[Path]:
    path = folder / "numbers.yaml"
    path.write_text("value:\n" + "  - [" + "1, " * 50_000 + "]\n" + "  - [" + "1, " * 50_000 + "]\n", encoding="utf-8")
    return [path]


MADE: dict[str, Callable[[Path], list[Path]]] = {
    "document-too-large/many-numbers": _many_numbers,
    "file-too-large/long-comment": _a_long_file,
    "not-utf8/latin-letters": _latin_letters,
    "unreadable-file/missing": _a_missing_file,
}
"""`<code>/<case>` → a function that writes the documents of the case and returns their paths."""
