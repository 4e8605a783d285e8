"""Words like `first+builders+./mine.yaml`, and the files that are read for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from aodrules.arguments import RulesRequest
from aodrules.compose import library
from aodrules.compose.from_documents import compose
from aodrules.compose.library import find, is_path, parse_rules_word
from aodrules.source.diagnostics import Report
from aodrules.syntax.documents import Document
from aodrules.syntax.from_source import read

FILES = {
    "content/hills/tiles.yaml": "tile: {mill: {age: 1}}",
    "content/hills/deep/verbs.yml": "verb: {go: {do: []}}",
    "content/hills/notes.txt": "no document",
    "content/dales/all.yaml": "tile: {barn: {age: 2}}",
    "variants/hills/editions/first.yaml": "# The first one\nedition: first\nincludes: [common]",
    "variants/hills/editions/second.yaml": "edition: second\nbased_on: first",
    "variants/hills/modules.yaml": "module: common\nadd: {tile.den: {age: 1}}",
    "variants/hills/builders.yaml": "name: {en: Builders}\nvariant: builders\nadd: {tile.hut: {age: 1}}",
    "variants/hills/one.yaml": "variant: twin\neditions: [first]",
    "variants/hills/two.yaml": "variant: twin\neditions: [second]",
    "variants/hills/broken.yaml": "variant: broken\n  add: x: y",
    "mine.yaml": "variant: mine\nincludes: [common]",
    "own/tiles.yaml": "tile: {mill: {age: 1}}",
    "own/variants/big.yaml": "variant: big\nchange: {tile.mill.age: 2}",
    "own/editions/old.yaml": "edition: old",
    "late.yaml": "edition: late\ngame: hills\nbased_on: second",
    "towers.yaml": "variant: towers\nbased_on: builders",
    "builders.yaml": "variant: builders",
    "builder.yaml": "variant: builder",
    "walls.yaml": "variant: walls\nrequires: [builder]",
    "lost.yaml": "edition: lost\ngame: ../own",
    "empty/.hidden.yaml": "tile: {}",
}


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(library, "shipped", lambda folder: tmp_path / folder)


def found(word: str) -> tuple[list[str], str | None, list[str], list[str]]:
    """Return the paths that were read, the edition, the variants, and what was said."""
    selection, report = parse_rules_word(word), Report()
    documents, edition, variants = find(selection.base, selection.variants, report, read)
    return [_shown(each) for each in documents], edition, variants, [each.message for each in report]


def _shown(document: Document) -> str:
    return document.source.path


HILLS = ["content/hills/deep/verbs.yml", "content/hills/tiles.yaml"]
FIRST = ["variants/hills/editions/first.yaml", *HILLS, "variants/hills/modules.yaml"]


@pytest.mark.parametrize(
    "word,paths,edition,variants",
    [
        ("hills", HILLS, None, []),
        ("dales", ["content/dales/all.yaml"], None, []),
        ("first", FIRST, "first", []),
        ("hills+first", [*HILLS, FIRST[0], FIRST[-1]], "first", []),
        ("hills+builders", [*HILLS, "variants/hills/builders.yaml"], None, ["builders"]),
        ("hills+mine.yaml", [*HILLS, "mine.yaml", "variants/hills/modules.yaml"], None, ["mine"]),
        ("hills+twin", [*HILLS, "variants/hills/one.yaml", "variants/hills/two.yaml"], None, ["twin"]),
        ("own", ["own/tiles.yaml"], None, []),
        ("./own+big", ["own/tiles.yaml", "own/variants/big.yaml"], None, ["big"]),
        ("own/+old", ["own/tiles.yaml", "own/editions/old.yaml"], "old", []),
        ("own/tiles.yaml+./own/variants/big.yaml", ["own/tiles.yaml", "own/variants/big.yaml"], None, ["big"]),
    ],
)
def test_a_word_stands_for_documents(word: str, paths: list[str], edition: str | None, variants: list[str]) -> None:
    assert found(word) == (paths, edition, variants, [])


def test_an_edition_may_be_given_by_its_path() -> None:
    paths, edition, _, said = found("./late.yaml")
    assert (edition, said) == ("late", [])
    assert {"late.yaml", "variants/hills/editions/second.yaml", "variants/hills/editions/first.yaml"} <= set(paths)


@pytest.mark.parametrize(
    "word,message",
    [
        ("hils", "there is no game or edition `hils`"),
        ("first+bilders", "there is no variant `bilders`"),
        ("first+common", "expected a variant, found the module `common`"),
        ("first+second", "`first` and `second` are both editions, and a ruleset has one"),
        ("first+./late.yaml", "`first` and `late` are both editions, and a ruleset has one"),
        ("nowhere.yaml", "`nowhere.yaml` cannot be read: no such file or directory"),
        ("hills+./nowhere.yaml", "`nowhere.yaml` cannot be read: no such file or directory"),
        ("mine.yaml", "expected a game or an edition, found the variant `mine`"),
        ("empty/", "expected a game or an edition, found a folder without declarations"),
        ("hills+own/tiles.yaml", "expected a variant, found a document without a head"),
        ("own/editions/old.yaml", "the edition `old` does not say which game it belongs to"),
        ("own+mine.yaml", "there is no module `common`, which `mine` names"),
    ],
)
def test_what_is_not_found_is_told_once(word: str, message: str) -> None:
    selection, report = parse_rules_word(word), Report()
    compose(*find(selection.base, selection.variants, report, read), report)
    assert message in [each.message for each in report]
    assert len({each.primary.span for each in report}) == len(report)


@pytest.mark.parametrize(
    "files", [["builders.yaml", "towers.yaml"], ["builder.yaml", "walls.yaml"]], ids=["based on", "required"]
)
def test_what_is_named_by_its_path_is_not_looked_for_by_its_name(files: list[str]) -> None:
    paths, _, variants, said = found("+".join(["hills", *files]))
    assert (paths, variants, said) == ([*HILLS, *files], [Path(file).stem for file in files], [])


def test_a_near_name_is_proposed_and_its_place_in_the_word_shown() -> None:
    report = Report()
    find("first", ["builders", "bulders"], report, read)
    (problem,) = report
    assert (problem.help, problem.path, problem.column) == ("did you mean `builders`?", "rules", 16)


def test_a_document_cannot_name_a_folder_to_be_read() -> None:
    paths, _, _, said = found("lost.yaml")
    assert paths == []
    assert "there is no game or edition `../own`" in said


def test_only_what_is_asked_for_is_read_whole() -> None:
    paths, _, _, said = found("hills+builders")
    assert "variants/hills/broken.yaml" not in paths
    assert said == []


def test_words_round_trip() -> None:
    selection = RulesRequest("first", ("builders", "./mine.yaml"))
    assert parse_rules_word(str(selection)) == selection


@pytest.mark.parametrize(
    "text,expected", [("first", False), ("a.yaml", True), ("./a", True), ("a\\b", True), (".", True)]
)
def test_paths_are_told_from_names(text: str, expected: bool) -> None:
    assert is_path(text) is expected


def test_what_is_found_composes() -> None:
    selection, report = parse_rules_word("second+builders"), Report()
    rules = compose(*find(selection.base, selection.variants, report, read), report)
    assert [each.message for each in report] == []
    assert (rules.edition, rules.variants) == ("second", ("builders",))
    assert sorted(rules.root.plain()["tile"]) == ["den", "hut", "mill"]  # type: ignore[index,call-overload,arg-type]
