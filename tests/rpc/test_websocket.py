"""Several connections at one game over WebSocket, on loopback."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from types import SimpleNamespace
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect as connect_and_wait

from aodrules.rpc import websocket
from aodrules.rpc.service import Limits, Service
from aodrules.rpc.websocket import Address, serve_sockets
from tests.rpc.clients import notification_check


async def send(socket: ClientConnection, method: str, **given: Any) -> Any:
    await socket.send(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": given}))
    reply = json.loads(await socket.recv())
    return reply.get("result", reply.get("error"))


@asynccontextmanager
async def server(limits: Limits | None = None, **more: Any) -> AsyncIterator[str]:
    """Serve on a free port."""
    ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    service = Service(limits or Limits())
    task = asyncio.create_task(serve_sockets(service, Address("127.0.0.1", 0, **more), ready.set_result))
    try:
        yield await ready
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def run(work: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        await asyncio.wait_for(work(), 30)

    asyncio.run(bounded())


def test_two_seats_play_and_each_is_told_what_the_other_did() -> None:
    async def work() -> None:
        async with server() as address, connect(address) as amber, connect(address) as jade:
            opened = await send(amber, "game.new", rules="caravan", seed=1)
            game = opened["game"]
            for socket, seat in ((amber, "amber"), (jade, "jade")):
                await send(socket, "game.join", game=game, seat=seat, key=opened["keys"][seat])
            await send(jade, "game.follow", game=game, language="en")
            await send(amber, "game.answer", game=game, action="swear 2")
            told = json.loads(await jade.recv())
            notification_check(told["method"]).validate(told["params"])
            assert told["params"]["answers"] == 1
            assert {"player": "amber", "text": "swear"} in [
                played for step in told["params"]["patch"] if step["path"] == "/played" for played in step["value"]
            ]
            refused = await send(jade, "game.state", game=game)
            assert refused["data"]["kind"] == "not-permitted"

    run(work)


def test_a_huge_message_and_one_of_bytes_are_refused() -> None:
    async def work() -> None:
        async with server(Limits(message=2000)) as address:
            async with connect(address) as socket:
                await socket.send(b"{}")
                assert "not in UTF-8" in await socket.recv()
                await socket.send("x" * 3000)
                assert "too large" in await socket.recv()
                assert await send(socket, "game.list") == []
            async with connect(address) as socket:
                await socket.send("x" * 9000)
                with pytest.raises(ConnectionClosed, match="1009"):
                    await socket.recv()

    run(work)


def test_pages_of_others_and_too_many_connections_are_sent_away() -> None:
    async def work() -> None:
        async with server(Limits(connections=1), origins=("http://here.example",)) as address:
            with pytest.raises(InvalidStatus):
                async with connect(address, origin="http://there.example"):  # type: ignore[arg-type]  # an origin is a text
                    pass
            async with connect(address, origin="http://here.example") as first:  # type: ignore[arg-type]
                assert await send(first, "game.list") == []
                async with connect(address) as second:
                    with pytest.raises(ConnectionClosed, match="too many connections"):
                        await second.recv()

    run(work)


def test_a_game_stays_open_for_who_comes_back() -> None:
    async def work() -> None:
        async with server() as address:
            async with connect(address) as socket:
                opened = await send(socket, "game.new", rules="nim", seed=1)
            async with connect(address) as socket:
                joined = await send(socket, "game.join", game=opened["game"], key=opened["host_key"])
                assert joined["role"] == "host"

    run(work)


def test_who_does_not_read_is_cut_off() -> None:
    class Transport:
        aborted = 0

        def abort(self) -> None:
            self.aborted += 1

    waiting, connection = asyncio.Queue[str](2), SimpleNamespace(transport=Transport())
    for number in range(3):
        assert connection.transport.aborted == 0
        websocket._put(connection, waiting, str(number))  # type: ignore[arg-type]  # all that is used of one
    assert connection.transport.aborted == 1


@pytest.mark.parametrize("name", [signal.SIGINT, signal.SIGTERM])
def test_a_program_of_its_own_takes_connections_and_ends_gracefully(name: signal.Signals) -> None:
    command = [sys.executable, "-m", "aodrules", "serve", "--rpc", "--port", "0"]
    with subprocess.Popen(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        assert program.stdout is not None
        assert program.stderr is not None
        found = re.fullmatch(r"listening at (ws://127\.0\.0\.1:\d+)\n", program.stdout.readline())
        assert found is not None
        with connect_and_wait(found[1]) as socket:
            socket.send('{"jsonrpc": "2.0", "id": 1, "method": "game.list"}')
            assert json.loads(socket.recv())["result"] == []
            program.send_signal(name)
            with pytest.raises(ConnectionClosed, match="1001"):
                socket.recv()
        assert program.wait(timeout=30) == 0
        assert program.stderr.read() == ""
