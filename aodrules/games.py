"""What ships with the package: games, and for each its editions, variants, house rules and rulings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from typing import Any

from attrs import field, frozen

from aodrules.arguments import check_text, format_argument
from aodrules.compose.library import example_games, shipped_files, shipped_games
from aodrules.errors import UnknownNameError
from aodrules.play.labels import plain_words
from aodrules.rulebook import Rules, load
from aodrules.source.diagnostics import Report
from aodrules.source.files import read_file
from aodrules.source.wording import did_you_mean
from aodrules.syntax.documents import Document
from aodrules.syntax.from_source import read
from aodrules.syntax.tree import Mapping as MappingNode
from aodrules.syntax.tree import Scalar

Texts = Mapping[str, str]
"""The same words in several languages, by language."""


@frozen
class CatalogueEntry:
    """An edition, variant or house rule: what it is called, why it is there, and what it goes together with.

    Examples:
        >>> import aodrules
        >>> loans = aodrules.catalogue()["aod"].find("loans")
        >>> loans.text("en"), loans.editions
        ('Loans', ('aoe3-pl', 'aoe3-ru', 'empires'))
    """

    id: str
    """What it is called in `load("edition+variant")`."""
    kind: str
    """`edition` or `variant`."""
    game: str
    """The game it belongs to."""
    names: Texts = field(hash=False)
    """What it is called, by language."""
    reasons: Texts = field(hash=False)
    """Why it is there, by language."""
    house: bool = False
    """Whether it is a house rule: the rulebooks do not know it."""
    editions: tuple[str, ...] = ()
    """The editions it is for; for all of them if there are none."""
    needs: tuple[str, ...] = ()
    """The variants that must be played with it."""
    conflicts: tuple[str, ...] = ()
    """The variants that it cannot be played with, whichever of the two says so."""

    def text(self, language: str = "en") -> str:
        """Return what it is called, or its id in plain letters."""
        return _in_language(self.names, language) or plain_words(self.id)

    def because(self, language: str = "en") -> str | None:
        """Return why it is there, if it says so."""
        return _in_language(self.reasons, language)


@frozen
class CatalogueRuling:
    """An open question of a rulebook, its readings, and the one that is played.

    Examples:
        >>> import aodrules
        >>> ruling = next(iter(aodrules.catalogue()["aod"].rulings.values()))
        >>> ruling.chosen in ruling.readings
        True
    """

    id: str
    """What it is called in the rules."""
    questions: Texts = field(hash=False)
    """The question, by language."""
    readings: Mapping[str, Texts] = field(hash=False)
    """What may be meant, by id."""
    chosen: str
    """The reading that is played."""
    reasons: Texts = field(hash=False)
    """Why that reading was chosen, by language."""
    variants: tuple[str, ...] = ()
    """The variants by which other readings are played; each bears the name of its reading."""

    def text(self, language: str = "en") -> str:
        """Return the question."""
        return _in_language(self.questions, language) or plain_words(self.id)

    def because(self, language: str = "en") -> str | None:
        """Return why the reading that is played was chosen."""
        return _in_language(self.reasons, language)

    def reading(self, id_: str, language: str = "en") -> str:
        """Return what a reading says."""
        if check_text("a reading", id_) not in self.readings:
            raise UnknownNameError(f"the ruling `{self.id}` has no reading {format_argument(id_)}")
        return _in_language(self.readings[id_], language) or plain_words(id_)


@frozen(eq=False, slots=False)
class CatalogueGame:
    """A game that ships with the package.

    Its documents are read when something in them is asked for; they are not checked. How many can play and in which
    languages is asked of the rules, which are loaded for that.

    Examples:
        >>> import aodrules
        >>> harbour = aodrules.catalogue()["harbour"]
        >>> harbour.text(), harbour.players(), [one.id for one in harbour.editions]
        ('Harbour', (2, 4), ['grand', 'pocket'])
    """

    id: str
    """What `load` calls it."""

    @cached_property
    def editions(self) -> tuple[CatalogueEntry, ...]:
        """The editions; a game that has none is loaded by its own id."""
        return tuple(entry for entry in self.entries if entry.kind == "edition")

    @cached_property
    def variants(self) -> tuple[CatalogueEntry, ...]:
        """The variants of the rulebooks."""
        return tuple(entry for entry in self._official if entry.id not in self._readings)

    @cached_property
    def other_readings(self) -> tuple[CatalogueEntry, ...]:
        """The variants that play another reading of a ruling than the chosen one."""
        return tuple(entry for entry in self._official if entry.id in self._readings)

    @cached_property
    def house_rules(self) -> tuple[CatalogueEntry, ...]:
        """The house rules."""
        return tuple(entry for entry in self.entries if entry.house)

    @cached_property
    def entries(self) -> tuple[CatalogueEntry, ...]:
        """All of these, by id; two that bear one id are for different editions."""
        found = (self._entry(document) for document in self._documents)
        return tuple(sorted((entry for entry in found if entry is not None), key=lambda one: (one.id, one.editions)))

    def find(self, id_: str, edition: str | None = None) -> CatalogueEntry:
        """Return what bears an id; where it is there for several editions, that for one of them, or else the first.

        Raises:
            UnknownNameError: Nothing bears that id, or it is not for that edition.
        """
        check_text("an id", id_)
        if edition is not None:
            check_text("an edition", edition)
        known = [entry for entry in self.entries if edition is None or not entry.editions or edition in entry.editions]
        found = next((entry for entry in known if entry.id == id_), None)
        if found is None:
            hint = did_you_mean(id_, [entry.id for entry in known])
            raise UnknownNameError(f"`{self.id}` has no {format_argument(id_)}" + (f"; {hint}" if hint else ""))
        return found

    @property
    def _official(self) -> Iterator[CatalogueEntry]:
        return (entry for entry in self.entries if entry.kind == "variant" and not entry.house)

    @cached_property
    def _readings(self) -> frozenset[str]:
        return frozenset(name for ruling in self.rulings.values() for name in ruling.variants)

    @cached_property
    def rulings(self) -> dict[str, CatalogueRuling]:
        """The open questions of the rulebooks, by id."""
        found = (
            (entry.name, entry.value)
            for document in self._documents
            for entry in (document.declarations or document.root).mapping("ruling")
        )
        variants = frozenset(entry.id for entry in self.entries)
        return {id_: _ruling(id_, body, variants) for id_, body in found if isinstance(body, MappingNode)}

    def text(self, language: str = "en") -> str:
        """Return what the game is called."""
        return self._rules().book.labels(check_text("a language", language)).say("game")

    def players(self, edition: str | None = None) -> tuple[int, int]:
        """Return how many can play it, or one of its editions: the fewest and the most."""
        return self._rules(edition).players

    def seats(self, edition: str | None = None) -> tuple[str, ...]:
        """Return the seats of the game or of one of its editions."""
        return self._rules(edition).seats

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages in which it has words, sorted."""
        texts = self._rules().book.words.texts.values()
        return tuple(sorted({language for said in texts for language in said}))

    def _rules(self, edition: str | None = None) -> Rules:
        return load(self.id if edition is None else f"{self.id}+{self.find(edition).id}")

    @cached_property
    def _documents(self) -> tuple[Document, ...]:
        files = shipped_files(self.id)
        return tuple(_read([*files.plain, *(path for _, _, path in files.named)]))

    def _entry(self, document: Document) -> CatalogueEntry | None:
        head, root = document.head, document.root
        if head is None or head.kind == "module":
            return None
        id_ = head.name.text
        others = (each.head for each in self._documents if each.head is not None)
        named_by = {other.name.text for other in others if id_ in _texts_of(other.conflicts)}
        return CatalogueEntry(
            id_,
            head.kind,
            self.id,
            _said(root, "name"),
            _said(root, "because"),
            head.house,
            _texts_of(head.editions),
            tuple(sorted(_texts_of(head.requires))),
            tuple(sorted({*_texts_of(head.conflicts), *named_by})),
        )

    def __repr__(self) -> str:
        return f"<game {self.id}>"


def catalogue() -> dict[str, CatalogueGame]:
    """Return all games that ship with the package, by id, the large ones first.

    Examples:
        >>> import aodrules
        >>> list(aodrules.catalogue())
        ['ages', 'aod', 'tempus', 'caravan', 'harbour', 'isles', 'nim']
        >>> aodrules.catalogue()["aod"].find("empires").text("en")
        'Empires: Age of Discovery'
    """
    return {id_: _game(id_) for id_ in (*shipped_games(), *example_games())}


@cache  # what ships does not change while a program runs
def _game(id_: str) -> CatalogueGame:
    return CatalogueGame(id_)


def _read(paths: Iterable[Any]) -> Iterator[Document]:
    """Read documents that ship; they are right, so nothing is reported."""
    for path in paths:
        source = read_file(path, Report())
        document = None if source is None else read(source, Report())
        if document is not None:
            yield document


def _ruling(id_: str, body: MappingNode, variants: frozenset[str]) -> CatalogueRuling:
    readings = {entry.name: _texts(entry.value) for entry in body.mapping("readings")}
    chosen = body.get("chosen")
    return CatalogueRuling(
        id_,
        _said(body, "question"),
        readings,
        chosen.text if isinstance(chosen, Scalar) else "",
        _said(body, "because"),
        tuple(name for name in readings if name in variants),
    )


def _said(body: MappingNode, key: str) -> dict[str, str]:
    return _texts(body.get(key))


def _texts(node: object) -> dict[str, str]:
    """Return words by language; what is said without a language is English."""
    if isinstance(node, Scalar):
        return {"en": node.text}
    if not isinstance(node, MappingNode):
        return {}
    return {entry.name: entry.value.text for entry in node if isinstance(entry.value, Scalar)}


def _texts_of(scalars: Iterable[Scalar]) -> tuple[str, ...]:
    return tuple(scalar.text for scalar in scalars)


def _in_language(texts: Texts, language: str) -> str | None:
    """Return the words in a language, else the English ones, else any."""
    language = check_text("a language", language)
    return texts.get(language) or texts.get("en") or next(iter(texts.values()), None)
