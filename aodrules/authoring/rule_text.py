"""A rules text for exactly one composition: its clauses, what variants changed, its components, examples that pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import groupby
from typing import Any

from attrs import define, field, frozen

from aodrules.authoring.change_words import ChangeWords
from aodrules.authoring.differences import Difference, differences
from aodrules.authoring.text_blocks import Block, Example, Heading, Items, Paragraph, Picture, Rows, to_html
from aodrules.check.analyse.clauses import applies
from aodrules.check.checked import Field
from aodrules.compose.ruleset import OriginEntry
from aodrules.errors import InvalidActionError, UnknownNameError
from aodrules.lang.types import Number, Type, item_type, present
from aodrules.pages import anchor
from aodrules.picture.theme import THEMES
from aodrules.play.actions import ActionTable
from aodrules.play.chapters import chapter_title, chapters_of
from aodrules.play.components import Component, said_text
from aodrules.play.labels import FALLBACK, Labels, Text, own_phrase, plain_words
from aodrules.play.lookup import text_at
from aodrules.play.rules_context import RulesContext
from aodrules.play.scores import words_at
from aodrules.play.texts import counted
from aodrules.play.titles import document_name, documents_named, rules_title
from aodrules.rulebook import Rules
from aodrules.source.diagnostics import Report
from aodrules.svg import render
from aodrules.syntax.tree import Mapping, Node, Scalar, at
from aodrules.testing.expectations import (
    Claim,
    DecidedSaid,
    HappenedSaid,
    HoldsSaid,
    OverSaid,
    RankingSaid,
    ScoreSaid,
    SeenSaid,
    WonSaid,
)
from aodrules.testing.positions import HIDDEN, Content
from aodrules.testing.scenario_runner import ScenarioRunner, run_scenario
from aodrules.testing.scenarios import Scenario, ScenarioMove, ScenarioReader
from aodrules.testing.statements import statements_of


def _label(name: str, language: str, /, **given: object) -> Text:
    """Return words of our own in a language, with what is given in their places."""
    return own_phrase(f"rulebook.{name}", language, **given)


def example_lines(book: RulesContext, scenario: Scenario, language: str) -> Iterator[str]:
    """Iterate over what a scenario says in a language, a line for each part and each action."""
    writer = _ExampleWriter(book.actions(scenario.seats), book.labels(language))
    given = writer.contents(scenario.given)
    if given:
        yield f"{_label('given', language)}: {given}"
    at = scenario.statement.said("at")
    if isinstance(at, Mapping):
        yield f"{_label('at', language)}: {writer.beginning(at)}"
    elif scenario.beginning.before_set_up:
        yield f"{_label('at', language)}: {_label('start', language)}"
    for move in (*scenario.refused, *scenario.when):
        yield f"{_label('refused', language)}: {writer.move(move)}" if move.is_refused else writer.move(move)
    if scenario.until is not None:
        yield f"{_label('until', language)}: {writer.step(scenario.until.name)}"
    elif scenario.until_question:
        yield f"{_label('until', language)}: {_label('question', language)}"
    then = writer.claims(scenario.then)
    if then:
        yield f"{_label('then', language)}: {then}"


@frozen(eq=False)
class _ExampleWriter:
    """Writes the parts of a scenario in the words of a language."""

    action_table: ActionTable
    labels: Labels

    def step(self, name: str) -> str:
        """Return what a step is called: its own words, or those of the verb that it does."""
        return self.labels.find(name) or self.labels.find(f"verb.{name}") or plain_words(name)

    def beginning(self, at: Mapping) -> str:
        """Return where a scenario begins: the step, and for whom or what."""
        step, rest = at.get("step"), [entry for entry in at if entry.name != "step"]
        parts = [self.step(self._address(step.text))] if isinstance(step, Scalar) else []
        for entry in rest:
            text = entry.value.text if isinstance(entry.value, Scalar) else ""
            member = self._member(text)
            name = self.labels.find(f"loop.{entry.name}") or entry.name
            parts.append(member if member is not None else f"{name} {text}")
        return ", ".join(parts)

    def _address(self, step: str) -> str:
        """Return the whole address of a step that is named by its last words."""
        texts = self.labels.words.texts
        found = (address for address in texts if address.startswith("verb.") and address.endswith(f".{step}"))
        return next(found, step)

    def _member(self, id_: str) -> str | None:
        """Return what a member is called, whichever kind it is of."""
        kinds = self.labels.rules.kinds.values()
        kind = next((kind.name for kind in kinds if id_ in kind.members), None)
        if kind is not None:
            return self.labels.member(kind, id_)
        return self.labels.seat(id_) if id_ in self.action_table.names.seats else None

    def move(self, move: ScenarioMove) -> str:
        """Return who does what."""
        return f"{self.labels.seat(move.seat)}: {self._action(move.action)}"

    def _action(self, text: str) -> str:
        for decision in self.action_table.spaces:
            try:
                codes = self.action_table.codes_for(decision, text)
            except InvalidActionError:
                continue
            return self.action_table.action(decision, codes[0]).label(self.labels.language)
        return text

    # What lies where.

    def contents(self, contents: Iterable[Content]) -> str:
        """Return what a position holds, what belongs to one thing together."""
        return self._join_by_owner([self._cell(content) for content in contents])

    def claims(self, claims: Iterable[Claim]) -> str:
        """Return what comes of it."""
        return self._join_by_owner([self._claim(claim) for claim in claims])

    def _join_by_owner(self, cells: Iterable[tuple[str, str]]) -> str:
        groups = [(owner, [text for _, text in group]) for owner, group in groupby(cells, key=lambda each: each[0])]
        return "; ".join(f"{owner}: {', '.join(texts)}" if owner else "; ".join(texts) for owner, texts in groups)

    def _claim(self, claim: Claim) -> tuple[str, str]:
        seats, language = self.action_table.names.seats, self.labels.language
        match claim:
            case Content():
                return self._cell(claim)
            case ScoreSaid(player, source, value):
                name = self.labels.say(f"game.points.{source}") if source else _label("total", language)
                return self.labels.seat(seats[player]), f"{name} {value}"
            case RankingSaid(places):
                shown = [" = ".join(self.labels.seat(seat) for seat in place) for place in places]
                return "", f"{_label('ranking', language)}: {', '.join(shown)}"
            case DecidedSaid(player, reason):
                told = self.labels.criterion(reason)
                why = f"`{reason}`" if told == reason else told
                return self.labels.seat(player), f"{_label('decided', language)} {why}"
            case SeenSaid(seat, content):
                owner, text = self._cell(content)
                who = self.labels.seat(seats[seat])
                return f"{who} {_label('sees', language)}", f"{owner}: {text}" if owner else text
            case HappenedSaid(event, times):
                return "", f"{self.labels.say(f'event.{event}')}: {times}"
            case HoldsSaid():
                return "", f"`{words_at(claim.span)}`"
            case OverSaid(is_over):
                return "", _label("over" if is_over else "not-over", language)
            case WonSaid(winners):
                shown = [self.labels.seat(seat) for seat in seats if seat in winners]
                return "", f"{_label('won', language)}: {', '.join(shown) or '-'}"

    def _cell(self, content: Content) -> tuple[str, str]:
        """Return whose a cell is, and what it is called with what it holds."""
        names, field = self.action_table.names, self.labels.rules.fields[content.field]
        indices = [
            self.labels.index(type_, names.index(type_, index))
            for type_, index in zip(field.dimensions, content.at, strict=True)
        ]
        owner = indices.pop(0) if indices and not content.field.startswith("table.") else ""
        label = " ".join([self.labels.field(content.field), *indices])
        if content.member is not None:
            return owner, f"{label}: {self._many(field, names.member(str(field.holds), content.member), content.value)}"
        return owner, f"{label}: {self._value(field, self._readable(field.type, content.value))}"

    def _many(self, field: Field, name: str, count: Any) -> str:
        """Return how many of something there are, in the form that goes with the number."""
        called = self.labels.thing(field, name)
        return counted(count, called, self.labels.language) if isinstance(count, int) else f"{count} {called}"

    def _readable(self, type_: Type, value: Any) -> Any:
        """Return a value as people read it; what is hidden stays so."""
        if isinstance(value, tuple) and HIDDEN in value:
            return tuple(self._readable(item_type(type_), item) for item in value)
        return value if value == HIDDEN else self.action_table.names.readable(type_, value)

    def _value(self, field: Field, value: Any) -> str:
        if isinstance(value, Counter):
            many = ", ".join(self._many(field, name, count) for name, count in value.items())
            return many or _label("nothing", self.labels.language)
        if isinstance(value, tuple | frozenset):
            return ", ".join(self._value(field, item) for item in value) or _label("nothing", self.labels.language)
        if isinstance(value, bool):
            return _label("yes" if value else "no", self.labels.language)
        if value is None or value == HIDDEN:
            return _label("nothing" if value is None else "hidden", self.labels.language)
        return self.labels.thing(field, value) if isinstance(value, str) else str(value)


_BESIDE = ("add", "insert")
"""What a variant does beside a rule or within it; the rule itself holds on, if it is not overridden."""
_DASH = "\N{EN DASH}"
_PLACES = ("row", "column")
"""What every cell of a grid has."""


@define(eq=False, slots=False)
class RuleText:
    """The text of some rules in a language; without examples it is made much faster."""

    rules: Rules
    base: Rules | None = None
    """The same edition without variants, to tell what they change."""
    language: str = "en"
    examples: bool = True
    pictures: bool = False
    """Whether the table is shown as it is before the first decision; only pages show that."""
    _shown: set[str] = field(factory=set, init=False)

    @property
    def title(self) -> str:
        """The name of the game or edition."""
        return rules_title(self.rules.book, self.language)

    def blocks(self) -> Iterator[Block]:
        """Iterate over the parts of the text."""
        yield Heading(1, self.title)
        yield Paragraph(self._about())
        if not self._is_translated():
            yield Paragraph(_label("english", self.language))
        if self.pictures:
            yield self._picture()
        yield from self._variants()
        yield from self._clauses()
        yield from self._components()

    def page(self) -> str:
        """Return the text as one HTML file that needs nothing else."""
        return to_html(self.blocks(), self.title, self.language, _label("contents", self.language))

    def _about(self) -> str:
        """Return for how many the game is, and what is played with it."""
        fewest, most = self.rules.players
        span = str(most) if fewest == most else f"{fewest}{_DASH}{most}"
        told = [str(_label("players", self.language, span=span, most=most))]
        if self.rules.variants:
            names = ", ".join(self._document_name(name) for name in self.rules.variants)
            told.append(f"{_label('with', self.language)}: {names}")
        return ". ".join(told)

    def _picture(self) -> Picture:
        """Return how the table looks before the first decision, for those who have no seat."""
        # Few players leave much of the table empty, and many leave little room for each.
        many = sum(self.rules.players) // 2
        game = self.rules.new_game(many, seed=0, undo=False, log=False)
        light, dark = (render(game, self.language, theme=theme, prefix=f"{theme}-") for theme in THEMES)
        return Picture(light, dark, _label("picture", self.language, count=many))

    def _is_translated(self) -> bool:
        """Whether the game speaks the language, and every clause has words in it."""
        book = self.rules.book
        if self.language not in (FALLBACK, *book.words.own_languages):
            return False
        said_ = (body.get("says") for body in book.clauses.values() if applies(body, book.ruleset))
        return self.language == FALLBACK or all(isinstance(each, Mapping) and self.language in each for each in said_)

    def _document_name(self, name: str) -> str:
        return document_name(self.rules.book, name, self.language)

    def _words(self, node: Node | None) -> str | None:
        if isinstance(node, Scalar):
            return node.text
        entries = node if isinstance(node, Mapping) else ()
        found = {entry.name: entry.value.text for entry in entries if isinstance(entry.value, Scalar)}
        return found.get(self.language) or found.get("en")

    # What variants change.

    @cached_property
    def _differences(self) -> list[Difference]:
        return [] if self.base is None else differences(self.base.book.ruleset, self.rules.book.ruleset)

    @cached_property
    def _changed(self) -> dict[str, dict[str, str]]:
        """Return for each clause the variants that touch what models it, each with the label for what it does there."""
        found = dict[str, dict[str, str]]()
        for entry in self.rules.book.ruleset.origins:
            if entry.kind != "variant":
                continue
            label = "beside" if entry.action in _BESIDE else "changed"
            for clause in self._clauses_touched(entry):
                layers = found.setdefault(clause, {})
                layers[entry.layer] = "changed" if "changed" in (label, layers.get(entry.layer)) else label
        return found

    def _clauses_touched(self, entry: OriginEntry) -> tuple[str, ...]:
        book = self.rules.book
        if entry.action == "effect":
            value = at(book.ruleset.root, *entry.address.split(".", 2), "modify")
            return book.clauses_at(f"value.{value.text}" if isinstance(value, Scalar) else entry.address)
        if entry.action != "add":
            return book.clauses_at(entry.address)
        # What is new says nothing about a whole that only holds the part it was added to.
        parent = at(book.ruleset.root, *entry.address.split(".")[:-1])
        return book.clauses_at(entry.address) if isinstance(parent, Mapping) and "clauses" in parent else ()

    def _variants(self) -> Iterator[Block]:
        found = self._differences
        if not found:
            return
        yield Heading(2, _label("house", self.language), "variants")
        for name in self.rules.variants:
            yield Heading(3, self._document_name(name), anchor("variant", name))
            reason = next((each.root.get("because") for each in documents_named(self.rules.book, name)), None)
            if self._words(reason):
                yield Paragraph(str(self._words(reason)))
            yield from self._list_examples(name)
            own = [each for each in found if _side(each).endswith(f"variant {name}")]
            lines = tuple(ChangeWords(self.rules, self.language).lines(own))
            if lines:
                yield Items(lines)

    def _list_examples(self, name: str) -> Iterator[Block]:
        """Iterate over what the examples of a variant say of it, each in a sentence, if it is in this language."""
        paths = [each.source.path for each in documents_named(self.rules.book, name)]
        own = [each for each in statements_of(self.rules.book.ruleset).of("scenario") if each.span.path in paths]
        names = [each.body.get("name") for each in own]
        told = [str(self._words(name)) for name in names if isinstance(name, Mapping) and self.language in name]
        if told:
            yield Items(tuple(told))

    # Clauses.

    def _clauses(self) -> Iterator[Block]:
        book = self.rules.book
        chapters = chapters_of(book)
        if not chapters:
            yield from self._decisions()
            return
        examples = self._examples() if self.examples else {}
        yield Heading(2, _label("rules", self.language), "rules")
        for chapter in chapters:
            yield Heading(3, chapter_title(book, chapter.id, self.language), anchor("chapter", chapter.id))
            for id_ in chapter.clauses:
                yield from self._clause(id_, examples)

    def _decisions(self) -> Iterator[Block]:
        """Iterate over what players decide and what gives points: all that a game without clauses tells of its play."""
        book = self.rules.book
        spaces, lines = book.actions(self.rules.seats[: self.rules.players[0]]).spaces, list[str]()
        for entry in book.ruleset.root.mapping("decision"):
            decision = f"decision.{entry.name}"
            if decision in spaces:
                answers = dict.fromkeys(str(self._said(each.address)) for each in spaces[decision].choices)
                lines.append(f"**{self._said(decision)}**: {'; '.join(answers)}")
        if lines:
            yield Heading(2, _label("decisions", self.language), "decisions")
            yield Items(tuple(lines))
        points = [str(self._labels.say(f"game.points.{each.id}")) for each in book.checked.game.points]
        if points:
            yield Heading(2, _label("points", self.language), "points")
            yield Items(tuple(points))

    def _said(self, address: str) -> Text:
        try:
            return text_at(self.rules.book, address, self.language, {})
        except UnknownNameError:
            return self._labels.say(address)  # passing is no node of the rules

    def _clause(self, id_: str, examples: dict[str, Scenario]) -> Iterator[Block]:
        text = said_text(self.rules.book.clauses[id_], self.language) or id_
        replaced = self._replacing_document(id_)
        if replaced:
            told = f"~~{text}~~ ({_label('replaced', self.language)} **{replaced}**)"
            yield Paragraph(told, marked=True, anchor=anchor("clause", id_))
            return
        by = self._format_layers(id_)
        yield Paragraph(f"{text} ({by})" if by else text, marked=bool(by), anchor=anchor("clause", id_))
        example = examples.get(id_)
        if example is not None and example.id not in self._shown:
            self._shown.add(example.id)
            yield Example(self._example_title(example), tuple(example_lines(self.rules.book, example, self.language)))

    def _format_layers(self, id_: str) -> str:
        """Return who changed what a clause is about, and who added to it."""
        layers, told = self._changed.get(id_, {}), []
        for label in ("changed", "beside"):
            names = ", ".join(self._document_name(name) for name, each in layers.items() if each == label)
            told += [f"{_label(label, self.language)} **{names}**"] if names else []
        return "; ".join(told)

    def _example_title(self, example: Scenario) -> str:
        """Return what an example is called: by its name, if it has one in the language; else by its number."""
        name, label = example.statement.body.get("name"), _label("example", self.language)
        is_known = isinstance(name, Mapping) and self.language in name
        if is_known or (name is not None and self.language == FALLBACK):
            return f"{label}: {self._words(name)}"
        return f"{label} {len(self._shown)}"

    def _replacing_document(self, id_: str) -> str | None:
        for document in self.rules.book.ruleset.documents:
            if document.head is not None and id_ in [each.text for each in document.head.overrides]:
                return self._document_name(document.head.name.text)
        return None

    def _examples(self) -> dict[str, Scenario]:
        """Return for each clause the first scenario that shows it and passes."""
        book, found = self.rules.book, dict[str, Scenario]()
        reader, runner = ScenarioReader(book), ScenarioRunner(book)
        for statement in statements_of(book.ruleset).of("scenario"):
            wanted = [clause for clause in statement.clauses if clause not in found]
            scenario = reader.read(statement, Report()) if wanted else None
            if scenario is not None and run_scenario(runner, scenario).status == "passed":
                found |= dict.fromkeys(wanted, scenario)
        return found

    # Components.

    def _components(self) -> Iterator[Block]:
        yield Heading(2, _label("components", self.language), "components")
        added = {each.address: _side(each) for each in self._differences if each.group == "components"}
        for kind, members in self.rules.components.items():
            if members:
                yield Heading(3, self._labels.kind(kind), anchor("kind", kind))
                yield self._list_cells(kind, members) or self._table(kind, members, added)

    def _list_cells(self, kind: str, members: dict[str, Component]) -> Paragraph | None:
        """Return how many cells a grid has, if that is all there is to tell of them; nothing for other kinds."""
        graph = self.rules.book.checked.graphs.get(kind)
        names = [self._labels.member(kind, id_) for id_ in members]
        if graph is None or not graph.around or self._columns(kind, members) != list(_PLACES):
            return None
        return Paragraph(_label("grid", self.language, count=len(names), first=names[0], last=names[-1]))

    def _columns(self, kind: str, members: dict[str, Component]) -> list[str]:
        """Return the attributes that are told; one that is only there to sort by is not."""
        found = list(next(iter(members.values())).attributes)
        written = at(self.rules.book.ruleset.root, "kinds", kind, "sorted_by")
        sorted_by = written.text if isinstance(written, Scalar) else ""
        places = [each.attributes.get(sorted_by) for each in members.values()]
        # Numbers with room between them are there so that a variant can put something in.
        is_order = all(isinstance(each, int) and each % 10 == 0 for each in places)
        return [name for name in found if not (is_order and name == sorted_by)]

    def _table(self, kind: str, members: dict[str, Component], added: dict[str, str]) -> Rows:
        columns = self._columns(kind, members)
        about = {id_: self._labels.about(kind, id_) or "" for id_ in members}
        origins = {id_: self._origin(f"{kind}.{id_}.", added) for id_ in members}
        last = [(key, told) for key, told in (("about", about), ("origin", origins)) if any(told.values())]
        heads = [_label("name", self.language), *(self._labels.attribute(kind, name) for name in columns)]
        rows = [(*heads, *(str(_label(key, self.language)) for key, _ in last))]
        for id_, each in members.items():
            cells = (self._attribute(kind, name, each.attributes.get(name, "")) for name in columns)
            rows.append((self._labels.member(kind, id_), *cells, *(told[id_] for _, told in last)))
        sorts = ("", *(self._sort(kind, name) for name in columns), *("prose" for key, _ in last if key == "about"))
        return Rows(tuple(rows), sorts, tuple(anchor(f"{kind}.{id_}") for id_ in members))

    def _origin(self, address: str, added: dict[str, str]) -> str:
        """Return the name of the document that a component, or something of it, comes from."""
        layer = next((who for each, who in added.items() if f"{each}.".startswith(address)), "")
        return self._document_name(layer.rpartition(" ")[2]) if layer else ""

    def _sort(self, kind: str, attribute: str) -> str:
        return "number" if isinstance(self._type(kind, attribute), Number) else ""

    def _type(self, kind: str, attribute: str) -> Type:
        address = self._labels.attribute_address(kind, attribute)
        return present(self.rules.book.checked.attributes[address].type)

    @cached_property
    def _labels(self) -> Labels:
        return self.rules.book.labels(self.language)

    def _attribute(self, kind: str, name: str, value: Any) -> str:
        """Return an attribute as people read it: members by their names, flags in words."""
        if value is None or value is False or value == "":
            return _DASH
        return self._labels.value(self._type(kind, name), value)


def _side(each: Difference) -> str:
    side = each.after or each.cause or each.before
    return side.layer if side else ""
