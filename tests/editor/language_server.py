"""The real `yaml-language-server`, installed from npm into `.cache/`, and a client that speaks its protocol."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Any, NoReturn

import pytest

CHECKOUT = Path(__file__).parents[2]
VERSION = "1.18.0"
FOLDER = CHECKOUT / ".cache" / "editor"
SERVER = FOLDER / "node_modules" / ".bin" / "yaml-language-server"
PATIENCE = 60.0


def installed_server() -> Path:
    """Return the server, installed once; where that is not possible say so, and fail where it must be possible."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        stamp = FOLDER / f"installed-{VERSION}"
        if not (stamp.exists() and SERVER.exists()):
            _install()
            stamp.touch()
    return SERVER


def _install() -> None:
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        _missing("node and npm are not installed")
    command = [str(npm), "install", "--prefix", str(FOLDER), "--no-audit", "--no-fund", "--loglevel=error"]
    wanted = f"yaml-language-server@{VERSION}"
    try:
        done = subprocess.run([*command, wanted], capture_output=True, text=True, check=False, timeout=90)
    except subprocess.TimeoutExpired:
        _missing("npm did not answer in time")
    if done.returncode:
        _missing(f"npm could not install it: {done.stderr.strip()[-300:]}")


def _missing(why: str) -> NoReturn:
    told = f"the YAML language server cannot be tested: {why}"
    if os.environ.get("CI"):
        pytest.fail(told)
    pytest.skip(told)


class Client:
    """An editor that has one folder open."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._process = subprocess.Popen(
            [str(installed_server()), "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder
        )
        self._messages: Queue[dict[str, Any]] = Queue()
        self._number = 0
        Thread(target=self._listen, daemon=True).start()
        self._request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": folder.as_uri(),
                "workspaceFolders": [{"uri": folder.as_uri(), "name": "rules"}],
                "capabilities": {"textDocument": {"hover": {"contentFormat": ["markdown"]}}},
            },
        )
        self._notify("initialized", {})
        settings = {"yaml": {"validate": True, "hover": True, "completion": True, "schemaStore": {"enable": False}}}
        self._notify("workspace/didChangeConfiguration", {"settings": settings})

    def close(self) -> None:
        """End the server."""
        self._process.terminate()
        self._process.wait(timeout=20)
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            stream.close()

    def open(self, name: str, text: str) -> list[dict[str, Any]]:
        """Open a document and return what is marked in it."""
        uri = (self.folder / name).as_uri()
        document = {"uri": uri, "languageId": "yaml", "version": 1, "text": text}
        self._notify("textDocument/didOpen", {"textDocument": document})
        while True:
            message = self._next()
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri:
                return list(message["params"]["diagnostics"])

    def complete(self, name: str, line: int, column: int) -> list[str]:
        """Return what is offered at a place; lines and columns are counted from 0."""
        found = self._request("textDocument/completion", self._place(name, line, column))
        items = found["items"] if isinstance(found, dict) else found or []
        return [str(item["label"]) for item in items]

    def hover(self, name: str, line: int, column: int) -> str:
        """Return what is said about a place."""
        found = self._request("textDocument/hover", self._place(name, line, column))
        return "" if found is None else str(found["contents"]["value"])

    def _place(self, name: str, line: int, column: int) -> dict[str, Any]:
        return {
            "textDocument": {"uri": (self.folder / name).as_uri()},
            "position": {"line": line, "character": column},
        }

    def _notify(self, method: str, params: dict[str, Any]) -> None:
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def _request(self, method: str, params: dict[str, Any]) -> Any:
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        while True:
            message = self._next()
            if message.get("id") == self._number and "method" not in message:
                assert "error" not in message, message
                return message["result"]

    def _next(self) -> dict[str, Any]:
        """Return the next message; questions of the server are answered with nothing."""
        try:
            message = self._messages.get(timeout=PATIENCE)
        except Empty:
            raise TimeoutError("the language server is silent") from None
        if "id" in message and "method" in message:
            items = message.get("params", {}).get("items", []) if "configuration" in message["method"] else []
            self._send({"jsonrpc": "2.0", "id": message["id"], "result": [None for _ in items] or None})
        return message

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps(message).encode()
        stream = self._process.stdin
        assert stream is not None
        stream.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        stream.flush()

    def _listen(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        while True:
            length = 0
            while line := stream.readline().strip():
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if not length:
                return
            self._messages.put(json.loads(stream.read(length)))
