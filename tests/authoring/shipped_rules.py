"""Everything that ships for a game, parsed once, and compositions of it: composed and checked, never played."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from attrs import frozen

from aodrules.arguments import RulesRequest
from aodrules.check.from_ruleset import check
from aodrules.compose.from_documents import compose
from aodrules.compose.library import shipped_files
from aodrules.compose.ruleset import Ruleset
from aodrules.compose.selection import head_of
from aodrules.play.pipeline import Loaded
from aodrules.play.rules_context import RulesContext
from aodrules.rulebook import Rules
from aodrules.source.diagnostics import Diagnostic, Report
from aodrules.source.files import read_file
from aodrules.source.rendering import format_report
from aodrules.syntax.documents import Document, Head
from aodrules.syntax.from_source import read

GAME = "aod"


@cache
def documents() -> tuple[Document, ...]:
    """Return all documents of the game, its editions and variants."""
    report, files = Report(), shipped_files(GAME)
    paths = [*files.plain, *(path for _, _, path in files.named)]
    sources = [source for path in paths if (source := read_file(path, report)) is not None]
    found = [document for source in sources if (document := read(source, report)) is not None]
    assert not report.has_errors, [str(each.primary.span) for each in report]
    return tuple(found)


@cache
def editions() -> tuple[str, ...]:
    return tuple(shipped_files(GAME).names("edition"))


@cache
def heads(edition: str) -> dict[str, Head]:
    """Return the variants, rulings and house rules that an edition can be played with, by name."""
    named = [head_of(each) for each in documents() if each.head is not None and each.head.kind == "variant"]
    fitting = [head for head in named if not head.editions or edition in [each.text for each in head.editions]]
    return {head.name.text: head for head in sorted(fitting, key=lambda head: head.name.text)}


def closed(edition: str, names: frozenset[str]) -> frozenset[str]:
    """Return names together with all that they require."""
    known = heads(edition)
    more = {each.text for name in names if name in known for each in known[name].requires}
    return names if more <= names else closed(edition, names | more)


@frozen(eq=False)
class Composed:
    """What became of a composition."""

    ruleset: Ruleset
    problems: tuple[Diagnostic, ...]

    @property
    def outcome(self) -> tuple[str, ...]:
        """The fingerprint, or what is wrong: equal outcomes are equal for players."""
        wrong = sorted(f"{each.code}: {each.message}" for each in self.problems)
        return tuple(wrong) or (self.ruleset.fingerprint,)


def composed(edition: str, names: frozenset[str], *, backwards: bool = False) -> Composed:
    """Compose documents; backwards, everything is named the other way round."""
    report, order = Report(), sorted(names, reverse=backwards)
    files = documents()[::-1] if backwards else documents()
    ruleset = compose(files, edition, order, report)
    return Composed(ruleset, tuple(report))


def rules_with(edition: str, names: frozenset[str], path: Path) -> Rules:
    """Return the rules of an edition with variants and with one more that lies in a file; all else is parsed once."""
    report = Report()
    source = read_file(path, report)
    mine = None if source is None else read(source, report)
    assert mine is not None, format_report(report)
    chosen = sorted({*names, head_of(mine).name.text})
    ruleset = compose((*documents(), mine), edition, chosen, report)
    checked = check(ruleset, report)
    assert not report.diagnostics, format_report(report)
    return Rules(RulesContext(RulesRequest(edition, tuple(chosen)), Loaded(ruleset, checked, ())))


def check_problems(found: Composed) -> list[Diagnostic]:
    """Return what the checker has to say about a composition."""
    report = Report()
    check(found.ruleset, report)
    return report.errors


def places(problem: Diagnostic) -> set[str]:
    """Return the files that a problem speaks of."""
    spans = [problem.primary.span, *(label.span for label in problem.secondary)]
    return {span.path for span in (*spans, *(note.span for note in problem.notes if note.span))}
