"""A run on a real Dask cluster: a worker that is killed in mid-run loses nothing and counts nothing twice."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import evolve

from aodrules.cli.main import run
from aodrules.simulate.clusters import ClusterError, play_on_cluster
from aodrules.simulate.matches import Match, Setting
from aodrules.simulate.runs import Run, play_run, rows

pytest.importorskip("distributed")
RUN = Run("tests/games/harbour", (), Setting(2, ("random", "greedy:1")), first=2, games=32)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Start a scheduler and two workers, each a process of its own."""
    note = tmp_path / "scheduler.json"
    place = ["--scheduler-file", os.fspath(note)]
    started = [_started("scheduler", tmp_path, *place, "--port", "0", "--no-dashboard", "--host", "127.0.0.1")]
    for _ in range(200):
        if note.exists():
            break
        time.sleep(0.1)
    options = ("--no-nanny", "--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1")
    started += [_started("worker", tmp_path, *place, *options) for _ in range(2)]
    try:
        yield _address(note), started[1:]
    finally:
        for process in started:
            process.kill()
            process.wait()


def _started(what: str, folder: Path, *options: str) -> subprocess.Popen[bytes]:
    local = ["--local-directory", os.fspath(folder)] if what == "worker" else []
    return subprocess.Popen(
        [sys.executable, "-m", f"distributed.cli.dask_{what}", *options, *local],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _address(note: Path) -> str:
    import json

    address: str = json.loads(note.read_text(encoding="utf-8"))["address"]
    return address


def _wait_for_workers(address: str, count: int) -> None:
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(count, timeout=30)


@pytest.mark.slow
def test_a_worker_that_is_killed_loses_nothing_and_counts_nothing_twice(
    cluster: tuple[str, list[subprocess.Popen[bytes]]],
) -> None:
    address, workers = cluster
    _wait_for_workers(address, 2)
    matches: list[Match] = []
    for match in play_on_cluster(RUN, address):
        if not matches:
            workers[0].kill()
        matches.append(match)
    assert workers[0].wait() != 0
    assert sorted(match.seed for match in matches) == list(RUN.seeds)
    few = evolve(RUN, games=3)
    assert rows(matches)[: few.games] == rows(play_run(few, workers=1))


def test_a_cluster_that_is_not_there_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ClusterError, match="there is no Dask cluster"):
        next(play_on_cluster(RUN, "nowhere", connect=1))
    assert run(["simulate", "tests/games/harbour", "--games", "2", "--dask", "nowhere"]) == 2
    assert "there is no Dask cluster at `nowhere`" in capsys.readouterr().err
