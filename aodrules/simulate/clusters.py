"""Runs on a Dask cluster: workers may come and go, each game counts once."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from aodrules.errors import AodrulesError
from aodrules.simulate.matches import Match
from aodrules.simulate.runs import Run, chunks_left, play_chunk


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
    client = _connected(address, connect)
    if client is None:
        # Half a client is left in a cycle and closes itself when it is collected. That must be now: in the thread of
        # another client that is being started, closing and starting would wait for each other.
        gc.collect()
        raise ClusterError(f"there is no Dask cluster at `{address}`")
    with client:
        yield client


def _connected(address: str, connect: float) -> Any:
    try:
        from distributed import Client
    except ImportError as missing:
        raise ClusterError("a Dask cluster needs the extra `dask`: install `aodrules[dask]`") from missing
    try:
        return Client(address, timeout=connect, set_as_default=False)
    except (OSError, ValueError):
        return None
