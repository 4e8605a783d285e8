"""Rule texts: the clauses of exactly one composition, changes marked and attributed, components, examples that pass."""

from __future__ import annotations

from pathlib import Path

import pytest

import aodrules
from aodrules.authoring.rule_text import RuleText, example_lines
from aodrules.authoring.text_blocks import Block, Heading, Items, Paragraph, Rows, to_html, to_markdown
from aodrules.cli.main import run
from aodrules.testing import read_suite
from tests.playing import GAMES, rules_of

NIM = GAMES / "nim.yaml"


def text_of(variant: str, folder: Path, *, examples: bool = False) -> str:
    path = folder / "mine.yaml"
    path.write_text(f"variant: mine\nname: {{en: My Nim}}\nhouse: true\n{variant}", encoding="utf-8")
    rules = aodrules.load(NIM, [path], cache=False)
    return to_markdown(RuleText(rules, rules_of("nim.yaml"), examples=examples).blocks())


def test_the_text_holds_every_clause_and_component() -> None:
    text = to_markdown(RuleText(rules_of("nim.yaml")).blocks())
    assert all(words in text for words in ("three heaps", "in turn", "from one heap", "last stone wins"))
    # The numbers that the heaps are sorted by are for authors.
    assert "| name | height |\n|---|---|\n| Low heap | 3 |" in text


def test_examples_are_scenarios_that_pass(tmp_path: Path) -> None:
    assert "Example 1" in text_of("change: {heap.tall_heap.height: 6}\n", tmp_path, examples=True)
    broken = "change: {decision.take.options.take.do: [{move: pebble, count: count, from: heap.lying, to: taken}]}\n"
    assert "Example" not in text_of(broken, tmp_path, examples=True)


def test_examples_are_told_in_the_words_of_the_game() -> None:
    text = to_markdown(RuleText(aodrules.load("empires")).blocks())
    told = """*Example: A Merchant that settles brings $5*

- Given: Turn order: red, blue; red: Money: 0; Colonist Dock: Row: red Merchant
- It begins: An event box, Age II, turn 5, Colonist Dock
- red: Land in the Caribbean
- Then: red: Money: 5; The Caribbean: Colony red: 1 Merchant
"""
    assert told in text
    polish = to_markdown(RuleText(aodrules.load("empires"), language="pl").blocks())
    assert "- czerwony: Wyląduj na Karaibach" in polish


@pytest.mark.parametrize("word", ["harbour", "caravan", "isles"])
def test_every_example_of_the_small_games_can_be_told(word: str) -> None:
    rules = rules_of(word)
    scenarios = [each for each in read_suite(rules).scenarios if each.statement.body.get("then")]
    for language in ("en", "pl", "ru"):
        assert all(list(example_lines(rules.book, scenario, language)) for scenario in scenarios)


def test_what_a_variant_changes_is_marked_and_attributed(tmp_path: Path) -> None:
    text = text_of(
        "because: {en: Higher is better.}\nchange: {heap.tall_heap.height: 6, kinds.heap.sorted_by: height}\n", tmp_path
    )
    assert "2 players. Played with: My Nim" in text
    assert "### My Nim\n\nHigher is better." in text
    assert "- Changed: Tall heap, height: `5 → 6`" in text
    assert "> There are three heaps, of three, four and five stones. (changed by **My Nim**)" in text
    assert "The players move in turn. (changed" not in text
    assert "| Tall heap | 30 | 6 | My Nim |" in text


def test_what_stands_beside_a_rule_or_within_it_is_pointed_to_and_not_called_a_change(tmp_path: Path) -> None:
    chips = "add: {state.player: {chips: number 0..9}, game.points.chips: player.chips}\n"
    dealt = "{for: player, in: players, do: [{add: 1, to: player.chips}]}"
    text = text_of(f"{chips}insert: [{{first: verb.take_turns.do, do: [{dealt}]}}]\n", tmp_path)
    assert "> The players move in turn. (see also **My Nim**)" in text
    assert "changed by" not in text
    loans = aodrules.load("empires", ["loans"])
    told = to_markdown(RuleText(loans, aodrules.load("empires"), examples=False).blocks())
    assert "\nThe game ends with turn 8.\n" in told


def test_a_clause_that_is_overridden_is_struck_out(tmp_path: Path) -> None:
    text = text_of("overrides: [last-stone-wins]\nchange: {heap.tall_heap.height: 6}\n", tmp_path)
    assert "> ~~Who takes the last stone wins.~~ (replaced by **My Nim**)" in text


def test_clauses_of_other_editions_and_variants_are_left_out() -> None:
    rules = aodrules.load("empires")
    text = to_markdown(RuleText(rules, examples=False).blocks())
    only_pl = [id_ for id_, body in rules.book.clauses.items() if id_ == "b3.factory-pl" and body]
    assert only_pl
    said = rules.book.clause_text("b3.factory-pl", "en")
    assert said is not None
    assert said not in text.replace("~~", "").split("\n")


@pytest.mark.parametrize("language, words", [("pl", "## Zasady"), ("ru", "## Правила")])
def test_the_text_speaks_other_languages(language: str, words: str) -> None:
    text = to_markdown(RuleText(aodrules.load("empires"), language=language, examples=False).blocks())
    assert words in text
    assert "| Kolonista |" in text or "| Колонист |" in text


@pytest.mark.parametrize("language, words", [("en", ""), ("pl", "po angielsku"), ("ru", "по-английски")])
def test_a_text_says_that_some_of_it_is_not_translated(language: str, words: str) -> None:
    rules = rules_of("nim.yaml")
    blocks = list(RuleText(rules, language=language, examples=False).blocks())
    told = [each.text for each in blocks if isinstance(each, Paragraph) and words and words in each.text]
    assert len(told) == bool(words)


def test_examples_of_a_variant_are_named_only_in_the_language_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "high.yaml"
    names = ("{en: Six can be taken}", "{en: Seven cannot, pl: Siedmiu nie można}")
    examples = "".join(f"  high.case-{number}: {{name: {name}}}\n" for number, name in enumerate(names))
    change = "change: {heap.tall_heap.height: 6}"
    path.write_text(f"variant: high\nhouse: true\n{change}\nscenario:\n{examples}", encoding="utf-8")
    rules = aodrules.load(NIM, [path], cache=False)
    told = {
        language: to_markdown(RuleText(rules, rules_of("nim.yaml"), language).blocks()) for language in ("en", "pl")
    }
    assert "- Six can be taken\n- Seven cannot\n" in told["en"]
    assert "- Siedmiu nie można\n" in told["pl"]
    assert "Six" not in told["pl"]


def test_pages_are_markdown_or_html() -> None:
    blocks: list[Block] = [
        Heading(1, "A & b"),
        Paragraph("plain `code` **bold** ~~gone~~"),
        Paragraph("new", marked=True),
        Items(("one", "two")),
        Rows((("a", "b"), ("1 | 2", "3"))),
    ]
    markdown = to_markdown(blocks)
    assert "# A & b\n\nplain" in markdown
    assert "> new\n\n- one\n- two" in markdown
    assert "| a | b |\n|---|---|\n| 1 \\| 2 | 3 |" in markdown
    page = to_html(blocks, "A & b", "en")
    assert "<h1>A &amp; b</h1>" in page
    assert "<p>plain <code>code</code> <b>bold</b> <s>gone</s></p>" in page
    assert '<p class="changed">new</p>' in page
    assert '<th scope="row">1 | 2</th><td>3</td>' in page


def test_the_command_writes_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "rules.html"
    for given, beginning in ((["-o", str(out)], "<!doctype html>"), (["--format", "md", "-o", str(out)], "# Nim")):
        assert run(["rulebook", str(NIM), *given]) == 0
        assert out.read_text(encoding="utf-8").startswith(beginning)
        assert "written" in capsys.readouterr().out
    assert run(["rulebook", str(NIM), "--format", "html"]) == 0
    assert capsys.readouterr().out.startswith("<!doctype html>")
    assert run(["rulebook", str(NIM), "--no-examples"]) == 0
    assert capsys.readouterr().out.startswith("# Nim\n")
