"""Forty lines of JavaScript play a whole game in Chromium: with picture, three languages, reasons and undo."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from zlib import crc32

import pytest

from tests.docs.blocks import DOCS, blocks_of
from tests.docs.chromium import CHROMIUM, REASON, Page, opened

PAGE = DOCS / "how-to" / "table-page.html"
STATE = """
(async () => {
  const here = (id) => document.getElementById(id);
  while (here("answers").ariaBusy !== "false") await new Promise((done) => setTimeout(done, 5));
  return {
    asked: here("asked").textContent,
    answers: [...here("answers").children].map((one) => [one.textContent, one.disabled, one.title]),
    told: here("told").textContent,
    picture: here("picture").innerHTML,
    title: here("picture").querySelector("svg > title").textContent,
  };
})()
"""


class Quiet(SimpleHTTPRequestHandler):
    """Gives out files and says nothing of it."""

    def log_message(self, *_given: Any) -> None:
        """Say nothing."""


@contextmanager
def served() -> Iterator[str]:
    """Serve the page, and the games behind it; return the address of the page."""
    pages = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=PAGE.parent))
    Thread(target=pages.serve_forever, daemon=True).start()
    site = f"http://127.0.0.1:{pages.server_port}"
    command = [sys.executable, "-m", "aodrules", "serve", "--rpc", "--port", "0", "--origin", site]
    with subprocess.Popen(command, text=True, stdout=subprocess.PIPE) as games:
        assert games.stdout is not None
        port = games.stdout.readline().rsplit(":", 1)[1].strip()
        try:
            yield f"{site}/{PAGE.name}?port={port}"
        finally:
            games.terminate()
            pages.shutdown()
            pages.server_close()
        assert games.wait(timeout=30) == 0


def state(page: Page) -> dict[str, Any]:
    """Return what the page shows when it waits for somebody."""
    found: dict[str, Any] = page.value(STATE)
    assert page.said == []
    found["picture"] = crc32(found["picture"].encode())
    return found


def press(page: Page, number: int) -> dict[str, Any]:
    """Press one of the answers."""
    page.value(f"document.getElementById('answers').children[{number}].click()")
    return state(page)


def in_language(page: Page, language: str) -> dict[str, Any]:
    """Choose a language."""
    page.value(
        f"document.getElementById('language').value = '{language}',"
        "document.getElementById('language').dispatchEvent(new Event('change'))"
    )
    return state(page)


def test_the_page_shows_the_file_and_its_program_has_forty_lines() -> None:
    (block,) = [block for block in blocks_of(DOCS / "how-to" / "whole-game.md") if block.language == "html"]
    assert block.text == PAGE.read_text(encoding="utf-8")
    program = block.text.partition('<script type="module">\n')[2].partition("</script>")[0]
    assert len(program.splitlines()) <= 40
    assert "\n\n" not in program


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served() as found:
        yield found


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason=REASON)
def test_it_shows_picture_three_languages_and_reasons_and_takes_back(address: str, tmp_path: Path) -> None:
    with opened(address, tmp_path) as page:
        shown = state(page)
        assert shown["title"] == "Age of Discovery"
        for language, question, answer in (
            ("pl", "Umieść robotnika", "Umieść"),
            ("ru", "Поставьте рабочего", "Поставить"),
        ):
            shown = in_language(page, language)
            assert shown["asked"] == f"blue: {question}"
            assert any(label.startswith(answer) for label, _, _ in shown["answers"])
        first = in_language(page, "en")
        shown = press(page, possible(first)[0])
        reasons = {title for _, is_disabled, title in shown["answers"] if is_disabled}
        assert "You have no Captain available." in reasons
        assert "" not in reasons
        for _ in range(2):
            shown = press(page, possible(shown)[0])
        assert shown["told"].startswith("blue Colonist: Available workers")
        assert shown["picture"] != first["picture"]
        back = undo(page)
        assert "red" in back["told"], "red was asked already"
        assert {**back, "told": ""} == first


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason=REASON)
@pytest.mark.parametrize("rules, asked", [("tempus", "Lay the tile you drew"), ("emprise", "no rules `emprise` ship")])
def test_it_plays_any_game_and_says_what_goes_wrong(rules: str, asked: str, address: str, tmp_path: Path) -> None:
    with opened(f"{address}&rules={rules}", tmp_path) as page:
        found = page.value(STATE.replace("return {", "return here('asked').textContent; return {"))
        assert asked in found


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason=REASON)
def test_it_plays_a_whole_game(address: str, tmp_path: Path) -> None:
    chance, drawn = random.Random(1), 0
    with opened(f"{address}&rules=caravan", tmp_path) as page:
        shown = state(page)
        for number in range(1, 1000):
            if not shown["answers"]:
                break
            before, shown = shown["picture"], press(page, chance.choice(possible(shown)))
            drawn += shown["picture"] != before
            if number % 25 == 0:
                shown = undo(page)
    assert "wins" in shown["asked"]
    assert drawn > 20


def possible(shown: dict[str, Any]) -> list[int]:
    """Return the numbers of the answers that can be pressed."""
    return [place for place, (_, is_disabled, _) in enumerate(shown["answers"]) if not is_disabled]


def undo(page: Page) -> dict[str, Any]:
    """Take back the last turn."""
    page.value("document.getElementById('undo').click()")
    return state(page)
