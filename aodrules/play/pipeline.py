"""From documents to checked rules: every stage that finds problems, run one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from attrs import frozen

from aodrules.arguments import RulesRequest
from aodrules.check.checked import CheckedRules
from aodrules.check.from_ruleset import check
from aodrules.compose import problems
from aodrules.compose.from_documents import compose
from aodrules.compose.library import find, is_path, is_shipped_name
from aodrules.compose.ruleset import Ruleset
from aodrules.errors import InternalError, NotationError, RulesError
from aodrules.play.garbage import collecting_seldom
from aodrules.source.diagnostics import Diagnostic, Report
from aodrules.source.spans import Source, Span
from aodrules.source.wording import quote
from aodrules.syntax.documents import Document
from aodrules.syntax.from_source import read
from aodrules.syntax.schema_check import check_shape


@frozen(eq=False)
class Loaded:
    """A ruleset, checked, and the problems that did not stop it."""

    ruleset: Ruleset
    checked: CheckedRules
    warnings: tuple[Diagnostic, ...]


@frozen(eq=False)
class Documents:
    """The documents of a ruleset, and which of them are to be used."""

    documents: Sequence[Document]
    edition: str | None
    variants: Sequence[str]


def load_rules(request: RulesRequest) -> Loaded:
    """Return the rules that were asked for.

    Raises:
        RulesError: Something is wrong with them.
    """
    report = Report()
    reader = _DocumentReader()
    with collecting_seldom():
        found = Documents(*find(request.base, request.variants, report, reader.read))
        return check_documents(found, report, is_whole=bool(found.documents) and not reader.has_failed)


def load_saved_rules(game: str, edition: str | None, variants: Sequence[str], documents: dict[str, str]) -> Loaded:
    """Return the rules of a save: what ships with the package by name, everything else from the save itself.

    A save may come from anybody, so no file is read that it names by a path.

    Raises:
        NotationError: The save does not hold what it needs.
    """
    report = Report()
    reader = _DocumentReader()
    mine = []
    for path, text in documents.items():
        document = reader.read(Source(path, text), report)
        if document is None:
            raise RulesError(report)
        mine.append(document)
    if all(each.is_addition for each in mine):
        heads = [each.head for each in mine if each.head is not None]
        own = {head.name.text for head in heads}
        others = [name for name in variants if name not in own]
        # Rules that were loaded by the file of an edition are those of its game.
        game = next((head.game.text for head in heads if head.kind == "edition" and head.game is not None), game)
        # Whether there are such files here is no matter: a save is told nothing about this machine.
        strange = [name for name in others if is_path(name)] if is_shipped_name(game) else [game]
        if strange:
            raise NotationError(f"{quote(strange[0])} does not ship with the package, and its text is not in the save")
        mine, _, _ = find(game, others, report, reader.read, mine)
    return check_documents(Documents(mine, edition, variants), report, is_whole=bool(mine) and not reader.has_failed)


def check_documents(found: Documents, report: Report, *, is_whole: bool = True) -> Loaded:
    """Compose and check documents. Where some could not be read at all, the others cannot be judged.

    Raises:
        RulesError: Something is wrong with them; it holds all that was found.
    """
    if not is_whole:
        raise RulesError(report)
    ruleset = compose(found.documents, found.edition, found.variants, report)
    if "game" not in ruleset.root:
        raise RulesError(_report_missing_game(found, report))
    if not report.has_errors:
        check_shape(ruleset.root, "ruleset", report)
    checked = _check_ruleset(ruleset, report)
    if checked is None or report.has_errors:
        raise RulesError(_drop_consequences(ruleset, report))
    return Loaded(ruleset, checked, tuple(report))


def _report_missing_game(found: Documents, report: Report) -> Report:
    """Return a report that says that no document declares a game, unless it says already what is wrong with them."""
    if not report.has_errors:
        start = Span(found.documents[0].source, 1, 1, 1, 1)
        cure = "a document that changes a game begins with `variant: NAME`"
        report.add(problems.unknown_game("", start, found="a document without a game", help_=cure))
    return report


def _check_ruleset(ruleset: Ruleset, report: Report) -> CheckedRules | None:
    """Check a ruleset. If it already has problems, what is found at the same places is left out."""
    known = {(each.path, each.line) for each in report.errors}
    more = Report()
    try:
        checked = check(ruleset, more)
    except Exception as cause:
        # A tree that does not fit its schema may have gaps that the checker does not expect.
        if known:
            return None
        raise InternalError(f"checking `{ruleset.name}` failed: {cause!r}; please report this") from cause
    for diagnostic in more:
        if (diagnostic.path, diagnostic.line) not in known:
            report.add(diagnostic)
    return checked


def _drop_consequences(ruleset: Ruleset, report: Report) -> Report:
    """Return a report in which variants that are wrong are told, and not what is wrong only because of them.

    Games and editions are right without them; if one is not, that shows when it is checked alone.
    """
    variants = {each.source.path for each in ruleset.documents if each.head is not None and each.head.kind == "variant"}
    if not any(each.path in variants for each in report.errors):
        return report
    below = {each.source.path for each in ruleset.documents} - variants
    return Report([each for each in report.diagnostics if each.path not in below])


class _DocumentReader:
    """Reads documents and remembers whether one could not be made."""

    def __init__(self) -> None:
        self.has_failed = False

    def read(self, source: Source, report: Report) -> Document | None:
        """Read one document."""
        document, told = _parse(source.path, source.text)
        for problem in told:
            report.add(problem)
        self.has_failed |= document is None
        return document


# Most loads of one process are of one game: its documents are read once.
@lru_cache(maxsize=1000)
def _parse(path: str, text: str) -> tuple[Document | None, tuple[Diagnostic, ...]]:
    report = Report()
    document = read(Source(path, text), report)
    return document, tuple(report.diagnostics)
