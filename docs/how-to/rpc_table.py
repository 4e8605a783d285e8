"""Two players at one table, each with a connection of its own: python rpc_table.py ws://127.0.0.1:8765 [RULES]."""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack
from typing import Any

from websockets.sync.client import ClientConnection, connect


class Connection:
    """One who is connected: it asks, and keeps what it is told without asking."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self.told: list[Any] = []

    def call(self, method: str, **given: Any) -> Any:
        """Return the result of a method."""
        self._socket.send(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": given}))
        while "id" not in (message := json.loads(self._socket.recv())):
            self.told.append(message["params"])
        if "error" in message:
            raise ValueError(message["error"]["message"])
        return message["result"]

    def wait(self) -> Any:
        """Return what is told next."""
        return self.told.pop(0) if self.told else json.loads(self._socket.recv())["params"]


def play(host: Connection, players: list[Connection], rules: str) -> None:
    """Play a game to its end, always with the last of the possible answers."""
    opened = host.call("game.new", rules=rules, players=len(players), seed=1)
    game, seats = opened["game"], dict(zip(opened["seats"], players, strict=True))
    for seat, player in seats.items():  # each key goes to whoever plays the seat
        player.call("game.join", game=game, key=opened["keys"][seat])
        player.call("game.follow", game=game, language="en")
    while not (position := host.call("game.view", game=game))["over"]:
        decider = seats[position["view"]["decision"]["player"]]
        actions = decider.call("game.view", game=game)["view"]["actions"]
        decider.call("game.answer", game=game, action=actions[-1], after=position["answers"])
        for seat, player in seats.items():
            told = player.wait()
            print(f"{seat} is told after {told['answers']}: {'; '.join(told['words']['events'])}")
    print(*(f"{one['place']}. {one['player']}" for one in host.call("game.ranking", game=game)))


def main(address: str, rules: str = "nim") -> None:
    """Connect three times, as three programs would."""
    with ExitStack() as stack:
        host, *players = (Connection(stack.enter_context(connect(address))) for _ in range(3))
        play(host, players, rules)


if __name__ == "__main__":
    main(*sys.argv[1:])
