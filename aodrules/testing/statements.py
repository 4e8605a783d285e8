"""The scenarios and properties that rules are held to, the positions they build on, and why others are left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Literal, TypeAlias

from attrs import evolve, field, frozen

from aodrules.compose.ruleset import Ruleset
from aodrules.source.diagnostics import Diagnostic, Note, Report
from aodrules.source.disk import is_folder, yaml_files
from aodrules.source.files import check_links, read_file
from aodrules.source.spans import Span
from aodrules.source.wording import quotes
from aodrules.syntax.documents import Document
from aodrules.syntax.from_source import read
from aodrules.syntax.tree import Mapping, Node, Scalar, Sequence, words


def declared_rulings(ruleset: Ruleset) -> dict[str, Mapping]:
    """Return the rulings that a ruleset declares, by id."""
    section = ruleset.root.get("ruling")
    entries = section if isinstance(section, Mapping) else ()
    return {entry.name: entry.value for entry in entries if isinstance(entry.value, Mapping)}


def chosen_reading(ruling: Mapping) -> str:
    """Return the reading that is played unless a variant plays another."""
    chosen = ruling.get("chosen")
    return chosen.text if isinstance(chosen, Scalar) else ""


def other_reading(ruling: Mapping, active: AbstractSet[str]) -> str | None:
    """Return the reading that a document in use plays instead of the chosen one: its name is that of the document."""
    readings = ruling.get("readings")
    names = readings.entries if isinstance(readings, Mapping) else ()
    return next((name for name in names if name in active and name != chosen_reading(ruling)), None)


SORTS: tuple[Literal["scenario", "property"], ...] = ("scenario", "property")
_RANGE = re.compile(r"(\d+)(?:\.\.(\d+))?")
Group: TypeAlias = Literal["edition", "variants", "players", "overridden", "reading", "unfitting", "unasked"]
"""Why something is left out: it is for another edition, needs variants, other players, tests what is overridden, shows
a reading that is not played, speaks of what variants took away, or was not asked for."""
_HOLDS = re.compile(r"^[\"']?(?:scenario|position|property)[\"']?[ \t]*:", re.MULTILINE)
FROM = "from"


@frozen(eq=False)
class Statement:
    """A scenario, property or position as it is written down."""

    sort: Literal["scenario", "property", "position"]
    key: Scalar
    body: Mapping
    positions: dict[str, Statement] = field(factory=dict, repr=False)
    """The positions that it may build on, by name."""

    @property
    def id(self) -> str:
        """What it is called."""
        return self.key.text

    @property
    def span(self) -> Span:
        """Where its name stands."""
        return self.key.span

    @property
    def builds_on(self) -> Scalar | None:
        """The name of the position that it builds on itself."""
        name = self.body.get(FROM)
        return name if isinstance(name, Scalar) else None

    @property
    def line(self) -> tuple[Statement, ...]:
        """Itself and the positions that it builds on, the nearest first; it ends before one that is not there."""
        found = [self]
        while (name := found[-1].builds_on) is not None and name.text in self.positions:
            if self.positions[name.text] in found:
                break
            found.append(self.positions[name.text])
        return tuple(found)

    def said(self, key: str) -> Node | None:
        """Return what it says under a key, else what the nearest of its positions does."""
        return next((each.body.get(key) for each in self.line if each.body.get(key) is not None), None)

    def with_origin(self, problem: Diagnostic) -> Diagnostic:
        """Return a problem with the place where this builds on a position, if what is wrong stands in one."""
        if self.builds_on is None or not any(
            _is_inside(problem.primary.span, each.body.span) for each in self.line[1:]
        ):
            return problem
        note = Note(f"the {self.sort} `{self.id}` builds on it here", self.builds_on.span)
        return evolve(problem, notes=(*problem.notes, note))

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses it tests."""
        return words(self.body.get("clauses"))

    @property
    def rulings(self) -> tuple[str, ...]:
        """The rulings whose reading it shows."""
        return words(self.body.get("rulings"))

    @property
    def editions(self) -> tuple[str, ...]:
        """The editions it is for; none if it is for all."""
        rules = self.body.get("rules")
        edition = rules.get("edition") if isinstance(rules, Mapping) else None
        return words(edition) or words(self.body.get("editions"))


def _is_inside(inner: Span, outer: Span) -> bool:
    begin, end = (outer.line, outer.column), (outer.end_line, outer.end_column)
    return inner.source is outer.source and begin <= (inner.line, inner.column) <= end


@frozen(eq=False)
class LeftOut:
    """A statement that does not speak of these rules, and why."""

    statement: Statement
    why: str
    group: Group

    @property
    def is_overridden(self) -> bool:
        """Whether a document in use overrides a clause that it tests, or plays another reading than it shows."""
        return self.group in ("overridden", "reading")

    @property
    def is_interrupted(self) -> bool:
        """Whether it is a scenario that variants make impossible."""
        return self.group == "unfitting" and self.statement.sort == "scenario"


@frozen(eq=False)
class Statements:
    """The statements that some rules are held to, and those left out."""

    taken: tuple[Statement, ...]
    left_out: tuple[LeftOut, ...] = ()
    positions: tuple[Statement, ...] = ()
    """What scenarios may build on."""

    def of(self, sort: str) -> tuple[Statement, ...]:
        """Return the scenarios or the properties."""
        return tuple(each for each in self.taken if each.sort == sort)


def statements_of(
    ruleset: Ruleset, more: Iterable[Document] = (), wanted: Callable[[Statement], bool] = lambda _: True
) -> Statements:
    """Return the statements in the documents of a ruleset and in further ones that speak of it and are wanted."""
    roots = [ruleset.root, *(document.declarations for document in more if document.declarations is not None)]
    positions = {name: one for root in reversed(roots) for name, one in positions_in(root).items()}
    taken, left_out, seen = [], [], set()
    for statement in (each for root in roots for each in _in(root, positions)):
        if str(statement.span) in seen:
            continue
        seen.add(str(statement.span))
        out = _why_left_out(statement, ruleset)
        if out is None and not wanted(statement):
            out = LeftOut(statement, "it was not asked for", "unasked")
        if out is None:
            taken.append(statement)
        else:
            left_out.append(out)
    alone = tuple(evolve(each, positions=positions) for each in positions.values())
    return Statements(tuple(taken), tuple(left_out), alone)


def in_document(document: Document) -> Iterator[Statement]:
    """Iterate over the statements that a document holds."""
    if document.declarations is not None:
        yield from _in(document.declarations, positions_in(document.declarations))


def with_positions(statement: Statement, ruleset: Ruleset) -> Statement:
    """Return a statement that may build on the positions of a ruleset too."""
    return evolve(statement, positions={**positions_in(ruleset.root), **statement.positions})


def positions_in(root: Mapping) -> dict[str, Statement]:
    """Return the positions that a tree declares, by name."""
    return {each.id: each for each in _of_sort("position", root, {})}


def repeated_positions(ruleset: Ruleset, more: Iterable[Document]) -> Iterator[tuple[Statement, Statement]]:
    """Iterate over positions in further documents that bear a name that is taken, each with the one that has it."""
    known = positions_in(ruleset.root)
    for document in more:
        own = {} if document.declarations is None else positions_in(document.declarations)
        for name, one in own.items():
            first = known.setdefault(name, one)
            if str(first.span) != str(one.span):
                yield one, first


def _in(root: Mapping, positions: dict[str, Statement]) -> Iterator[Statement]:
    for sort in SORTS:
        yield from _of_sort(sort, root, positions)


def _of_sort(
    sort: Literal["scenario", "property", "position"], root: Mapping, positions: dict[str, Statement]
) -> Iterator[Statement]:
    section = root.get(sort)
    for entry in section if isinstance(section, Mapping) else ():
        if isinstance(entry.value, Mapping):
            yield Statement(sort, entry.key, entry.value, positions)


def _why_left_out(statement: Statement, ruleset: Ruleset) -> LeftOut | None:
    """Return that a statement does not speak of a ruleset, and why; nothing if it does."""
    active = active_names(ruleset)
    if statement.editions and ruleset.edition not in statement.editions:
        return LeftOut(statement, f"it is for {quotes(statement.editions, 'or')}", "edition")
    missing = [name for name in own_variants(statement) if name not in active]
    if missing:
        return LeftOut(statement, f"it needs {quotes(missing)}", "variants")
    if unknown_variants(statement, ruleset) and not _can_be_seated(statement.said("players"), ruleset):
        return LeftOut(statement, "these rules are for other players", "players")
    overridden = [clause for clause in statement.clauses if clause in ruleset.overrides]
    if overridden:
        return LeftOut(statement, f"{_are(overridden)} overridden", "overridden")
    other = _other_readings(statement, ruleset)
    return LeftOut(statement, f"{_are(other)} played", "reading") if other else None


def _are(names: list[str]) -> str:
    return f"{quotes(names)} {'is' if len(names) == 1 else 'are'}"


def _other_readings(statement: Statement, ruleset: Ruleset) -> list[str]:
    """Return which other readings are played of rulings that a statement shows and does not ask for."""
    declared, active = declared_rulings(ruleset), active_names(ruleset)
    readings = [other_reading(declared[name], active) for name in statement.rulings if name in declared]
    own = {*own_variants(statement), *_names_of_document(statement, ruleset)}
    return [name for name in readings if name is not None and name not in own]


def _names_of_document(statement: Statement, ruleset: Ruleset) -> Iterator[str]:
    """Iterate over the names of the document with a head that a statement stands in."""
    for document in ruleset.documents:
        if document.head is not None and document.source.path == statement.span.path:
            yield document.head.name.text


def own_variants(statement: Statement) -> tuple[str, ...]:
    """Return the modules and variants that a statement asks for."""
    rules = statement.body.get("rules")
    asked = words(rules.get("variants")) if isinstance(rules, Mapping) else ()
    return (*words(statement.body.get("with")), *asked)


def unknown_variants(statement: Statement, ruleset: Ruleset) -> frozenset[str]:
    """Return the variants that a statement neither asks for nor stands in, and that those do not require."""
    own = {*own_variants(statement), *_names_of_document(statement, ruleset)}
    return frozenset(ruleset.variants) - _with_requirements(own, ruleset)


def _with_requirements(names: set[str], ruleset: Ruleset) -> set[str]:
    heads = [document.head for document in ruleset.documents if document.head is not None]
    more = {each.text for head in heads if head.name.text in names for each in head.requires}
    return names if more <= names else _with_requirements(names | more, ruleset)


def _can_be_seated(players: Node | None, ruleset: Ruleset) -> bool:
    """Whether as many can play as a scenario wants: a variant may be for fewer than its game."""
    game = ruleset.root.get("game")
    said = game.get("players") if isinstance(game, Mapping) else None
    found = _RANGE.fullmatch(said.text) if isinstance(said, Scalar) else None
    many = len(players) if isinstance(players, Sequence) else players.value if isinstance(players, Scalar) else None
    if found is None or not isinstance(many, int):
        return True
    return int(found[1]) <= many <= int(found[2] or found[1])


def active_names(ruleset: Ruleset) -> frozenset[str]:
    """Return the names of all documents in use: the game, modules, the edition and variants."""
    return frozenset({ruleset.name, *ruleset.layers.values()})


def documents_at(paths: Iterable[Path], report: Report) -> list[Document]:
    """Return the documents under some paths that hold scenarios, positions or properties."""
    found = []
    for path in paths:
        if is_folder(path) and not check_links(path, report):
            continue
        for file in yaml_files(path) if is_folder(path) else [path]:
            source = read_file(file, report)
            if source is not None and holds_statements(source.text):
                document = read(source, report)
                found += [] if document is None else [document]
    return found


def holds_statements(text: str) -> bool:
    """Whether a document seems to hold scenarios, positions or properties."""
    return _HOLDS.search(text) is not None
