"""Many games, on all cores or any executor: the same seed gives the same rows whatever the number of workers."""

from __future__ import annotations

import csv
import gc
import json
import os
import re
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager, nullcontext
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import cattrs
from attrs import frozen

from aodrules.errors import AodrulesError
from aodrules.rulebook import Rules, load
from aodrules.simulate.matches import Match, MatchSetting, play_match
from aodrules.source.disk import is_there, open_plain, read_plain
from aodrules.source.wording import quote

CHUNK = 8
"""How many games a worker is given at once, if its bots are quick: sending them costs about as much as a short game."""
_QUICK = re.compile(r"(random|greedy)(:\d+)?|beginner|casual")
_loaded: dict[tuple[str, tuple[str, ...]], Rules] = {}
"""Rules that this process has loaded: a worker plays many chunks of one run."""


@frozen
class Run:
    """A run: the rules by name, the setting, and the seeds of its games."""

    base: str
    variants: tuple[str, ...]
    setting: MatchSetting
    first: int
    games: int

    @property
    def seeds(self) -> range:
        """The seeds of the games."""
        return range(self.first, self.first + self.games)


def play_chunk(run: Run, seeds: Sequence[int]) -> list[Match]:
    """Play some games of a run; what workers do."""
    key = (run.base, run.variants)
    if key not in _loaded:
        _loaded.clear()
        _loaded[key] = load(run.base, run.variants)
    return [play_match(_loaded[key], run.setting, seed) for seed in seeds]


def chunks_left(run: Run, done: Iterable[int]) -> list[list[int]]:
    """Return the seeds whose games are not known yet, in the parts that workers are given."""
    known = set(done)
    left = [seed for seed in run.seeds if seed not in known]
    size = CHUNK if all(_QUICK.fullmatch(bot) for bot in run.setting.bots) else 1
    return [left[start : start + size] for start in range(0, len(left), size)]


def play_run(
    run: Run, *, done: Iterable[int] = (), workers: int | None = None, executor: Executor | None = None
) -> Iterator[Match]:
    """Play all games of a run that are not done yet, and yield each as it is finished.

    Args:
        run: What to play.
        done: Seeds whose games are known already.
        workers: How many processes; as many as there are cores if not given; 1 plays in this process.
        executor: Any executor that takes functions of this module; it is not shut down.
    """
    chunks = chunks_left(run, done)
    count = workers or os.cpu_count() or 1
    if executor is None and (count == 1 or len(chunks) == 1):
        for seed in (seed for chunk in chunks for seed in chunk):
            yield from play_chunk(run, [seed])
        return
    # A worker that is stopped while it holds the queue would leave all others waiting for ever: the command stops them.
    with nullcontext(executor) if executor else ProcessPoolExecutor(count, initializer=_leave_stops_alone) as pool:
        yield from _collect(pool.submit, run, chunks)


def _leave_stops_alone() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _collect(submit: Callable[..., Future[list[Match]]], run: Run, chunks: Sequence[Sequence[int]]) -> Iterator[Match]:
    futures = [submit(play_chunk, run, chunk) for chunk in chunks]
    try:
        for future in as_completed(futures):
            yield from future.result()
    finally:
        for future in futures:
            future.cancel()


def in_order(matches: Iterable[Match]) -> list[Match]:
    """Return matches by their seed, in which order every run of the same games is the same."""
    return sorted(matches, key=lambda match: match.seed)


def rows(matches: Iterable[Match]) -> list[dict[str, Any]]:
    """Return one row for each game, by seed."""
    return [match.row() for match in in_order(matches)]


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


class ClusterError(AodrulesError):
    """A cluster cannot be used."""


def play_on_cluster(run: Run, address: str, done: Sequence[int] = (), connect: float = 10) -> Iterator[Match]:
    """Play all games of a run that are not done yet on the cluster at an address, and yield each once.

    A chunk whose worker is lost is played again by another; the same seed gives the same game there.

    Raises:
        ClusterError: There is no Dask here, or no cluster at the address.
    """
    known = set(done)
    with _client(address, connect) as client:
        # Not pure: a run that is begun again must not be answered from an older one.
        futures = [client.submit(play_chunk, run, chunk, pure=False) for chunk in chunks_left(run, known)]
        for match in _results(client, futures):
            if match.seed not in known:
                known.add(match.seed)
                yield match


def _results(client: Any, futures: Sequence[Any]) -> Iterator[Match]:
    from distributed import as_completed

    for future in as_completed(futures, loop=client.loop):
        yield from future.result()


@contextmanager
def _client(address: str, connect: float) -> Iterator[Any]:
    client = _connect(address, connect)
    if client is None:
        # Half a client is left in a cycle and closes itself when it is collected. That must be now: in the thread of
        # another client that is being started, closing and starting would wait for each other.
        gc.collect()
        raise ClusterError(f"there is no Dask cluster at `{address}`")
    with client:
        yield client


def _connect(address: str, connect: float) -> Any:
    try:
        from distributed import Client
    except ImportError as missing:
        raise ClusterError("a Dask cluster needs the extra `dask`: install `aodrules[dask]`") from missing
    try:
        return Client(address, timeout=connect, set_as_default=False)
    except (OSError, ValueError):
        return None
