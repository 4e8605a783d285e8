"""Runs on disk: matches are written as they are played, so that a run that was broken off goes on where it was."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import cattrs
from attrs import frozen

from aodrules.errors import AodrulesError
from aodrules.simulate.matches import Match
from aodrules.simulate.runs import Run, in_order
from aodrules.source.plain_files import is_there, open_plain, read_plain
from aodrules.source.wording import quote

FORMATS = ("jsonl", "csv", "parquet")


class RunError(AodrulesError):
    """A run cannot be written here."""


@frozen
class RunFolder:
    """The folder of one run: what it plays in `run.json`, its matches in `matches.jsonl`, tables when it is done."""

    path: Path

    def begin(self, run: Run, fingerprint: str) -> list[Match]:
        """Make the folder, or open it if it holds the same run, and return the matches that are there."""
        about = {"fingerprint": fingerprint, **cattrs.unstructure(run)}
        about = json.loads(json.dumps(about))
        self.path.mkdir(parents=True, exist_ok=True)
        note = self.path / "run.json"
        if is_there(note) and {**_note(note), "games": 0} != {**about, "games": 0}:
            raise RunError(f"{quote(self.path)} holds another run; choose another folder")
        note.write_text(json.dumps(about, indent=1), encoding="utf-8")
        return [match for match in self.matches() if match.seed in run.seeds]

    def matches(self) -> Iterator[Match]:
        """Iterate over the matches that were written whole; a line that was cut off is left out."""
        file = self.path / "matches.jsonl"
        if not is_there(file):
            return
        with open_plain(file) as stream:
            for line in stream:
                try:
                    yield cattrs.structure(json.loads(line), Match)
                except (ValueError, RecursionError, cattrs.BaseValidationError):
                    continue

    def add(self, match: Match) -> None:
        """Write one more match."""
        with (self.path / "matches.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(cattrs.unstructure(match), sort_keys=True) + "\n")

    def finish(self, matches: Iterable[Match], format_: str) -> list[Path]:
        """Write the tables of a whole run: a row for each game, and a row for each kind of decision in it."""
        ordered = in_order(matches)
        games = [match.row() for match in ordered]
        decisions = [row for match in ordered for row in match.decision_rows()]
        return [
            write_table(self.path / f"{name}.{format_}", table)
            for name, table in (("games", games), ("decisions", decisions))
        ]


def _note(path: Path) -> dict[str, Any]:
    """Return what a folder says about the run in it."""
    try:
        found = json.loads(read_plain(path))
    except (OSError, ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise RunError(f"{quote(path)} is not the note of a run; choose another folder")
    return found


def write_table(path: Path, table: Sequence[Mapping[str, Any]]) -> Path:
    """Write rows in the format that the end of the path says."""
    columns = list(dict.fromkeys(key for row in table for key in row))
    if path.suffix == ".parquet":
        _write_parquet(path, columns, table)
    elif path.suffix == ".csv":
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, columns, lineterminator="\n")
            writer.writeheader()
            writer.writerows(table)
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in table), encoding="utf-8")
    return path


def check_format(format_: str) -> None:
    """Raise `RunError` if tables of a format cannot be written here: better now than after a thousand games."""
    if format_ == "parquet" and find_spec("pyarrow") is None:
        raise RunError("Parquet needs the extra `parquet`: install `aodrules[parquet]`")


def _write_parquet(path: Path, columns: Sequence[str], table: Sequence[Mapping[str, Any]]) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    parquet.write_table(pa.table({name: [row.get(name) for row in table] for name in columns}), path)
