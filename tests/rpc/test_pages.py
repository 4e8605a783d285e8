"""The examples on the page are run: what goes in and out, the client in JavaScript, the table over WebSocket."""

from __future__ import annotations

import doctest
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.blocks import DOCS, blocks_of
from tests.rpc.clients import Client

PAGE = DOCS / "how-to" / "serve-other-programs.md"
SCRIPT = DOCS / "how-to" / "rpc-client.mjs"
TABLE = DOCS / "how-to" / "rpc_table.py"
EXCHANGES = [block for block in blocks_of(PAGE) if "-->" in block.text]
IDS = re.compile(r'"game":"([^"]+)"')
STATES = re.compile(r'"state":"((?:[^"\\]|\\.)+)"')
NODE = shutil.which("node")


@pytest.mark.parametrize("block", EXCHANGES, ids=lambda block: block.id)
def test_what_comes_out_is_what_the_page_shows(block: object) -> None:
    client, real = Client(), dict[str, str]()
    lines = block.text.splitlines()  # type: ignore[attr-defined]
    for sent, shown in zip(lines[::2], lines[1::2], strict=True):
        text = sent.removeprefix("--> ")
        for shown_id, real_id in real.items():
            text = text.replace(json.dumps(shown_id), json.dumps(real_id))
        reply = json.dumps(client.send(text), ensure_ascii=False, separators=(",", ":"))
        for pattern in (IDS, STATES):
            on_page, found = pattern.search(shown), pattern.search(reply)
            if on_page and found:
                real[on_page[1]] = json.loads(f'"{found[1]}"')
                reply = reply.replace(found[0], on_page[0])
        assert doctest.OutputChecker().check_output(
            shown.removeprefix("<-- ") + "\n", reply + "\n", doctest.ELLIPSIS
        ), f"{shown}\n{reply}"


def test_the_page_shows_the_files() -> None:
    blocks = {block.language: block.text for block in blocks_of(PAGE)}
    assert blocks["js"] == SCRIPT.read_text(encoding="utf-8")
    assert blocks["python"] == TABLE.read_text(encoding="utf-8")
    assert len(blocks["js"].splitlines()) < 60


def environment(folder: Path) -> dict[str, str]:
    """Return an environment in which `aodrules` is that of this Python."""
    command = folder / "aodrules"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m aodrules "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    return {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


@pytest.mark.skipif(NODE is None, reason="Node is not installed here")
def test_the_client_in_javascript_plays_a_whole_game(tmp_path: Path) -> None:
    done = subprocess.run(
        [NODE or "", SCRIPT, "caravan", "pl"],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "amber: Swear: Swear: 3"
    assert "  Koniec gry" in lines
    assert lines[-1] == "unknown-action: the game is over"
    assert re.match(r"1\. \w+ \(total\(player\) \d+", lines[-3])


def test_the_players_of_the_table_are_told_what_each_other_did() -> None:
    serve = [sys.executable, "-m", "aodrules", "serve", "--rpc", "--port", "0"]
    with subprocess.Popen(serve, text=True, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        address = server.stdout.readline().split()[-1]
        done = subprocess.run(
            [sys.executable, TABLE, address], capture_output=True, text=True, check=False, timeout=120
        )
        server.terminate()
        assert server.wait(timeout=30) == 0
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("first is told after 1: ")
    assert lines[1] == lines[0].replace("first is", "second is", 1)
    assert re.match(r"1\. \w+ 2\. \w+", lines[-1])
