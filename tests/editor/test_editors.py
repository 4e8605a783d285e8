"""What authors see in an editor with the YAML language server, and what `check-jsonschema` says, both the real ones."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from aodrules.authoring.starters import game_schema, schema_line, starters
from aodrules.source.shipped import shipped
from tests.editor.language_server import Client

HEAD = f"{schema_line('aod.schema.json')}\nvariant: slip\nhouse: true\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the schema of the game, as `aodrules new` makes it."""
    found = tmp_path_factory.mktemp("rules")
    (found / "aod.schema.json").write_text(json.dumps(game_schema("aod")), encoding="utf-8")
    return found


@pytest.fixture(scope="module")
def editor(folder: Path) -> Iterator[Client]:
    client = Client(folder)
    yield client
    client.close()


def offered(editor: Client, text: str) -> list[str]:
    """Return what the editor offers where the bar stands."""
    before = (HEAD + text).partition("|")[0].split("\n")
    name = f"{abs(hash(text))}.yaml"
    editor.open(name, HEAD + text.replace("|", ""))
    return editor.complete(name, len(before) - 1, len(before[-1]))


@pytest.mark.parametrize(
    "text, some",
    [
        ("effects:\n  dear:\n    modify: |\n", ["price", "income", "war_price"]),
        ("effects:\n  dear:\n    upon: |\n", ["settled", "bought"]),
        ("effects:\n  dear:\n    |\n", ["modify", "offer", "upon"]),
        ("insert:\n  - before: |\n    do: []\n", ["verb.eight_turns.refresh", "verb.set_up.money"]),
        ("move:\n  - step: |\n", ["verb.eight_turns.refresh", "verb.set_up.money"]),
        ("change:\n  building.|\n", ["building.monastery.age", "age.I.price"]),
        ("add:\n  building:\n    tea_house:\n      |\n", ["age", "points", "every_turn", "own"]),
        ("add:\n  building:\n    tea_house:\n      age: |\n", ["I", "II", "III"]),
        ("add:\n  building:\n    tea_house:\n      every_turn:\n        - |\n", ["gain", "recruit", "move", "choose"]),
        ("add:\n  region:\n    peninsula:\n      grows: |\n", ["sugar", "coffee"]),
        ("add:\n  building:\n    columns: [|]\n", ["age", "points", "every_turn"]),
        ("add:\n  building:\n    |\n", ["clauses", "columns", "monastery"]),
        ("|\n", ["editions", "requires", "change", "scenario"]),
    ],
)
def test_an_editor_completes_the_ids_of_the_game(editor: Client, text: str, some: list[str]) -> None:
    found = offered(editor, text)
    assert [word for word in some if word not in found] == []


def test_an_editor_explains_keys_and_what_stands_at_an_address(editor: Client) -> None:
    text = HEAD + "change:\n  building.monastery.age: II\neffects:\n  dear:\n    modify: price\n    add: 1\n"
    assert editor.open("hover.yaml", text) == []
    assert "Now: I" in editor.hover("hover.yaml", 4, 6)
    assert "As declared under" in editor.hover("hover.yaml", 7, 6)
    assert "Its rules need no clause" in editor.hover("hover.yaml", 2, 2)


@pytest.mark.parametrize(
    "text, line, word",
    [
        ("efects: {}\n", 3, "efects"),
        ("add: {building: {tea_house: {age: I, pionts: 3}}}\n", 3, "pionts"),
        ("effects: {dear: {modify: prise, add: 1}}\n", 3, "prise"),
        ("change: {bilding.factory.points: 3}\n", 3, "bilding.factory.points"),
        ("add: {building: {tea_house: {age: I, every_turn: [{gian: 3}]}}}\n", 3, "gian"),
        ("insert:\n  - after: verb.set_up.money\n    do: [{if: true, then: [refrsh]}]\n", 5, "refrsh"),
        ("effects:\n  gift:\n    upon: settled\n    do:\n      - gian: 3\n", 7, "gian"),
    ],
)
def test_an_editor_marks_what_is_wrong(editor: Client, text: str, line: int, word: str) -> None:
    found = editor.open(f"wrong-{word}.yaml", HEAD + text)
    marked = [problem["range"] for problem in found]
    start = text.splitlines()[line - 3].index(word)
    assert any(each["start"]["line"] == line and each["start"]["character"] <= start for each in marked), found


def test_an_editor_lets_a_document_use_verbs_of_its_own(editor: Client) -> None:
    insert = "insert: [{after: verb.set_up.money, do: [feast]}]\n"
    assert editor.open("unknown-verb.yaml", HEAD + insert)
    own = f"{HEAD}add: {{verb.feast: {{do: [stop]}}}}\n"
    assert editor.open("own-verb.yaml", own + insert) == []
    editor.open("own-and-known.yaml", f"{own}insert:\n  - after: verb.set_up.money\n    do:\n      - \n")
    assert {"gain", "recruit", "move"} <= set(editor.complete("own-and-known.yaml", 7, 8))


@pytest.mark.parametrize("name", sorted(starters("aod")))
def test_an_editor_marks_nothing_in_a_starter(editor: Client, name: str) -> None:
    text = starters("aod")[name].named("long-night")
    assert editor.open(f"{name}.yaml", f"{schema_line('aod.schema.json')}\n{text}") == []


# The other real validator.


def checked(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "check_jsonschema", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


def test_the_shipped_schemas_are_schemas() -> None:
    done = checked("--check-metaschema", *sorted(shipped("schemas").glob("*.json")))
    assert done.returncode == 0, done.stdout


def test_the_schema_of_the_game_is_a_schema_and_fits_what_ships(folder: Path) -> None:
    schema = folder / "aod.schema.json"
    assert checked("--check-metaschema", schema).returncode == 0
    paths = [*shipped("content").joinpath("aod").rglob("*.yaml"), *shipped("variants").joinpath("aod").rglob("*.yaml")]
    done = checked("--schemafile", schema, *sorted(paths))
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    "text, word",
    [
        ("efects: {}\n", "efects"),
        ("add: {building: {tea_house: {age: I, every_turn: [{gian: 3}]}}}\n", "gian"),
        ("insert: [{after: verb.set_up.money, do: [refrsh]}]\n", "refrsh"),
    ],
)
def test_check_jsonschema_finds_what_is_misspelt(text: str, word: str, folder: Path) -> None:
    wrong = folder / f"misspelt-{word}.yaml"
    wrong.write_text(f"variant: slip\n{text}", encoding="utf-8")
    done = checked("--schemafile", folder / "aod.schema.json", wrong)
    assert done.returncode == 1
    assert word in done.stdout
