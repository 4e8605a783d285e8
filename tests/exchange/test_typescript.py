from __future__ import annotations

import re
from pathlib import Path

import pytest

from aodrules.cli.main import run
from aodrules.exchange.type_schema import TypeSchemas
from aodrules.exchange.typescript import typescript
from tests.docs.blocks import DOCS, blocks_of
from tests.every_ruleset import rules_of
from tests.exchange.games import EVERY
from tests.exchange.typescript_compiler import complaints

_USED = re.compile(r"(?<![\w\"'.])[A-Z]\w*")
_OURS = {"Array"}


@pytest.mark.parametrize("word", EVERY)
def test_every_type_that_is_named_is_there(word: str) -> None:
    text = typescript(rules_of(word).json_schema())
    code = re.sub(r"//.*|/\*\*.*?\*/|\"[^\"]*\"|^\s*\w+\??(?=:)", "", text, flags=re.MULTILINE)
    declared = re.findall(r"^export type (\w+) =", code, re.MULTILINE)
    assert len(declared) == len(set(declared))
    assert set(_USED.findall(code)) - _OURS == set(declared)
    assert {"Action", "Decision", "Event", "Snapshot", "State"} <= set(declared)


USE = """
import { Action, CardId, Event, Hidden, Snapshot } from "./caravan";

export function hand(view: Snapshot): CardId[] {
  const known: CardId[] = [];
  for (const card of view.state.players.amber?.hand ?? []) {
    if (typeof card === "string") known.push(card);
    else { const back: "card" = card.hidden; void back; }
  }
  return known;
}

export function promised(action: Action): number | null {
  switch (action.address) {
    case "decision.swear.options.swear": return action.args.permits_promised;
    default: return null;
  }
}

export function told(event: Event): string {
  if (event.kind === "move") {
    const what = event.what;
    return "hidden" in what ? what.hidden : what.member;
  }
  return event.kind;
}
"""


def test_the_compiler_takes_the_types_and_a_program_with_them(tmp_path: Path) -> None:
    for word in ("caravan", "nim", "isles", "harbour", "empires", "sorts"):
        (tmp_path / f"{word}.ts").write_text(typescript(rules_of(word).json_schema()), encoding="utf-8")
    (tmp_path / "use.ts").write_text(USE, encoding="utf-8")
    assert complaints(tmp_path, *(path.name for path in tmp_path.glob("*.ts"))) == ""


def test_the_compiler_takes_what_the_page_shows(tmp_path: Path) -> None:
    (block,) = [each for each in blocks_of(DOCS / "how-to" / "send-to-a-front-end.md") if each.language == "ts"]
    (tmp_path / "caravan.ts").write_text(typescript(rules_of("caravan").json_schema()), encoding="utf-8")
    (tmp_path / "page.ts").write_text(block.text + "\nvoid promised; void known;\n", encoding="utf-8")
    assert complaints(tmp_path, "page.ts") == ""


@pytest.mark.parametrize(
    "right, wrong",
    [
        ("players.amber", "players.amberr"),
        ('"decision.swear.options.swear"', '"decision.swear.options.curse"'),
        ("args.permits_promised", "args.promised"),
        ('event.kind === "move"', 'event.kind === "moved"'),
        ('"card" = card.hidden', '"cart" = card.hidden'),
    ],
)
def test_the_compiler_finds_what_is_not_of_the_rules(tmp_path: Path, right: str, wrong: str) -> None:
    assert right in USE
    (tmp_path / "caravan.ts").write_text(typescript(rules_of("caravan").json_schema()), encoding="utf-8")
    (tmp_path / "use.ts").write_text(USE.replace(right, wrong), encoding="utf-8")
    assert "use.ts" in complaints(tmp_path, "use.ts")


def test_names_that_would_be_alike_are_told_apart() -> None:
    types = TypeSchemas(rules_of("nim").book.checked, {})
    assert [types.named(word, {}) for word in ("a_1", "a1", "Seat")] == [
        {"$ref": "#/$defs/A1"},
        {"$ref": "#/$defs/A12"},
        {"$ref": "#/$defs/Seat2"},
    ]


def test_texts_cannot_leave_their_comments() -> None:
    schema = {"title": "a\nb", "version": 1, "$id": "x", "$defs": {"T": {"description": "*/ x\n", "enum": ['"', "`"]}}}
    text = typescript(schema)
    assert text.splitlines()[0].startswith("// a")
    assert "/** * / x" in text
    assert text.count("*/") == 1
    assert r'export type T = "\"" | "`";' in text


def test_the_command_prints_or_writes_types(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["types", "nim"]) == 0
    printed = capsys.readouterr().out
    assert run(["types", "nim", "-o", str(tmp_path / "nim.ts")]) == 0
    assert (tmp_path / "nim.ts").read_text(encoding="utf-8") == printed
    assert 'export type Seat = "first" | "second"' in printed
