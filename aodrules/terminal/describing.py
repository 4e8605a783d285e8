"""What a thing of the game is: what it does, what is printed on it, where it lies, what the rules say about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from attrs import frozen

from aodrules.compose.addresses import TreePlace, resolve
from aodrules.compose.citing import cited_in
from aodrules.game import Game
from aodrules.lang.types import Flag
from aodrules.play.actions import Action
from aodrules.play.ids import field_path
from aodrules.play.labels import phrase
from aodrules.play.views import View
from aodrules.terminal.board import Board
from aodrules.terminal.lines import other_words

_MOST = 12
"""So many places or answers are told, and how many more there are."""


@frozen
class NamedThing:
    """A member of a kind that somebody asks about."""

    kind: str
    id: str


@frozen(eq=False)
class Describer:
    """Finds what a name means in a game, and tells what it is."""

    board: Board

    def names(self) -> list[str]:
        """Return what all that can be asked about is called, by id and in the language of the board, sorted."""
        kinds = self.board.context.checked.kinds
        called = {name for each in self._things() for name in other_words(each.id, self.name(each))}
        return sorted(called | {name for name in kinds if kinds[name].members})

    def find(self, asked: str) -> list[NamedThing]:
        """Return what a name fits: a thing by its id or name, all of a kind, or all whose names hold these words."""
        wanted = " ".join(asked.lower().replace("_", " ").split())
        things, words = list(self._things()), wanted.split()
        exact = [thing for thing in things if wanted in self._names_of(thing)]
        return (
            exact
            or [thing for thing in things if wanted in self._kinds(thing)]
            or [thing for thing in things if all(word in " ".join(self._names_of(thing)) for word in words)]
        )

    def _kinds(self, thing: NamedThing) -> Iterator[str]:
        """Iterate over what the kinds are called that a thing is of, in small letters."""
        for kind in self.board.context.checked.kinds.values():
            if kind.family == thing.kind and thing.id in kind.members:
                names = (kind.name, kind.plural, self.board.labels.kind(kind.name))
                yield from (name.lower().replace("_", " ") for name in names)

    def name(self, thing: NamedThing) -> str:
        """Return what a thing is called."""
        return self.board.labels.member(thing.kind, thing.id)

    def lines(self, game: Game, thing: NamedThing) -> Iterator[str]:
        """Iterate over what is to be said of a thing, as the seat that decides may know it."""
        labels = self.board.labels
        yield f"{self.name(thing)} ({labels.kind(thing.kind)})"
        about = labels.about(thing.kind, thing.id)
        if about:
            yield f"  {about}"
        printed = list(self._attributes(thing))
        if printed:
            yield f"  {', '.join(printed)}"
        if game.decision is not None:
            yield from self._now(game, game.view(game.decision.player), thing)
        yield from (f"  {phrase('rule', self.board.language)}: {said}" for said in self._rules(thing))

    def _things(self) -> Iterator[NamedThing]:
        """Iterate over all members, each under the widest kind it is of."""
        for kind in self.board.context.checked.kinds.values():
            if kind.family == kind.name:
                yield from (NamedThing(kind.name, member) for member in kind.members)

    def _names_of(self, thing: NamedThing) -> tuple[str, ...]:
        """Return by which names a thing is known, in small letters."""
        context = self.board.context
        names = (context.labels(each).member(thing.kind, thing.id) for each in {self.board.language, "en"})
        return tuple(each.lower() for each in (thing.id.replace("_", " "), *names))

    def _attributes(self, thing: NamedThing) -> Iterator[str]:
        """Iterate over what is printed on a thing; what it has not is left out."""
        checked, labels = self.board.context.checked, self.board.labels
        attributes = self.board.context.components[thing.kind][thing.id].attributes
        for name, value in attributes.items():
            if value is None or value is False:
                continue
            label = labels.attribute(thing.kind, name)
            type_ = checked.attributes[labels.attribute_address(thing.kind, name)].type
            yield label if isinstance(type_, Flag) else f"{label}: {labels.value(type_, value)}"

    def _now(self, game: Game, view: View, thing: NamedThing) -> Iterator[str]:
        """Iterate over how it stands with a thing: what it holds, where it lies, what can be done with it."""
        for label, words in self.board.contents(view, thing.kind, thing.id):
            yield f"  {label}: {words}"
        places = list(self._places(game, view, thing))
        if places:
            yield f"  {phrase('lies', self.board.language)}: {_join_some(places)}"
        possible = [action.label(self.board.language) for action in game.actions if _mentions(action, thing.id)]
        if possible:
            yield f"  {phrase('possible', self.board.language)}: {_join_some(possible, '; ')}"

    def _places(self, game: Game, view: View, thing: NamedThing) -> Iterator[str]:
        """Iterate over the places where the decider knows such pieces to lie, each with how many."""
        names = game.book.actions(game.players).names
        for field in (each.name for each in names.tables.rules.fields.values() if each.holds == thing.kind):
            for at in names.tables.shapes[field].indices():
                count = _count(view[field_path(names, field, at)], thing.id)
                if count:
                    where = self.board.labels.place(names, field, at)
                    yield where if count == 1 else f"{count} × {where}"

    def _rules(self, thing: NamedThing) -> Iterator[str]:
        """Iterate over what the clauses say that the thing cites, or its kind where it cites none."""
        context, done = self.board.context, set[str]()
        for kind in (each for each in context.checked.kinds.values() if thing.id in each.members):
            place = resolve(context.ruleset.root, f"{kind.name}.{thing.id}")
            cited = tuple(cited_in(place.node)) if isinstance(place, TreePlace) else ()
            for clause in cited or context.clauses_at(f"{kind.name}.{thing.id}"):
                said = context.clause_text(clause, self.board.language)
                if said and clause not in done and clause not in context.ruleset.overrides:
                    done.add(clause)
                    yield said


def _count(value: Any, id_: str) -> int:
    """Return how many pieces of a member a cell holds; an owned one is called after its owner."""
    if isinstance(value, Counter):
        return value[id_]
    items = value if isinstance(value, tuple) else (value,)
    return sum(isinstance(item, str) and item.rpartition(" ")[2] == id_ for item in items)


def _mentions(action: Action, id_: str) -> bool:
    return any(isinstance(value, str) and value.rpartition(" ")[2] == id_ for value in action.args.values())


def _join_some(items: list[str], between: str = ", ") -> str:
    more = [f"+ {len(items) - _MOST}"] if len(items) > _MOST else []
    return between.join([*items[:_MOST], *more])
