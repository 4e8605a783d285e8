"""Check rules before they are played: which rules a file is about, what is wrong with them, and all that ships."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from attrs import define, field, frozen

from aodrules.arguments import RulesRequest
from aodrules.authoring import problems
from aodrules.compose import problems as compose_problems
from aodrules.compose.addresses import FIXED_KINDS
from aodrules.compose.library import (
    STARTERS,
    example_games,
    is_known_game,
    is_path,
    parse_rules_word,
    shipped_files,
    shipped_games,
)
from aodrules.compose.sections import CLAUSES, COLUMNS
from aodrules.errors import RulesError
from aodrules.play.rules_context import RulesContext
from aodrules.rulebook import Rules
from aodrules.source.diagnostics import Diagnostic, Fix, Report
from aodrules.source.disk import is_file, is_folder, is_there, yaml_files
from aodrules.source.files import read_file
from aodrules.source.shipped import is_shipped, shipped
from aodrules.source.spans import Span
from aodrules.syntax.documents import Document, Head
from aodrules.syntax.from_source import read
from aodrules.syntax.tree import Entry, Mapping
from aodrules.testing.suites import check_statements


def bases_of(game: str) -> list[str]:
    """Return what a shipped game can be played as: its editions, or itself if it has none."""
    editions = shipped_files(game).names("edition") if game in shipped_games() else []
    return editions or [game]


def editions_of(word: str) -> list[str]:
    """Return the editions of a shipped game that is named alone; none for other words."""
    selection = parse_rules_word(word)
    editions = bases_of(selection.base) if selection.base in shipped_games() else []
    is_alone = editions != [selection.base] and not set(editions) & set(selection.variants)
    return editions if is_alone else []


def rules_words(word: str) -> list[str]:
    """Return the rules that a word asks for; a variant alone asks for every edition that it is made for.

    A variant is named by its file, or by its name if it ships with the package.
    A file that cannot be read, or that says too little about itself, is left as it stands.
    """
    selection = parse_rules_word(word)
    if editions_of(word):
        return [str(RulesRequest(base, selection.variants)) for base in editions_of(word)]
    found = [each for head in _variants_at(selection.base) for each in _selections(head, selection)]
    return [str(each) for each in found] or [word]


def _variants_at(base: str) -> list[Head]:
    """Return the heads of the variant in a file, or of those that ship under a name; one may be for each edition."""
    games = [] if is_path(base) else [shipped_files(game) for game in shipped_games()]
    paths = [Path(base)] if is_path(base) else [path for files in games for path in files.paths("variant", base)]
    heads = (head_at(path) for path in paths)
    return [head for head in heads if head is not None and head.kind == "variant" and head.game is not None]


def _selections(head: Head, selection: RulesRequest) -> list[RulesRequest]:
    """Return a variant with each edition that it is made for, or only with those that are named beside it."""
    assert head.game is not None  # only such are looked at
    made_for = [each.text for each in head.editions] or bases_of(head.game.text)
    named = [each for each in made_for if each in selection.variants]
    others = [each for each in selection.variants if each not in named]
    needed = [each.text for each in head.requires if each.text not in others]
    more = (*needed, *others, selection.base)
    if head.editions and head.game.text not in shipped_games():
        # The editions of a small game bear names only within it.
        return [RulesRequest(head.game.text, (edition, *more)) for edition in named or made_for]
    return [RulesRequest(base, more) for base in named or made_for]


def check_head(word: str) -> Report:
    """Return what is wrong with the game and the editions that a variant's file alone says it is made for."""
    report, selection = Report(), parse_rules_word(word)
    head = head_at(Path(selection.base)) if is_path(selection.base) else None
    if head is None or head.kind != "variant" or head.game is None:
        return report
    game = head.game.text
    if not is_known_game(game):
        report.add(compose_problems.unknown_game(game, head.game.span, [*shipped_games(), *example_games()]))
        return report
    known = shipped_files(game).names("edition")
    for edition in head.editions:
        if edition.text not in known:
            report.add(compose_problems.unknown_variant("edition", edition.text, edition.span, known, head.name.text))
    return report


def head_at(path: Path) -> Head | None:
    """Return the head of the document in a file, if there is such a file and it has one."""
    if not is_file(path):
        return None
    report = Report()
    source = read_file(path, report)
    document = None if source is None else read(source, report)
    return None if document is None else document.head


_SHOWN = ("decision",)
"""Declarations beside the members of kinds that players see by their words."""


@frozen(eq=False)
class Checked:
    """What was found in one composition; the rules are there if they and their scenarios are without errors."""

    word: str
    rules: Rules | None
    problems: tuple[Diagnostic, ...]


def check_rules(word: str, load: Callable[[str], Rules]) -> list[Checked]:
    """Return what was found in the rules of a word: a variant's file alone is checked with each of its editions."""
    wrong = check_head(word)
    if wrong.has_errors:
        return [Checked(word, None, tuple(wrong))]
    return [_check_composition(each, load) for each in rules_words(word)]


def _check_composition(word: str, load: Callable[[str], Rules]) -> Checked:
    try:
        rules = load(word)
    except RulesError as wrong:
        return Checked(word, None, tuple(wrong.report))
    report = Report(list(rules.warnings))
    # What ships is checked only where nothing else is in the rules: a house rule may well break an example of the game.
    # That is what `aodrules test` tells, with the clause.
    has_own = not all(is_shipped(document.source.path) for document in rules.book.ruleset.documents)
    check_statements(rules.book, report, lambda statement: not (has_own and is_shipped(statement.span.path)))
    for diagnostic in _check_house_rules(rules.book):
        report.add(diagnostic)
    return Checked(word, None if report.has_errors else rules, tuple(report))


def join_problems(found: Iterable[Checked]) -> Report:
    """Return all problems once: several editions may give the same."""
    report, seen = Report(), set()
    for diagnostic in (diagnostic for each in found for diagnostic in each.problems):
        key = (str(diagnostic.primary.span), diagnostic.code, diagnostic.message)
        if key not in seen:
            seen.add(key)
            report.add(diagnostic)
    return report


def _check_house_rules(book: RulesContext) -> Iterator[Diagnostic]:
    """Iterate over what is missing in the house rules that do not ship with the package."""
    for document in book.ruleset.documents:
        if document.head is not None and document.head.house and not is_shipped(document.source.path):
            yield from _check_finished(book, document)


def _check_finished(book: RulesContext, document: Document) -> Iterator[Diagnostic]:
    head, said = document.head, document.declarations
    assert head is not None  # only documents with one are looked at
    if said is None or not ({"scenario", "property"} & set(said.entries)):
        yield problems.untested_variant(head)
    for address, entry in _added_entries(document):
        if book.words.find(address, "en") is None:
            yield problems.missing_words(address, entry.key)


def _added_entries(document: Document) -> Iterator[tuple[str, Entry]]:
    """Iterate over the members and decisions that a document adds, as far as they are written plainly."""
    for section in document.edits.add or ():
        kind, _, id_ = section.name.partition(".")
        if kind in FIXED_KINDS and kind not in _SHOWN:
            continue
        if id_ and "." not in id_:
            yield section.name, section
        elif not id_ and isinstance(section.value, Mapping):
            entries = (entry for entry in section.value if entry.name not in (CLAUSES, COLUMNS))
            yield from ((f"{kind}.{entry.name}", entry) for entry in entries)


_CLASHES = frozenset({"conflicting-changes", "conflicting-variants", "conflicting-sets"})
"""What is said of documents that do not go together: each says which two."""


@frozen(eq=False)
class Part:
    """One combination of documents, and what was found in it."""

    base: str
    variants: tuple[str, ...]
    checked: Checked


def shipped_documents(game: str) -> frozenset[Path]:
    """Return the files of all documents that ship for a game."""
    files = shipped_files(game)
    return frozenset({*files.plain, *(path for _, _, path in files.named), *_starters(game)})


def documents_used(parts: Iterable[Part]) -> frozenset[Path]:
    """Return the files of all documents that took part in rules without errors."""
    rules = [part.checked.rules for part in parts if part.checked.rules is not None]
    paths = [Path(document.source.path) for each in rules for document in each.book.ruleset.documents]
    return frozenset(path.absolute() for path in paths)


def check_game(game: str, check: Callable[[str], Checked]) -> Iterator[Part]:
    """Check all that ships for a game.

    Each edition alone, then with few combinations of variants in which each of them is; then what house rules begin
    with, each with the first edition that it is made for.
    """
    for base in bases_of(game):
        yield Part(base, (), check(base))
        yield from _combinations(game, base, check)
    for path in _starters(game):
        word = rules_words(path.as_posix())[0]
        selection = parse_rules_word(word)
        yield Part(selection.base, selection.variants, check(word))


def _starters(game: str) -> list[Path]:
    folder = shipped("content") / game / STARTERS
    return yaml_files(folder) if folder.is_dir() else []


def _combinations(game: str, base: str, check: Callable[[str], Checked]) -> Iterator[Part]:
    known = _Variants(base, dict(_heads(game, base)))
    waiting = set(known.heads)
    while waiting:
        part = _settle(known, known.combine(sorted(waiting)), check)
        yield part
        # What cannot be composed even alone was told, and is not tried again.
        waiting -= set(part.variants) or waiting


def _heads(game: str, base: str) -> Iterator[tuple[str, Head]]:
    for kind, name, path in shipped_files(game).named:
        head = head_at(path) if kind == "variant" else None
        if head is not None and (not head.editions or base in [each.text for each in head.editions]):
            yield name, head


@define(eq=False)
class _Variants:
    """The variants that a game or edition can be played with."""

    base: str
    heads: dict[str, Head] = field(factory=dict)

    def combine(self, names: Iterable[str]) -> frozenset[str]:
        """Return as many of some variants as go together by what their heads say, with all that they require."""
        chosen = frozenset[str]()
        for name in names:
            more = self._with_required(chosen | {name})
            if not any(each.text in more for one in more for each in self.heads[one].conflicts):
                chosen = more
        return chosen

    def _with_required(self, names: frozenset[str]) -> frozenset[str]:
        needed = {each.text for name in names for each in self.heads[name].requires if each.text in self.heads}
        return names if needed <= names else self._with_required(names | needed)

    def without(self, names: frozenset[str], dropped: str) -> frozenset[str]:
        """Return some variants without one, and without those that require it."""
        left = names - {dropped}
        for name in sorted(left):
            if dropped in [each.text for each in self.heads[name].requires]:
                left = self.without(left, name)
        return left

    def clashing(self, names: frozenset[str], problems: Iterable[Diagnostic]) -> str | None:
        """Return one of two variants that turned out not to go together."""
        for problem in problems:
            spans = [problem.primary.span, *(label.span for label in problem.secondary)]
            paths = {span.path for span in (*spans, *(note.span for note in problem.notes if note.span))}
            named = sorted(name for name in names if self.heads[name].name.span.path in paths)
            if problem.code in _CLASHES and len(named) > 1:
                return named[-1]
        return None


def _settle(known: _Variants, names: frozenset[str], check: Callable[[str], Checked]) -> Part:
    """Check some variants; while two of them do not go together, the later one is left to another combination."""
    while True:
        variants = tuple(sorted(names))
        found = check(str(RulesRequest(known.base, variants)))
        clashing = known.clashing(names, found.problems)
        if clashing is None or len(names) == 1:
            return Part(known.base, variants, found)
        names = known.without(names, clashing)


def named_files(words: Iterable[str]) -> list[Path]:
    """Return the files that words of rules name by their paths, those in folders included."""
    selections = [parse_rules_word(word) for word in words]
    names = dict.fromkeys(name for each in selections for name in (each.base, *each.variants))
    paths = [Path(name) for name in names if is_there(name)]
    return [file for path in paths for file in (yaml_files(path) if is_folder(path) else [path])]


def watch_files(files: Callable[[], Iterable[Path]], wait: Callable[[], None]) -> Iterator[list[Path]]:
    """Iterate over the files that changed, came or went; `wait` is called between two looks."""
    before = _times(files())
    while True:
        wait()
        now = _times(files())
        if now != before:
            yield sorted(path for path in {*now, *before} if now.get(path) != before.get(path))
        before = now


def _times(files: Iterable[Path]) -> dict[Path, tuple[int, int]]:
    found = {}
    for path in files:
        try:
            state = path.stat()
        except OSError:
            continue
        found[path] = (state.st_mtime_ns, state.st_size)
    return found


@frozen(eq=False)
class Fixed:
    """A problem that was cured."""

    problem: Diagnostic
    before: str
    after: str


def fix_files(found: Iterable[Diagnostic], allowed: Iterable[Path]) -> list[Fixed]:
    """Put the cures of problems into files, as far as these are allowed to be written; return what was cured.

    Of two cures that touch each other the first is done; the other shows again in the next check.
    """
    mine = {path.absolute() for path in allowed}
    chosen: dict[Path, list[tuple[Diagnostic, Fix]]] = {}
    for problem in (one for each in found for one in (each, *each.repeats)):
        fix = problem.fix
        path = None if fix is None else Path(fix.span.path).absolute()
        if fix is not None and path in mine:
            cures = chosen.setdefault(path, [])
            if not any(overlap(fix.span, other.span) for _, other in cures):
                cures.append((problem, fix))
    return [fixed for path, cures in chosen.items() for fixed in _fix_file(path, cures)]


def overlap(one: Span, other: Span) -> bool:
    """Whether two spans of one file touch each other."""
    first, second = sorted((one, other), key=lambda span: span.sort_key)
    return (first.end_line, first.end_column) > (second.line, second.column) or first.sort_key == second.sort_key


def _fix_file(path: Path, cures: list[tuple[Diagnostic, Fix]]) -> list[Fixed]:
    """Write one file anew, from its end to its beginning, so that places stay true."""
    text = path.read_bytes().decode("utf-8")
    done: list[Fixed] = []
    for problem, fix in sorted(cures, key=lambda each: each[1].span.sort_key, reverse=True):
        start, end = offsets(text, fix.span)
        done.append(Fixed(problem, text[start:end], fix.replacement))
        text = text[:start] + fix.replacement + text[end:]
    path.write_bytes(text.encode("utf-8"))
    return done[::-1]


def offsets(text: str, span: Span) -> tuple[int, int]:
    """Return where a span begins and ends in a text, whatever ends its lines; a byte order mark is kept."""
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    mark = 1 if text.startswith("\ufeff") else 0
    places = ((span.line, span.column), (span.end_line, span.end_column))
    first, last = (starts[min(line - 1, len(lines))] + column - 1 + mark * (line == 1) for line, column in places)
    return first, last
