"""JSON-RPC over WebSocket: each text is a message, each connection speaks for whoever it joins as."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress

from attrs import define, field, frozen
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode

from aodrules.rpc.service import Service
from aodrules.rpc.sessions import RpcSession

_MOST_WAITING = 1000
"""How many messages may wait for a connection that reads slowly."""
_LARGEST_LETTER = 4
"""How many bytes a letter may have."""


@frozen
class Address:
    """Where connections are taken."""

    host: str
    port: int
    origins: tuple[str, ...] = ()
    """The pages that may connect from a browser; programs always may."""


@define(eq=False)
class Sockets:
    """Takes connections, and answers their messages one after the other."""

    service: Service
    _open: int = field(default=0, init=False)

    async def handle(self, connection: ServerConnection) -> None:
        """Answer one connection until it ends."""
        if self._open >= self.service.limits.connections:
            await connection.close(CloseCode.TRY_AGAIN_LATER, "too many connections")
            return
        self._open += 1
        waiting: asyncio.Queue[str] = asyncio.Queue(_MOST_WAITING)
        writer = asyncio.create_task(_write(connection, waiting))
        session = RpcSession(lambda text: _put(connection, waiting, text))
        try:
            await self._read(connection, session)
        finally:
            self._open -= 1
            self.service.leave(session)
            writer.cancel()

    async def _read(self, connection: ServerConnection, session: RpcSession) -> None:
        with suppress(ConnectionClosed):
            async for message in connection:
                if isinstance(message, str):
                    self.service.receive(session, message)
                else:
                    self.service.refuse_bytes(session)


async def _write(connection: ServerConnection, waiting: asyncio.Queue[str]) -> None:
    with suppress(ConnectionClosed):
        while True:
            await connection.send(await waiting.get())


def _put(connection: ServerConnection, waiting: asyncio.Queue[str], text: str) -> None:
    try:
        waiting.put_nowait(text)
    except asyncio.QueueFull:
        # Who does not read must not fill the memory of all others.
        connection.transport.abort()


async def serve_sockets(service: Service, address: Address, ready: Callable[[str], None]) -> None:
    """Take connections until somebody asks to end; then tell all that are open, and end.

    Args:
        service: What answers.
        address: Where connections are taken; the port 0 is any that is free.
        ready: Called with the address as others write it, as soon as connections are taken.
    """
    stop = asyncio.Event()
    _stop_upon_signals(stop)
    origins: Sequence[str | None] = (None, *address.origins)
    largest = service.limits.message * _LARGEST_LETTER
    handle = Sockets(service).handle
    async with serve(handle, address.host, address.port, origins=origins, max_size=largest) as server:  # type: ignore[arg-type]  # an origin is a text with a name of its own
        ready(_shown(server, address))
        await stop.wait()


def _stop_upon_signals(stop: asyncio.Event) -> None:
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(name, stop.set)
        except NotImplementedError:  # where the loop knows no signals
            signal.signal(name, lambda *_: loop.call_soon_threadsafe(stop.set))


def _shown(server: Server, address: Address) -> str:
    port = next(iter(server.sockets)).getsockname()[1]
    host = f"[{address.host}]" if ":" in address.host else address.host
    return f"ws://{host}:{port}"
