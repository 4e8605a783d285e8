"""Files of the disk as sources, within limits and with line ends made equal."""

from __future__ import annotations

import os
from pathlib import Path

from aodrules.source import problems
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Source

SUFFIXES = (".yaml", ".yml")


def read_file(path: Path, report: Report) -> Source | None:
    """Read a file; what cannot be read is reported."""
    shown = shown_path(path)
    try:
        with path.open("rb") as stream:
            content = stream.read(problems.LARGEST_FILE + 1)
            size = os.fstat(stream.fileno()).st_size
    except (OSError, ValueError) as cause:
        reason = (getattr(cause, "strerror", None) or str(cause)).lower()
        report.add(problems.unreadable_file(shown, reason))
        return None
    if len(content) > problems.LARGEST_FILE:
        report.add(problems.file_too_large(shown, max(size, len(content))))
        return None
    return decode(shown, content, report)


def decode(path: str, content: bytes, report: Report) -> Source | None:
    """Return the bytes of a file as a source; what is not UTF-8 is reported."""
    try:
        return Source(path, with_plain_line_ends(content.decode("utf-8")))
    except UnicodeDecodeError as cause:
        before = with_plain_line_ends(content[: cause.start].decode("utf-8", "replace")).split("\n")
        text = with_plain_line_ends(content.decode("utf-8", "replace"))
        report.add(problems.not_utf8(path, text, len(before), len(before[-1]) + 1))
        return None


def with_plain_line_ends(text: str) -> str:
    """Return the text without a byte order mark and with every line ended by a single line feed."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def yaml_files(folder: Path) -> list[Path]:
    """Return the YAML files under a folder, sorted by their path; hidden ones are left out."""
    found = (path for path in folder.rglob("*") if path.suffix in SUFFIXES and path.is_file())
    visible = (path for path in found if not any(part.startswith(".") for part in path.relative_to(folder).parts))
    return sorted(visible, key=lambda path: path.relative_to(folder).as_posix())


def shown_path(path: Path) -> str:
    """Return a path as people see it: relative to where they stand where that is shorter, with forward slashes."""
    absolute = path.absolute()
    here = Path.cwd()
    return (absolute.relative_to(here) if absolute.is_relative_to(here) else path).as_posix()
