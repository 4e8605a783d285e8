"""A page in Chromium without a window, asked by its own protocol."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from attrs import define, field
from websockets.sync.client import ClientConnection, connect

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
REASON = "Chromium is not installed here"
_PATIENCE = 60
_OPTIONS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-port=0")


@define(eq=False)
class Page:
    """A page that is open."""

    _socket: ClientConnection
    said: list[str] = field(factory=list, init=False)
    """What went wrong in it."""
    _number: int = field(default=0, init=False)

    def ask(self, method: str, **given: Any) -> Any:
        """Return the result of a method of the protocol."""
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": given}))
        while (message := json.loads(self._socket.recv(_PATIENCE))).get("id") != self._number:
            if message["method"] == "Runtime.exceptionThrown":
                details = message["params"]["exceptionDetails"]
                self.said.append(details.get("exception", {}).get("description", details["text"]))
        assert "error" not in message, message["error"]
        return message["result"]

    def wait_for(self, event: str) -> None:
        """Wait until the browser tells of something."""
        while json.loads(self._socket.recv(_PATIENCE)).get("method") != event:
            pass

    def value(self, script: str) -> Any:
        """Return what JavaScript comes to, after what it waits for."""
        found = self.ask("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")


@contextmanager
def opened(address: str, folder: Path) -> Iterator[Page]:
    """Open a page in a browser of its own.

    Args:
        address: Where the page is.
        folder: Where the browser keeps what it writes.
    """
    assert CHROMIUM is not None
    command = [CHROMIUM, *_OPTIONS, f"--user-data-dir={folder}", "about:blank"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as browser:
        try:
            with urlopen(f"http://127.0.0.1:{_port(folder)}/json", timeout=_PATIENCE) as reply:
                (target,) = [each for each in json.load(reply) if each["type"] == "page"]
            with connect(target["webSocketDebuggerUrl"], max_size=None) as socket:
                page = Page(socket)
                page.ask("Runtime.enable")
                page.ask("Page.enable")
                page.ask("Page.navigate", url=address)
                page.wait_for("Page.loadEventFired")
                yield page
        finally:
            browser.kill()  # it has nothing to keep


def _port(folder: Path) -> int:
    """Return where the browser listens; it writes that down when it does."""
    written, until = folder / "DevToolsActivePort", time.monotonic() + _PATIENCE
    while not (written.exists() and written.read_text(encoding="utf-8").strip()):
        assert time.monotonic() < until, "the browser did not begin"
        time.sleep(0.05)
    return int(written.read_text(encoding="utf-8").splitlines()[0])
