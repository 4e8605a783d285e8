"""`aodrules serve`: the library for programs in other languages."""

from __future__ import annotations

import asyncio
import json
from importlib.util import find_spec

import click

from aodrules.cli.output import echo
from aodrules.rpc.methods import description
from aodrules.rpc.service import Limits, Service
from aodrules.rpc.stdio import serve_lines
from aodrules.source.wording import quote


@click.command()
@click.option("--rpc", is_flag=True, help="Answer JSON-RPC 2.0 on standard input and output, a message on each line.")
@click.option("--port", type=click.IntRange(0, 65535), help="Answer over WebSocket at this port instead; 0 is any.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address for WebSocket.")
@click.option("--origin", "origins", multiple=True, help="A page that may connect from a browser; may be given again.")
@click.option("--allow-paths", is_flag=True, help="Let who connects load rules from files and folders here.")
@click.option(
    "--games", type=click.IntRange(min=1), default=Limits().games, show_default=True, help="The most games open."
)
@click.option(
    "--largest",
    type=click.IntRange(min=1024),
    default=Limits().message,
    show_default=True,
    help="The most characters in a message.",
)
@click.option("--describe", is_flag=True, help="Print what describes all methods, a document of OpenRPC, and end.")
def serve(
    *,
    rpc: bool,
    port: int | None,
    host: str,
    origins: tuple[str, ...],
    allow_paths: bool,
    games: int,
    largest: int,
    describe: bool,
) -> int:
    """Let programs in other languages play, by JSON-RPC on standard input and output or over WebSocket.

    Send {"jsonrpc": "2.0", "id": 1, "method": "game.new", "params": {"rules": "nim"}} on one line, and it answers.
    It ends with the input, or when it is interrupted.

    Example: aodrules serve --rpc

    Example: aodrules serve --describe
    """
    if describe:
        echo(json.dumps(description(), indent=1, ensure_ascii=False))
        return 0
    if not rpc:
        raise click.UsageError("say what to serve: `--rpc`, or `--describe` to see what that offers")
    service = Service(Limits(games, largest), allow_paths)
    if port is None:
        serve_lines(service)
        return 0
    return _serve_sockets(service, host, port, origins)


def _serve_sockets(service: Service, host: str, port: int, origins: tuple[str, ...]) -> int:
    if find_spec("websockets") is None:
        raise click.UsageError(
            "WebSocket needs an extra: `pip install 'aodrules[serve]'`; without it `aodrules serve --rpc` answers on "
            "standard input and output"
        )
    from aodrules.rpc.websocket import Address, serve_sockets  # lazy: an extra brings what it needs

    try:
        asyncio.run(serve_sockets(service, Address(host, port, origins), lambda shown: echo(f"listening at {shown}")))
    except OSError as wrong:
        raise click.UsageError(f"{quote(f'{host}:{port}')} cannot be listened at: {wrong.strerror or wrong}") from None
    return 0
