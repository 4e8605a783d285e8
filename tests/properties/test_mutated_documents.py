"""A document changed at random gives located diagnostics, or plays a random game to the end on both engines."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from aodrules.check.checked import CheckedRules
from aodrules.check.from_ruleset import check
from aodrules.compiler.runtime.compiled import Compiled
from aodrules.compose.from_documents import compose
from aodrules.interpreter.interpreter import Interpreter
from aodrules.play.comparison import first_difference
from aodrules.play.engines import program_of
from aodrules.source.diagnostics import Report
from aodrules.source.disk import yaml_files
from aodrules.source.rendering import format_report
from aodrules.source.spans import Source
from aodrules.syntax.from_source import read
from aodrules.syntax.schema_check import check_shape
from tests.properties.mutation import mutated

GAMES = Path(__file__).parent.parent / "games"
SMALL = Path(__file__).parent.parent / "diagnostics" / "small_game.yaml"
MOST_DECISIONS = 20_000
SAMPLE, WHOLE, BATCH = 80, 5000, 20


EDITION, VARIANTS = "grand", ("guild-rule", "town-subsidy")


def games() -> list[list[Path]]:
    """Return the documents of each small game, and of one with an edition, a module and variants."""
    folders = [yaml_files(folder) for folder in sorted(GAMES.iterdir()) if folder.is_dir()]
    plain = [[path for path in folder if path.parent.parent == GAMES] for folder in folders]
    edited = [folder for folder in folders if any(path.stem == EDITION for path in folder)]
    return [[SMALL], [GAMES / "nim.yaml"], *(documents for documents in plain if documents), *edited]


def texts(seed: int) -> Iterator[tuple[str, str]]:
    """Return the documents of one game as path and text, one of them changed; edits as often as what they edit."""
    documents = games()[seed % len(games())]
    edits = [path for path in documents if path.parent.parent.parent == GAMES]
    chosen = random.Random(seed).choice(edits if edits and seed % 2 else documents)
    for path in documents:
        text = path.read_text(encoding="utf-8")
        if path == chosen:
            content: dict[str, Any] = yaml.safe_load(text)
            text = yaml.safe_dump(mutated(content, seed), sort_keys=False, allow_unicode=True)
        yield path.name, text


def diagnosed(seed: int) -> tuple[CheckedRules, Report]:
    report = Report()
    read_ones = [read(Source(path, text), report) for path, text in texts(seed)]
    documents = [each for each in read_ones if each is not None]
    has_edits = any(path == f"{EDITION}.yaml" for path, _ in texts(seed))
    ruleset = compose(documents, EDITION if has_edits else None, VARIANTS if has_edits else (), report)
    check_shape(ruleset.root, "ruleset", report)
    return check(ruleset, report), report


def play(rules: CheckedRules, seed: int) -> None:
    players, chance = rules.game.players[seed % 2], random.Random(seed)
    machine = Interpreter(rules, players, seed)
    other = Compiled.new_game(program_of(rules, players), seed)
    for answered in range(MOST_DECISIONS):
        assert first_difference(machine, other, players, answered) is None
        if machine.pending is None:
            return
        code = chance.choice(machine.codes)
        machine.apply(code)
        other.apply(code)
    pytest.fail(f"the game of document {seed} does not end")


def judge(seed: int) -> None:
    rules, report = diagnosed(seed)
    assert format_report(report).count("error[") == min(len(report.errors), 100)
    assert all(each.line > 0 and each.column > 0 for each in report)
    if not report.has_errors:
        play(rules, seed)


@pytest.mark.parametrize("start", range(0, SAMPLE, BATCH))
def test_a_changed_document_is_refused_or_plays(start: int) -> None:
    for seed in range(start, start + BATCH):
        judge(seed)


@pytest.mark.soak
@pytest.mark.parametrize("start", range(SAMPLE, WHOLE, BATCH))
def test_a_changed_document_is_refused_or_plays_at_length(start: int) -> None:
    for seed in range(start, start + BATCH):
        judge(seed)


def test_some_changed_documents_still_play() -> None:
    assert sum(not diagnosed(seed)[1].has_errors for seed in range(60)) >= 5
