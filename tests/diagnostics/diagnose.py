"""What the golden cases run: every stage there is, on all documents of a case."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from aodrules.arguments import RulesRequest
from aodrules.check.from_ruleset import check
from aodrules.compose.from_documents import compose
from aodrules.compose.library import find, parse_rules_word
from aodrules.play.pipeline import Loaded
from aodrules.play.rules_context import RulesContext
from aodrules.source.diagnostics import Report
from aodrules.source.files import read_file
from aodrules.syntax.documents import Document
from aodrules.syntax.from_source import read
from aodrules.syntax.schema_check import check_shape
from aodrules.testing.suites import check_statements
from tests.compose.texts import names_in

SMALL_GAME = Path(__file__).with_name("small_game.yaml")
OVER_SMALL_GAME = "# over the small game"


def diagnose(paths: Sequence[Path]) -> Report:
    """Return what the stages have to say about some documents.

    A case whose first line says so is an addition to the small game; it and every case that holds a whole game is
    composed and checked, the others are only read. A folder with a file `rules.word` is found by that word.
    """
    report = Report()
    paths = _with_small_game(paths)
    word = paths[0].parent / "rules.word"
    if word.exists():
        selection = parse_rules_word(word.read_text(encoding="utf-8").strip())
        found, edition, variants = find(selection.base, selection.variants, report, read)
    else:
        found = [each for path in paths if (each := _read(path, report)) is not None]
        edition, variants = names_in(found)
    if any("game" in each.root for each in found) and not report.has_errors:
        ruleset = compose(found, edition, variants, report)
        check_shape(ruleset.root, "ruleset", report)
        checked = check(ruleset, report)
        if not report.has_errors:
            check_statements(RulesContext(RulesRequest("case"), Loaded(ruleset, checked, ())), report)
    return report


def _with_small_game(paths: Sequence[Path]) -> list[Path]:
    if not any(_first_line(path).startswith(OVER_SMALL_GAME) for path in paths):
        return list(paths)
    target = paths[0].parent / "zz_small_game.yaml"
    shutil.copy(SMALL_GAME, target)
    return [*(path for path in paths if path.name != target.name), target]


def _first_line(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").partition("\n")[0]
    except (OSError, UnicodeDecodeError):
        return ""


def _read(path: Path, report: Report) -> Document | None:
    source = read_file(path, report)
    return read(source, report) if source is not None else None
