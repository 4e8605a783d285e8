"""Actions as people and bots know them: an option with its arguments, made once for each decision and code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from attrs import define, field, frozen

from aodrules.arguments import check_text, format_argument
from aodrules.errors import InvalidActionError
from aodrules.facts.action_codes import ActionSpace, Choice, action_spaces
from aodrules.lang.types import Member, Number
from aodrules.play.ids import IdTable
from aodrules.play.labels import Labels, Text, Words, fill, joined
from aodrules.play.texts import NOT_GIVEN
from aodrules.source.wording import did_you_mean, join, nearest, quote


@frozen
class Action:
    """An answer to a decision: an option and its arguments. Its text can be parsed back.

    Examples:
        >>> import aodrules
        >>> game = aodrules.load("nim").new_game(players=2, seed=1)
        >>> action = game.actions[0]
        >>> action.option, list(action.args)
        ('take', ['heap', 'count'])
        >>> str(action) == f"take {action.args['heap']} 1"
        True
    """

    decision: str
    """The address of the decision."""
    text: str
    """What can be typed, and read back."""
    code: int
    """Its number among all answers to the decision."""
    option: str = field(eq=False)
    """The id of the option."""
    address: str = field(eq=False, repr=False)
    """The address of the option."""
    args: dict[str, Any] = field(eq=False)
    """The arguments by name, as people read them."""
    hidden: bool = field(eq=False, repr=False)
    """Whether other seats are shown only which option it is."""
    _table: ActionTable | None = field(default=None, eq=False, repr=False)

    def label(self, language: str = "en") -> str:
        """Return the action in the words of a language; one that no game made has only its text."""
        if self._table is None:
            check_text("a language", language)
            return self.text
        return self._table.label(self, self._table.words.check(language))

    def __str__(self) -> str:
        return self.text


class _Made(dict[int, Action]):
    """The actions of one decision by code, each made when first asked for."""

    def __init__(self, make: Callable[[str, int], Action], decision: str) -> None:
        super().__init__()
        self._make = make
        self._decision = decision

    def __missing__(self, code: int) -> Action:
        made = self[code] = self._make(self._decision, code)
        return made


@define(eq=False)
class ActionTable:
    """All actions of a game of so many players, made when first asked for."""

    names: IdTable
    words: Words
    spaces: dict[str, ActionSpace] = field(init=False)
    _made: dict[str, _Made] = field(factory=dict, init=False)
    _labels: dict[str, dict[str, str]] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self.spaces = action_spaces(self.names.tables)
        self._made = {decision: _Made(self._make, decision) for decision in self.spaces}

    def action(self, decision: str, code: int) -> Action:
        """Return the action that a code stands for."""
        return self._made[decision][code]

    def actions(self, decision: str, codes: Iterable[int]) -> list[Action]:
        """Return the actions that codes stand for."""
        return list(map(self._made[decision].__getitem__, codes))

    def codes_for(self, decision: str, text: str) -> list[int]:
        """Return the codes that a text may mean; several if it names an option that is there more than once.

        Raises:
            InvalidActionError: It means nothing.
        """
        option, *words = text.split() or [""]
        choices = list(self._choices(decision, option))
        if not choices:
            raise InvalidActionError(text, self._explain_unknown_option(decision, option))
        codes = [code for choice in choices for code in self._codes(decision, choice, words)]
        if not codes:
            raise InvalidActionError(text, self._explain_misfit(decision, choices[0], words))
        return codes

    def _explain_unknown_option(self, decision: str, option: str) -> str:
        """Return why the first word of a text is no option of a decision."""
        if not option:
            return "it has no words"
        if any(option == choice.id for space in self.spaces.values() for choice in space.choices):
            return f"{quote(option)} answers another question"
        near = did_you_mean(option, self.option_names(decision).values())
        return near or f"there is no option {quote(option)}"

    def _explain_misfit(self, decision: str, choice: Choice, words: list[str]) -> str:
        """Return why words do not fit an option: which of them is no member there, or else what must follow."""
        form = self._explain_form(decision, choice)
        for type_ in choice.types:
            found = self.names.parse(type_, words)
            if found is not None:
                words = words[found[1] :]
            elif words and isinstance(type_, Member):
                near = nearest(words[0], self.names.tables.rules.family(type_.kind).members)
                return (
                    f"there is no {type_.kind} {quote(words[0])}; {f'the nearest is {quote(near)}' if near else form}"
                )
            else:
                break
        return form

    def _explain_form(self, decision: str, choice: Choice) -> str:
        """Return what follows an option, with an example."""
        name = quote(self.option_names(decision)[choice.address])
        if not choice.types:
            return f"nothing follows {name}"
        example = self.action(decision, self.spaces[decision].encode(choice, list(choice.lows)))
        return f"{name} is followed by {_format_expected(choice)}, as in {quote(example)}"

    def label(self, action: Action, language: str) -> Text:
        """Return an action in the words of a language."""
        arguments = self.label_arguments(action, language)
        words = self.words.find(action.address, language) or self.words.say(action.option, language)
        text = fill(words, arguments)
        if text != words or not arguments:
            return text
        return joined([words, joined(arguments.values(), ", ")], ": ", language)

    def _make(self, decision: str, code: int) -> Action:
        space = self.spaces[decision]
        if not 0 <= code < space.size:
            raise InvalidActionError(format_argument(code), f"codes here are 0 to {space.size - 1}")
        choice, values = space.decode(code)
        typed = list(zip(choice.types, values, strict=True))
        words = [self.option_names(decision)[choice.address], *(self.names.text(*pair) for pair in typed)]
        args = {name: self.names.readable(*pair) for name, pair in zip(parameter_names(choice), typed, strict=True)}
        hidden = choice.option is not None and choice.option.hidden
        return Action(decision, " ".join(words), code, choice.id, choice.address, args, hidden, self)

    def option_names(self, decision: str) -> dict[str, str]:
        """Return for each option of a decision the shortest name that means no other."""
        if decision not in self._labels:
            addresses = {choice.address: choice.id for choice in self.spaces[decision].choices}
            self._labels[decision] = _make_unique(addresses)
        return self._labels[decision]

    def _choices(self, decision: str, option: str) -> Iterator[Choice]:
        names = self.option_names(decision)
        for choice in self.spaces[decision].choices:
            if option in (choice.id, choice.address, names[choice.address]):
                yield choice

    def _codes(self, decision: str, choice: Choice, words: list[str]) -> Iterator[int]:
        values = []
        for type_, low, size in zip(choice.types, choice.lows, choice.sizes, strict=True):
            found = self.names.parse(type_, words)
            if found is None or not low <= found[0] < low + size:
                return
            values.append(found[0])
            words = words[found[1] :]
        if not words:
            yield self.spaces[decision].encode(choice, values)

    def label_arguments(self, action: Action, language: str) -> dict[str, str]:
        """Return the arguments of an action by name, in the words of a language."""
        choice, values = self.spaces[action.decision].decode(action.code)
        labels = Labels(self.words, self.names.tables.rules, language)
        return {
            name: labels.value(type_, self.names.readable(type_, value))
            for name, type_, value in zip(parameter_names(choice), choice.types, values, strict=True)
        }

    def option_label(self, choice: Choice, language: str) -> str:
        """Return an option in the words of a language: those it has alone, or with dots for its arguments.

        Raises:
            ArgumentError: There are no words in the language.
        """
        self.words.check(language)
        alone = self.words.find(f"{choice.address}.alone", language)
        if alone is not None:
            return alone
        words = self.words.find(choice.address, language) or self.words.say(choice.id, language)
        return fill(words, dict.fromkeys(parameter_names(choice), NOT_GIVEN))


def parameter_names(choice: Choice) -> tuple[str, ...]:
    """Return the names of a choice's arguments."""
    if choice.option is None:
        return ("item",) * len(choice.types)
    return tuple(parameter.name for parameter in choice.option.parameters)


def near_texts(text: str, possible: Iterable[str]) -> tuple[str, ...]:
    """Return the texts nearest to one that means nothing, the nearest first."""
    from difflib import get_close_matches  # lazy: only mistakes need it

    return tuple(get_close_matches(text, list(possible), n=3, cutoff=0.7))


def _format_expected(choice: Choice) -> str:
    parts = zip(parameter_names(choice), choice.types, choice.lows, choice.sizes, strict=True)
    return join(
        [
            f"{name} ({low} to {low + size - 1})" if isinstance(type_, Number) else name
            for name, type_, low, size in parts
        ]
    )


def _make_unique(ids: dict[str, str]) -> dict[str, str]:
    """Return a short name for each address that no other address has: the id, the member and the id, or all of it."""
    named = dict(ids)
    for longer in (_with_member, lambda address, _id: address):
        often = Counter(named.values())
        named = {each: name if often[name] == 1 else longer(each, ids[each]) for each, name in named.items()}
    return named


def _with_member(address: str, id_: str) -> str:
    parts = address.split(".")
    return f"{parts[1]}.{id_}" if len(parts) > 2 else address
