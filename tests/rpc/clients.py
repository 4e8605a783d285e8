"""A client in the same process, which holds every reply to the schema of its method."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from aodrules.rpc.methods import description
from aodrules.rpc.service import Limits, Service
from aodrules.rpc.sessions import RpcSession


@cache
def described() -> dict[str, Any]:
    """Return the document that describes all methods."""
    return description()


@cache
def result_check(method: str) -> Draft202012Validator:
    """Return what checks the results of a method."""
    (found,) = (each for each in described()["methods"] if each["name"] == method)
    return _check(found["result"]["schema"])


@cache
def notification_check(name: str) -> Draft202012Validator:
    """Return what checks what is told without being asked."""
    return _check(described()["x-notifications"][name]["params"])


@cache
def problem_check() -> Draft202012Validator:
    """Return what checks the data of errors."""
    return _check({"$ref": "#/components/schemas/ProblemData"})


def _check(schema: dict[str, Any]) -> Draft202012Validator:
    return Draft202012Validator({"components": described()["components"], **schema})


class RefusedError(Exception):
    """What a client is told instead of a result."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(error["message"])
        self.code, self.message, self.data = error["code"], error["message"], error["data"]
        self.kind = self.data["kind"]


class Client:
    """One connection to a service."""

    def __init__(self, service: Service | None = None, *, check: bool = True) -> None:
        self.check = check
        self.service = service or Service(Limits(games=20))
        self.received: list[dict[str, Any]] = []
        self.session = RpcSession(lambda text: self.received.append(json.loads(text)))
        self._number = 0

    def send(self, text: str) -> Any:
        """Send any text; return the reply, if there is one."""
        before = len(self.received)
        self.service.receive(self.session, text)
        return self.received.pop(before) if len(self.received) > before else None

    def call(self, method: str, **parameters: Any) -> Any:
        """Return the result of a method, which fits its schema."""
        self._number += 1
        request = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": parameters}
        reply = self.send(json.dumps(request))
        assert reply["id"] == self._number
        if "error" in reply:
            problem_check().validate(reply["error"]["data"])
            raise RefusedError(reply["error"])
        if self.check:
            result_check(method).validate(reply["result"])
        return reply["result"]

    def told(self) -> list[dict[str, Any]]:
        """Return what was told since without being asked; each fits its schema."""
        found, self.received = self.received, []
        for each in found if self.check else ():
            notification_check(each["method"]).validate(each["params"])
        return found

    def new(self, rules: str = "nim", **more: Any) -> str:
        """Begin a game and return its id."""
        id_: str = self.call("game.new", rules=rules, seed=1, **more)["game"]
        return id_
