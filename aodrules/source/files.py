"""Files of the disk as sources, within limits and with line ends made equal."""

from __future__ import annotations

from pathlib import Path

from aodrules.source import problems
from aodrules.source.diagnostics import Report
from aodrules.source.disk import TooLargeError, links_out_of, read_plain, shown_path, why_unreadable
from aodrules.source.spans import Source


def read_file(path: Path, report: Report) -> Source | None:
    """Read a file; what cannot be read is reported."""
    shown = shown_path(path)
    try:
        return decode(shown, read_plain(path), report)
    except TooLargeError as cause:
        report.add(problems.file_too_large(shown, cause.size))
    except (OSError, ValueError) as cause:
        report.add(problems.unreadable_file(shown, why_unreadable(cause)))
    return None


def check_links(folder: Path, report: Report) -> bool:
    """Report links that lead out of a folder, and return whether there are none.

    A folder may come from a stranger, and what is wrong with a file is shown with its lines: nobody should get to see
    lines of another file that the link was set to.
    """
    found = links_out_of(folder)
    for path in found:
        report.add(problems.unreadable_file(shown_path(path), "it is a link that leads out of its folder"))
    return not found


def decode(path: str, content: bytes, report: Report) -> Source | None:
    """Return the bytes of a file as a source; what is not UTF-8 is reported."""
    try:
        return Source(path, normalize_line_ends(content.decode("utf-8")))
    except UnicodeDecodeError as cause:
        before = normalize_line_ends(content[: cause.start].decode("utf-8", "replace")).split("\n")
        text = normalize_line_ends(content.decode("utf-8", "replace"))
        report.add(problems.not_utf8(path, text, len(before), len(before[-1]) + 1))
        return None


def normalize_line_ends(text: str) -> str:
    """Return the text without a byte order mark and with every line ended by a single line feed."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
