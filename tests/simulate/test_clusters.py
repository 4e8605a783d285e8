"""A run on a real Dask cluster: a worker that is killed in mid-run loses nothing and counts nothing twice."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from aodrules.cli.main import run
from aodrules.simulate.matches import Match, MatchSetting
from aodrules.simulate.runs import CHUNK, ClusterError, Run, in_order, play_on_cluster, play_run

pytest.importorskip("distributed")
RUN = Run("tests/games/harbour", (), MatchSetting(2, ("random", "greedy:4")), first=2, games=4 * CHUNK)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, dict[str, subprocess.Popen[bytes]]]]:
    """Start a scheduler and two workers, each a process of its own, and yield its address and the workers by name."""
    note = tmp_path / "scheduler.json"
    place = ["--scheduler-file", os.fspath(note)]
    started = [_started("scheduler", tmp_path, *place, "--port", "0", "--no-dashboard", "--host", "127.0.0.1")]
    for _ in range(200):
        if note.exists():
            break
        time.sleep(0.1)
    options = ("--no-nanny", "--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1")
    workers = {name: _started("worker", tmp_path, *place, *options, "--name", name) for name in ("one", "two")}
    try:
        yield json.loads(note.read_text(encoding="utf-8"))["address"], workers
    finally:
        for process in (*started, *workers.values()):
            process.kill()
            process.wait()


def _started(what: str, folder: Path, *options: str) -> subprocess.Popen[bytes]:
    local = ["--local-directory", os.fspath(folder)] if what == "worker" else []
    return subprocess.Popen(
        [sys.executable, "-m", f"distributed.cli.dask_{what}", *options, *local],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def chunks_of(address: str) -> Mapping[str, int]:
    """Return by the names of workers how many chunks each has been given and has not finished."""
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        names = {worker: about["name"] for worker, about in client.scheduler_info(n_workers=-1)["workers"].items()}
        return {names[worker]: len(tasks) for worker, tasks in client.processing().items()}


@pytest.mark.slow
def test_a_worker_that_is_killed_loses_nothing_and_counts_nothing_twice(
    cluster: tuple[str, dict[str, subprocess.Popen[bytes]]],
) -> None:
    from distributed import Client

    address, workers = cluster
    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=30)
    matches: list[Match] = []
    for match in play_on_cluster(RUN, address):
        if not matches:
            busy = chunks_of(address)
            assert set(busy) == {"one", "two"}
            victim = max(busy, key=lambda name: busy[name])
            # In mid-run: a chunk is done, others are not, and this worker has some of those.
            assert busy[victim] > 0
            workers[victim].kill()
            assert workers[victim].wait() != 0
            lost = busy[victim]
        matches.append(match)
    assert list(chunks_of(address)) == [name for name in workers if name != victim]
    assert lost * CHUNK <= len(matches) - CHUNK
    assert sorted(match.seed for match in matches) == list(RUN.seeds)
    assert in_order(matches) == in_order(play_run(RUN, workers=1))


@pytest.mark.soak  # it waits for a cluster until the time is over
def test_a_cluster_that_is_not_there_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ClusterError, match="there is no Dask cluster"):
        next(play_on_cluster(RUN, "nowhere", connect=1))
    assert run(["simulate", "tests/games/harbour", "--games", "2", "--dask", "nowhere"]) == 2
    assert "there is no Dask cluster at `nowhere`" in capsys.readouterr().err


@pytest.mark.soak
def test_nothing_is_left_of_a_client_that_found_no_cluster() -> None:
    from distributed import Client

    with pytest.raises(ClusterError):
        next(play_on_cluster(RUN, "nowhere", connect=1))
    assert not [one for one in gc.get_objects() if isinstance(one, Client)]
