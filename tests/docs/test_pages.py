"""Pages stand on each other: links lead somewhere, decisions are numbered, one sentence stands on one line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.blocks import DOCS, ROOT, pages
from tests.docs.python_reference import members_of

_LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\((?P<target>[^)\s]+)\)")
_FENCED = re.compile(r"^[ ]*```.*?^[ ]*```[ ]*$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_DIRECTIVE = re.compile(r"^::: ([\w.]+)$", re.MULTILINE)
_MODULE = re.compile(r"`(?:aodrules/)?(?P<path>[a-z_]+(?:/[a-z_]+)*/(?:[a-z_]+\.py)?)`")
_SENTENCE_END = re.compile(r"[a-z)`]{2}[.!?] [A-Z]")


def prose(page: Path) -> str:
    """Return a page without its code."""
    return _FENCED.sub("", page.read_text(encoding="utf-8"))


def anchors(page: Path) -> set[str]:
    text = page.read_text(encoding="utf-8")
    headings = _HEADING.findall(re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    said = {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}
    return said | {each for name in _DIRECTIVE.findall(text) for each in (name, *members_of(name))}


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for found in _LINK.finditer(prose(page)):
        path, _, anchor = found["target"].partition("#")
        if path.startswith(("https://", "http://")):
            continue
        target = (page.parent / path).resolve() if path else page
        assert target.is_file(), found["target"]
        assert not anchor or anchor in anchors(target), found["target"]


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_a_line_holds_one_sentence(page: Path) -> None:
    lines = [line for line in prose(page).splitlines() if not line.lstrip().startswith(("|", "#", "- "))]
    assert [line for line in lines if _SENTENCE_END.search(line)] == []


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_modules_and_folders_that_are_named_are_there(page: Path) -> None:
    named = {found["path"] for found in _MODULE.finditer(page.read_text(encoding="utf-8"))}
    in_wheel = {path for path in named if path.startswith("_data/")}
    assert {path for path in named if not any((root / path).exists() for root in (ROOT, ROOT / "aodrules"))} == in_wheel


def test_every_page_is_led_to() -> None:
    """Pages of errors and decisions are listed on their index pages, all others in the menu of the site."""
    menu = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    listed = set(re.findall(r"[\w/-]+\.md", menu))
    for folder in ("errors", "design"):
        index = (DOCS / folder / "index.md").read_text(encoding="utf-8")
        listed |= {f"{folder}/{name}" for name in re.findall(r"\(([\w-]+\.md)\)", index)}
    assert {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")} == listed


def test_decisions_are_numbered_and_no_number_comes_twice() -> None:
    names = sorted(path.name for path in (DOCS / "design").glob("*.md") if path.name != "index.md")
    assert all(re.fullmatch(r"\d{4}-[a-z0-9-]+\.md", name) for name in names)
    numbers = [name[:4] for name in names]
    assert numbers == sorted(set(numbers))


def test_a_page_of_design_bears_its_number() -> None:
    for path in (DOCS / "design").glob("[0-9]*.md"):
        assert path.read_text(encoding="utf-8").startswith(f"# {path.name[:4]}")
