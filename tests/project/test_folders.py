"""Tests lie where their subject does: folders of tests mirror those of the package, but for those that say why not."""

from __future__ import annotations

from pathlib import Path

from tests.project.modules import CHECKOUT

# What no single folder of the package answers for.
OF_THEIR_OWN: dict[str, str] = {
    "benchmarks": "mirrors the folder of scripts beside the package",
    "content": "the games that ship, and their recorded games; the two latest have folders of their own in it",
    "counts": "data: how many sequences of answers there are",
    "diagnostics": "every message of every stage, as a golden text",
    "docs": "pages, and what they show",
    "editor": "real language servers with the schemas",
    "engines": "both engines, which must agree",
    "games": "small games to test with",
    "playthroughs": "data: recorded games",
    "project": "the code itself",
    "properties": "what must hold of documents changed at random, in all stages",
}


def folders(top: Path) -> set[str]:
    """Return the folders under another that hold Python, by their path from there."""
    found = {path.parent.relative_to(top).as_posix() for path in top.rglob("*.py")}
    return {name for name in found if name != "."}


def test_each_folder_of_tests_has_a_folder_of_the_package() -> None:
    tested, package = folders(CHECKOUT / "tests"), folders(CHECKOUT / "aodrules")
    assert {name for name in tested if name.split("/")[0] not in OF_THEIR_OWN} <= package


def test_the_exceptions_are_folders_of_tests_and_not_of_the_package() -> None:
    there = {path.name for path in (CHECKOUT / "tests").iterdir() if path.is_dir()}
    assert OF_THEIR_OWN.keys() <= there
    assert not OF_THEIR_OWN.keys() & folders(CHECKOUT / "aodrules")


def test_each_folder_of_the_package_has_tests() -> None:
    tops = {name.split("/")[0] for name in folders(CHECKOUT / "aodrules")}
    assert tops <= folders(CHECKOUT / "tests")
