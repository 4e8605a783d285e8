"""A rules text for exactly one composition: its clauses, what variants changed, its components, examples that pass."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from attrs import define, field

from aodrules.authoring.differences import Difference, differences
from aodrules.authoring.flow import clauses_in_order
from aodrules.authoring.pages import Block, Heading, Items, Listing, Paragraph, Rows
from aodrules.compose.families import at
from aodrules.play.clauses import said
from aodrules.play.explanations import yaml_lines
from aodrules.play.words import plain_words
from aodrules.rulebook import Rules
from aodrules.source.diagnostics import Report
from aodrules.syntax.documents import Document
from aodrules.syntax.tree import Mapping, Node, Scalar
from aodrules.testing.entries import Steps
from aodrules.testing.running import Stage, run_scenario
from aodrules.testing.scenarios import ScenarioReader
from aodrules.testing.statements import Statement, active_names, statements_of, words

LANGUAGES = ("en", "pl", "ru")
_LABELS = {
    "rules": ("Rules", "Zasady", "Правила"),
    "components": ("Components", "Elementy gry", "Компоненты"),
    "house": ("What these variants change", "Co zmieniają te warianty", "Что меняют эти варианты"),
    "with": ("Played with", "Gra z wariantami", "Варианты игры"),
    "changed": ("changed by", "zmienione przez", "изменено:"),
    "replaced": ("replaced by", "zastąpione przez", "заменено:"),
    "example": ("Example", "Przykład", "Пример"),
    "name": ("name", "nazwa", "название"),
    "origin": ("from", "skąd", "откуда"),
}


@define(eq=False)
class RuleText:
    """The text of some rules in a language; without examples it is made much faster."""

    rules: Rules
    base: Rules | None = None
    """The same edition without variants, to tell what they change."""
    language: str = "en"
    examples: bool = True
    _changed: dict[str, list[str]] = field(init=False)
    _shown: set[str] = field(factory=set, init=False)

    def __attrs_post_init__(self) -> None:
        self._changed = self._changes()

    @property
    def title(self) -> str:
        """The name of the game or edition."""
        ruleset, book = self.rules.book.ruleset, self.rules.book
        name = book.words.find("game", self.language) or plain_words(self.rules.name)
        return self._document_name(ruleset.edition) if ruleset.edition else name

    def blocks(self) -> Iterator[Block]:
        """Iterate over the parts of the text."""
        yield Heading(1, self.title)
        if self.rules.variants:
            names = ", ".join(self._document_name(name) for name in self.rules.variants)
            yield Paragraph(f"{self._label('with')}: {names}")
        yield from self._variants()
        yield from self._clauses()
        yield from self._components()

    def _label(self, name: str) -> str:
        return _LABELS[name][LANGUAGES.index(self.language) if self.language in LANGUAGES else 0]

    def _document_name(self, name: str) -> str:
        said_ = (self._words(document.root.get("name")) for document in self._documents(name))
        return next((words for words in said_ if words), plain_words(name))

    def _words(self, node: Node | None) -> str | None:
        if isinstance(node, Scalar):
            return node.text
        entries = node if isinstance(node, Mapping) else ()
        found = {entry.name: entry.value.text for entry in entries if isinstance(entry.value, Scalar)}
        return found.get(self.language) or found.get("en")

    # What variants change.

    def _differences(self) -> list[Difference]:
        if self.base is None:
            return []
        return differences(self.base.book.ruleset, self.rules.book.ruleset)

    def _changes(self) -> dict[str, list[str]]:
        """Return for each clause the variants that change what models it."""
        ruleset, found = self.rules.book.ruleset, dict[str, list[str]]()
        for touch in (touch for touch in ruleset.touches if touch.kind == "variant"):
            address = touch.address
            if touch.action == "effect":
                value = at(ruleset.root, *address.split(".", 2), "modify")
                address = f"value.{value.text}" if isinstance(value, Scalar) else address
            for clause in self.rules.book.clauses_at(address):
                layers = found.setdefault(clause, [])
                layers += [] if touch.layer in layers else [touch.layer]
        return found

    def _variants(self) -> Iterator[Block]:
        found = self._differences()
        if not found:
            return
        yield Heading(2, self._label("house"))
        for name in self.rules.variants:
            yield Heading(3, self._document_name(name))
            reason = next((each.root.get("because") for each in self._documents(name)), None)
            if self._words(reason):
                yield Paragraph(str(self._words(reason)))
            own = [each for each in found if _side(each).endswith(f"variant {name}")]
            if own:
                yield Items(tuple(self._told(each) for each in own))

    def _documents(self, name: str) -> list[Document]:
        documents = self.rules.book.ruleset.documents
        return [each for each in documents if each.head is not None and each.head.name.text == name]

    def _told(self, each: Difference) -> str:
        sign = {"added": "+", "removed": "-", "changed": "~"}[each.sort]
        before, after = ("; ".join(side.lines) if side else "" for side in (each.before, each.after))
        text = f"{before} → {after}" if each.sort == "changed" else before or after
        return f"{sign} `{each.address}`: `{' '.join(text.split())}`"

    # Clauses.

    def _clauses(self) -> Iterator[Block]:
        chapters: dict[str, list[str]] = {}
        known = self.rules.book.clauses
        for id_ in [*dict.fromkeys([*clauses_in_order(self.rules.book.ruleset.root), *known])]:
            if id_ in known and self._is_meant(known[id_]):
                chapters.setdefault(PurePosixPath(known[id_].span.path).stem, []).append(id_)
        if not chapters:
            return
        examples = self._examples() if self.examples else {}
        yield Heading(2, self._label("rules"))
        for chapter, ids in chapters.items():
            yield Heading(3, plain_words(chapter))
            for id_ in ids:
                yield from self._clause(id_, examples)

    def _is_meant(self, body: Mapping) -> bool:
        ruleset = self.rules.book.ruleset
        editions = words(body.get("editions"))
        return (not editions or ruleset.edition in editions) and set(words(body.get("with"))) <= active_names(ruleset)

    def _clause(self, id_: str, examples: dict[str, Statement]) -> Iterator[Block]:
        text = said(self.rules.book.clauses[id_], self.language) or id_
        replaced = self._replaced(id_)
        if replaced:
            yield Paragraph(f"~~{text}~~ ({self._label('replaced')} **{replaced}**)", marked=True)
            return
        by = ", ".join(self._document_name(name) for name in self._changed.get(id_, ()))
        yield Paragraph(f"{text} ({self._label('changed')} **{by}**)", marked=True) if by else Paragraph(text)
        example = examples.get(id_)
        if example is not None and example.id not in self._shown:
            self._shown.add(example.id)
            yield Paragraph(f"{self._label('example')}: {self._words(example.body.get('name')) or example.id}")
            yield Listing(tuple(_example_lines(example)))

    def _replaced(self, id_: str) -> str | None:
        for document in self.rules.book.ruleset.documents:
            if document.head is not None and id_ in [each.text for each in document.head.overrides]:
                return self._document_name(document.head.name.text)
        return None

    def _examples(self) -> dict[str, Statement]:
        """Return for each clause the first scenario that shows it and passes."""
        book, found = self.rules.book, dict[str, Statement]()
        reader, stage = ScenarioReader(book, Steps(book.checked)), Stage(book)
        for statement in statements_of(book.ruleset).of("scenario"):
            wanted = [clause for clause in statement.clauses if clause not in found]
            scenario = reader.read(statement, Report()) if wanted else None
            if scenario is not None and run_scenario(stage, scenario).status == "passed":
                found |= dict.fromkeys(wanted, statement)
        return found

    # Components.

    def _components(self) -> Iterator[Block]:
        yield Heading(2, self._label("components"))
        added = {each.address: _side(each) for each in self._differences() if each.group == "components"}
        for kind, members in self.rules.components.items():
            if not members:
                continue
            columns = list(next(iter(members.values())).attributes)
            yield Heading(3, plain_words(self.rules.book.checked.kinds[kind].plural))
            rows = [(self._label("name"), *map(plain_words, columns), *([self._label("origin")] if added else []))]
            for id_, each in members.items():
                origin = next((who for address, who in added.items() if f"{address}.".startswith(f"{kind}.{id_}.")), "")
                cells = (str(each.attributes.get(name, "")) for name in columns)
                rows.append((self._name(kind, id_), *cells, *([origin] if added else [])))
            yield Rows(tuple(rows))

    def _name(self, kind: str, id_: str) -> str:
        return self.rules.book.words.say(f"{kind}.{id_}", self.language)


def _side(each: Difference) -> str:
    side = each.after or each.cause or each.before
    return side.layer if side else ""


def _example_lines(example: Statement) -> Iterator[str]:
    for part in ("given", "at", "refused", "when", "until", "then"):
        node = example.body.get(part)
        if node is not None:
            yield f"{part}:"
            yield from (f"  {line}" for line in yaml_lines(node))
