"""Finding documents: from the word `game+variant+./mine.yaml` to the documents it stands for.

Only files that were named, or that lie in a folder that was named or is shipped, are ever read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import TypeAlias

from attrs import define, field, frozen

from aodrules.arguments import RulesRequest
from aodrules.compose import problems
from aodrules.compose.selection import rules_word
from aodrules.source.diagnostics import Report
from aodrules.source.disk import SUFFIXES, is_folder, is_there, yaml_files
from aodrules.source.files import check_links, read_file
from aodrules.source.shipped import example, shipped
from aodrules.source.spans import Source
from aodrules.source.wording import nearest, quote
from aodrules.syntax.documents import Document, Head
from aodrules.syntax.tree import Scalar

STARTERS = "starters"
"""The folder in a game's that holds what new documents begin with: nothing there belongs to the game."""
Reader: TypeAlias = Callable[[Source, Report], Document | None]
"""What reads a document from its source: the pass of the stage before."""
Found: TypeAlias = tuple[list[Document], str | None, list[str]]
"""Documents, the name of the edition if there is one, and the names of the variants."""

# A head stands at the beginning of a line; whatever else begins a line is no word of a head.
_HEAD = re.compile(r"^(?P<kind>edition|variant|module):[ \t]+[\"']?(?P<name>[^\s\"'#{\[]+)", re.MULTILINE)


def parse_rules_word(word: str) -> RulesRequest:
    """Return what a word asks for.

    Examples:
        >>> parse_rules_word("first+builders+./mine.yaml")
        RulesRequest(base='first', variants=('builders', './mine.yaml'))
    """
    base, *variants = word.split("+")
    return RulesRequest(base.strip(), tuple(each.strip() for each in variants if each.strip()))


def find(base: str, variants: Sequence[str], report: Report, read: Reader, given: Iterable[Document] = ()) -> Found:
    """Return the documents that a game or edition and variants stand for; what is not found is reported.

    Documents that are given are among them, with what they are based on and include.
    """
    finder = _RulesFinder(report, read, rules_word(base, variants))
    finder.opened.update({Path(f"given {number}"): document for number, document in enumerate(given)})
    files = finder.base(base)
    if files is None:
        return [], None, []
    for path in files.plain:
        finder.open(path)
    found = [finder.variant(each, files) for each in variants]
    finder.follow(files)
    return list(finder.opened.values()), finder.edition, [name for name in found if name is not None]


def is_path(text: str) -> bool:
    """Return whether a part of a word is a path and not a name."""
    return text.endswith(SUFFIXES) or any(sign in text for sign in "/\\") or text in (".", "..")


@frozen
class GameFiles:
    """The files of one game: which of them declare, and which bear a name."""

    plain: tuple[Path, ...]
    named: tuple[tuple[str, str, Path], ...] = ()
    """Kind, name and path of each document with a head."""

    def names(self, kind: str) -> list[str]:
        """Return the names of the documents of a kind."""
        return sorted({name for each, name, _ in self.named if each == kind})

    def paths(self, kind: str, name: str) -> list[Path]:
        """Return the files of a kind and name; several, if they are for several editions."""
        return [path for each, known, path in self.named if (each, known) == (kind, name)]


def find_game_files(folders: Iterable[Path]) -> GameFiles:
    """Return the files under some folders, told apart by the first words of their lines: that is cheap."""
    plain, named = [], []
    files = [(folder, path) for folder in folders for path in yaml_files(folder)]
    for path in [path for folder, path in files if path.relative_to(folder).parts[0] != STARTERS]:
        source = read_file(path, Report())
        head = None if source is None else _HEAD.search(source.text)
        if head is None:
            plain.append(path)
        else:
            named.append((head["kind"], head["name"], path))
    return GameFiles(tuple(plain), tuple(named))


def shipped_games() -> list[str]:
    """Return the names of the games that ship with the package."""
    return sorted(path.name for path in shipped("content").iterdir() if path.is_dir() and not path.name.startswith("."))


def example_games() -> list[str]:
    """Return the names of the small games that ship as examples: folders, and files that declare a whole game."""
    games = shipped("games")
    plain = find_game_files([games]).plain
    return sorted({path.relative_to(games).parts[0].removesuffix(".yaml") for path in plain})


def is_known_game(name: str) -> bool:
    """Whether a game of that name ships with the package, in full or as an example."""
    return name in shipped_games() or example(name) is not None


def is_shipped_name(name: str) -> bool:
    """Whether a name stands for a game or edition that ships, whatever lies here: an example gives way to a file."""
    return name in shipped_games() or name in _shipped_editions() or (example(name) is not None and not is_there(name))


@cache
def _shipped_editions() -> frozenset[str]:
    return frozenset(name for game in shipped_games() for name in shipped_files(game).names("edition"))


def shipped_files(game: str) -> GameFiles:
    """Return the files of a game that ships with the package."""
    small = example(game)
    if small is not None:
        return find_game_files([small]) if small.is_dir() else GameFiles((small,))
    folders = (shipped("content") / game, shipped("variants") / game)
    return find_game_files(folder for folder in folders if folder.is_dir())


@define(eq=False)
class _RulesFinder:
    """The documents found so far, by path."""

    report: Report
    read: Reader
    word: dict[str, Scalar]
    opened: dict[Path, Document] = field(factory=dict)
    edition: str | None = None

    def open(self, path: Path) -> Document | None:
        """Return the document of a file, read at most once."""
        key = path.absolute()
        if key not in self.opened:
            source = read_file(path, self.report)
            document = None if source is None else self.read(source, self.report)
            if document is None:
                return None
            self.opened[key] = document
        return self.opened[key]

    @cached_property
    def shipped(self) -> dict[str, GameFiles]:
        """The files of each game that ships with the package."""
        return {game: shipped_files(game) for game in shipped_games()}

    def base(self, name: str) -> GameFiles | None:
        """Return the files of a game that is given by its path or name, or by the name or path of an edition."""
        if is_path(name):
            return self._base_at(Path(name))
        if self._shipped_with(name) is None:
            place = Path(name) if is_there(name) else example(name)
            if place is not None:
                return self._base_at(place)
        return self._base_named(self.word[name])

    def _shipped_with(self, name: str) -> GameFiles | None:
        """Return the files of the shipped game that bears a name, or has an edition that bears it."""
        editions = (files for files in self.shipped.values() if name in files.names("edition"))
        return self.shipped.get(name) or next(editions, None)

    def _base_named(self, name: Scalar) -> GameFiles | None:
        files = self._shipped_with(name.text)
        if files is None:
            editions = [edition for files in self.shipped.values() for edition in files.names("edition")]
            names = [*self.shipped, *editions, *example_games()]
            self.report.add(problems.unknown_game(name.text, name.span, names))
        elif name.text not in self.shipped:
            self._open_edition(name.text, files)
        return files

    def _base_at(self, path: Path) -> GameFiles | None:
        if is_folder(path):
            return self._folder(path)
        document = self.open(path)
        if document is None:
            return None
        return GameFiles((path,)) if document.head is None else self._base_of(document.head)

    def _base_of(self, head: Head) -> GameFiles | None:
        """Return the files of the game that an edition says it belongs to."""
        if head.kind == "edition" and head.game is not None:
            self.edition = head.name.text
            return self._base_named(head.game)
        if head.kind == "edition":
            self.report.add(problems.edition_without_game(head.name))
        else:
            found = f"the {head.kind} {quote(head.name.text)}"
            self.report.add(problems.unknown_game(head.name.text, head.name.span, found=found))
        return None

    def _folder(self, path: Path) -> GameFiles | None:
        if not check_links(path, self.report):
            return None
        files = find_game_files([path])
        if files.plain:
            return files
        found = "a folder without declarations"
        self.report.add(problems.unknown_game(path.as_posix(), next(iter(self.word.values())).span, found=found))
        return None

    def variant(self, name: str, files: GameFiles) -> str | None:
        """Open a variant and return its name; an edition that is named among variants is used as the edition."""
        if is_path(name):
            return self._variant_at(Path(name), name)
        if name in files.names("variant"):
            for path in files.paths("variant", name):
                self.open(path)
            return name
        if name in files.names("edition"):
            self._use_edition(name, name)
            self._open_edition(name, files)
        else:
            span, module = self.word[name].span, f"the module {quote(name)}"
            found = module if name in files.names("module") else None
            self.report.add(problems.unknown_variant("variant", name, span, files.names("variant"), found=found))
        return None

    def _variant_at(self, path: Path, written: str) -> str | None:
        document = self.open(path)
        if document is None:
            return None
        if document.language is not None:
            return None  # Words belong to what is played with them.
        if document.head is None:
            span, found = self.word[written].span, "a document without a head"
            self.report.add(problems.unknown_variant("variant", written, span, (), found=found))
        elif document.head.kind == "edition":
            self._use_edition(document.head.name.text, written)
        elif document.head.kind == "variant":
            return document.head.name.text
        return None

    def _use_edition(self, name: str, written: str) -> None:
        if self.edition not in (None, name):
            self.report.add(problems.several_editions(str(self.edition), name, self.word[written].span))
        else:
            self.edition = name

    def _open_edition(self, name: str, files: GameFiles) -> None:
        self.edition = self.edition or name
        for path in files.paths("edition", name):
            self.open(path)

    def follow(self, files: GameFiles) -> None:
        """Open what the opened documents are based on and include, as far as it is among the files of the game."""
        done: set[tuple[str, str]] = set()
        while wanted := [each for each in self._wanted() if each[:2] not in done]:
            for kind, name, at, by in wanted:
                done.add((kind, name))
                if self._has(kind, name):
                    continue
                if not files.paths(kind, name):
                    self.report.add(problems.unknown_variant(kind, name, at.span, files.names(kind), by))
                for path in files.paths(kind, name):
                    self.open(path)
        known = [*files.names("variant"), *files.names("module")]
        for head in self._heads:
            for each in head.requires:
                if each.text not in known and not self._has("variant", each.text) and nearest(each.text, known):
                    self.report.add(problems.unknown_variant("variant", each.text, each.span, known, head.name.text))

    def _has(self, kind: str, name: str) -> bool:
        return any((head.kind, head.name.text) == (kind, name) for head in self._heads)

    @property
    def _heads(self) -> list[Head]:
        return [document.head for document in self.opened.values() if document.head is not None]

    def _wanted(self) -> list[tuple[str, str, Scalar, str]]:
        """Return what the opened documents name: kind, name, where, and in which document."""
        heads = self._heads
        bases = [(head.kind, head.based_on.text, head.based_on, head.name.text) for head in heads if head.based_on]
        return bases + [("module", each.text, each, head.name.text) for head in heads for each in head.includes]
