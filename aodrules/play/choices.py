"""An answer made part by part: first the option, then each of its arguments, each with all that could be taken.

What is impossible is told with its reasons, which are looked for when somebody asks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, cached_property
from itertools import islice, product
from typing import Any, TypeAlias

from attrs import define, field, frozen

from aodrules.arguments import check_text, format_argument
from aodrules.errors import ArgumentError, IllegalActionError
from aodrules.facts.action_codes import ActionSpace, Choice
from aodrules.facts.state import Question
from aodrules.interpreter.evaluation import Evaluator
from aodrules.interpreter.options import Failure, whole_domain
from aodrules.lang.types import Member, Number, Owner, Piece, Player, Type, present
from aodrules.play.actions import Action, ActionTable, parameter_names
from aodrules.play.labels import Labels, plain_words
from aodrules.play.reason import Reason
from aodrules.source.wording import did_you_mean, listed, quote

OPTION = "option"
"""What the first part of an answer is called."""
_MOST_TRIED = 64
"""How many ways to complete an answer are looked at to say why none is possible."""
_MOST_TOLD = 6
"""How many of their reasons are told."""

Answer: TypeAlias = "tuple[int, Choice, tuple[Any, ...]]"
"""A possible answer: its code, the option and the arguments."""


@frozen(eq=False)
class OpenPosition:
    """A question that waits, with what says why something is no answer to it."""

    table: ActionTable
    question: Question
    codes: tuple[int, ...]
    evaluator: Callable[[], Evaluator]
    refusals: Callable[[Choice, tuple[Any, ...]], list[Failure]]
    """Why an option with its first arguments, or with all of them, is not possible."""
    tell: Callable[[Action, list[Failure], str, frozenset[str]], tuple[Reason, ...]]
    """Says in a language why an answer is not possible of which some parameters are chosen."""
    not_listed: Callable[[str, str], Reason]
    """Says in a language that something, as it is called there, is not possible."""
    check: Callable[[], None]
    """Refuses to look at a game that has gone on since."""

    @property
    def space(self) -> ActionSpace:
        """All answers, as codes."""
        return self.table.spaces[self.question.decision]

    @property
    def player(self) -> str:
        """The seat that decides."""
        return self.table.names.seats[self.question.player]


@frozen(eq=False)
class Candidate:
    """Something that could be taken for a part of an answer.

    Examples:
        >>> import aodrules
        >>> game = aodrules.load("nim").new_game(players=2, seed=1)
        >>> assert game.choices
        >>> heaps = game.choices.pick("take")
        >>> [(one.value, one.address, one.possible) for one in heaps.candidates][:2]
        [('low_heap', 'heap.low_heap', True), ('middle_heap', 'heap.middle_heap', True)]
        >>> [str(reason) for one in heaps.pick("low_heap").candidates for reason in one.reasons()]
        ['The heap has fewer stones', 'The heap has fewer stones']
    """

    part: str
    """What it would be: `option`, or the name of a parameter."""
    value: Any
    """The name of an option, or what is given for a parameter, as people read it."""
    possible: bool
    """Whether an answer is possible with it and with all that is chosen already."""
    address: str | None
    """What it stands for, as `rules.text` and the `symbol` of a picture call it: an option, a member, a seat."""
    _label: Callable[[str], str] = field(repr=False)
    _reasons: Callable[[str], tuple[Reason, ...]] = field(repr=False)

    def label(self, language: str = "en") -> str:
        """Return it in the words of a language."""
        return self._label(check_text("a language", language))

    def reasons(self, language: str = "en") -> tuple[Reason, ...]:
        """Return why no answer is possible with it, what fits best first; nothing if one is.

        Where it depends on what is chosen after it, these are the reasons for what was tried, the most frequent first.
        """
        check_text("a language", language)
        return () if self.possible else self._reasons(language)

    def __str__(self) -> str:
        return str(self.value)


@define(eq=False, slots=False)
class Choices:
    """An answer under way: what is chosen, and what could be chosen next. Nothing in it changes.

    Examples:
        >>> import aodrules
        >>> choices = aodrules.load("nim").new_game(players=2, seed=1).choices
        >>> assert choices
        >>> choices.part, [str(one) for one in choices.candidates]
        ('option', ['take'])
        >>> heaps = choices.pick("take")
        >>> heaps.part
        'heap'
        >>> counts = heaps.pick(heaps.candidates[0])
        >>> counts.part, str(counts.pick(1).action)
        ('count', 'take low_heap 1')
        >>> choices.narrow(count=1).part
        'heap'
    """

    _at: OpenPosition
    _answers: Callable[[], tuple[Answer, ...]] = field(repr=False)
    """Those that are possible with what is chosen, found when first asked for."""
    picked: Mapping[str, Any]
    """What is chosen, by part, as people read it."""
    _option: Choice | None = None
    _before: Choices | None = None

    @property
    def player(self) -> str:
        """The seat that decides."""
        return self._at.player

    @cached_property
    def part(self) -> str | None:
        """What is to be chosen next: `option`, or the name of a parameter; nothing when all is chosen."""
        if self._option is None:
            return OPTION
        return next((name for name in parameter_names(self._option) if name not in self.picked), None)

    @property
    def parts(self) -> tuple[str, ...]:
        """All parts of the answer, as far as they are known."""
        return (OPTION, *(parameter_names(self._option) if self._option else ()))

    @property
    def action(self) -> Action | None:
        """The action that is chosen; nothing as long as a part is missing."""
        if self.part is not None:
            return None
        return self._at.table.action(self._at.question.decision, self._answers()[0][0])

    @property
    def actions(self) -> list[Action]:
        """All possible actions that have what is chosen."""
        codes = (code for code, _, _ in self._answers())
        return self._at.table.actions(self._at.question.decision, codes)

    @cached_property
    def candidates(self) -> tuple[Candidate, ...]:
        """What could be taken for the next part, the impossible ones too; nothing when all is chosen."""
        return () if self.part is None else tuple(self._candidates(self.part))

    def pick(self, value: Any) -> Choices:
        """Choose the next part.

        Raises:
            ArgumentError: All is chosen already, or there is no such thing to choose.
            IllegalActionError: No answer is possible with it.
        """
        if self.part is None:
            raise ArgumentError(f"all parts of the answer are chosen: {quote(self.action)}")
        return self._choose(self.part, value)

    def narrow(self, /, **parts: Any) -> Choices:
        """Choose any parts by their names, in any order: what is clicked first may be what comes last in the text.

        The option is chosen with them where only one has parts of these names.

        Raises:
            ArgumentError: No option has such a part, or there is no such thing to choose.
            IllegalActionError: No answer is possible with it.
        """
        narrowed = self
        for name in sorted(parts, key=lambda name: name != OPTION):
            if name in narrowed.picked:
                raise ArgumentError(f"`{name}` is chosen already: {quote(narrowed.picked[name])}")
            narrowed = narrowed._choose(name, parts[name])
        return narrowed

    def settle(self) -> Choices:
        """Return the choices in which every next part is chosen that leaves nothing to choose; these if none does.

        With it nobody has to click an option that stands alone. A single answer that is possible is its `action`.
        """
        possible = [one for one in self.candidates if one.possible]
        return self.pick(possible[0]).settle() if len(possible) == 1 else self

    def back(self) -> Choices:
        """Return the choices before the last part was chosen; these themselves if nothing was."""
        return self._before or self

    def __repr__(self) -> str:
        chosen = " ".join(str(value) for value in self.picked.values())
        return f"<Choices of {self.player}: {chosen or 'nothing chosen'}, next {self.part or 'nothing'}>"

    # Choosing.

    def _choose(self, part: str, value: Any) -> Choices:
        found = self._find(part, value)
        if not found.possible:
            reasons = found.reasons()
            first = reasons[0]
            text = " ".join(str(one) for one in (*self.picked.values(), found))
            raise IllegalActionError(text, str(first), first.id, first.because, reasons)
        left = tuple(self._with(part, found.value))
        options = {choice.address: choice for _, choice, _ in left}
        picked = {**self.picked, part: found.value}
        option = next(iter(options.values())) if len(options) == 1 else None
        if option is not None and OPTION not in picked:
            picked = {OPTION: self._names[option.address], **picked}
        return Choices(self._at, lambda: left, picked, option, self)

    def _find(self, part: str, value: Any) -> Candidate:
        """Return the candidate that is meant, by what it is or by its text."""
        found = list(self._candidates(part)) if part == OPTION or self._options_with(part) else None
        if found is None:
            known = sorted({name for choice in self._options() for name in parameter_names(choice)})
            help_ = did_you_mean(part, known) or listed(known) or "nothing is to be chosen but the option"
            raise ArgumentError(f"no answer here has a part {quote(part)}; {help_}")
        wanted = value.value if isinstance(value, Candidate) else value
        same = [one for one in found if one.value == wanted and isinstance(one.value, bool) == isinstance(wanted, bool)]
        same = same or [one for one in found if str(one.value) == wanted]
        if not same:
            near = did_you_mean(wanted, map(str, found)) if isinstance(wanted, str) else None
            help_ = near or listed(list(map(str, found))) or "there is none"
            raise ArgumentError(f"{format_argument(wanted)} is no {part} here; {help_}")
        return same[0]

    def _with(self, part: str, value: Any) -> Iterator[Answer]:
        for answer in self._answers():
            if self._told(part, answer) == (value,):
                yield answer

    def _told(self, part: str, answer: Answer) -> tuple[Any, ...]:
        """Return what an answer has for a part; nothing if it has no such part."""
        _, choice, values = answer
        if part == OPTION:
            return (self._names[choice.address],)
        names = parameter_names(choice)
        if part not in names:
            return ()
        place = names.index(part)
        return (self._at.table.names.readable(choice.types[place], values[place]),)

    # Candidates.

    @property
    def _names(self) -> dict[str, str]:
        return self._at.table.option_names(self._at.question.decision)

    def _options(self) -> tuple[Choice, ...]:
        return (self._option,) if self._option is not None else self._at.space.choices

    def _options_with(self, part: str) -> list[Choice]:
        return [choice for choice in self._options() if part in parameter_names(choice)]

    def _candidates(self, part: str) -> Iterator[Candidate]:
        possible = {told for answer in self._answers() for told in self._told(part, answer)}
        if part == OPTION:
            for choice in self._at.space.choices:
                name = self._names[choice.address]
                reasons = self._why_not(part, name, (choice,))
                yield Candidate(part, name, name in possible, choice.address, self._option_labeller(choice), reasons)
            return
        options = tuple(self._options_with(part))
        for value, (type_, labeller) in self._values(part, options).items():
            reasons, address = self._why_not(part, value, options), self._address(type_, value)
            yield Candidate(part, value, value in possible, address, labeller, reasons)

    def _option_labeller(self, choice: Choice) -> Callable[[str], str]:
        return lambda language: self._at.table.option_label(choice, language)

    def _values(self, part: str, options: Iterable[Choice]) -> dict[Any, tuple[Type, Callable[[str], str]]]:
        """Return what a part may be, as people read it, with its type and what says it in words."""
        names, found = self._at.table.names, dict[Any, tuple[Type, Callable[[str], str]]]()
        for choice in options:
            place = parameter_names(choice).index(part)
            type_ = choice.types[place]
            for value in self._domain(choice, place):
                told = names.readable(type_, value)
                found.setdefault(told, (type_, self._value_labeller(type_, told)))
        return found

    def _address(self, type_: Type, told: Any) -> str | None:
        """Return where the words stand for what a part may be; nothing for what is no seat, member or piece."""
        rules, inner = self._at.table.names.tables.rules, present(type_)
        if told is None or not isinstance(inner, Member | Piece | Player | Owner):
            return None
        member = str(told).rpartition(" ")[2]
        if isinstance(inner, Member | Piece) and inner.kind != "player":
            return f"{rules.family(inner.kind).name}.{member}"
        side = next((kind for kind, number in rules.sides if rules.kinds[kind].members[number] == member), "player")
        return f"{'player' if member in rules.game.seats else side}.{member}"

    def _value_labeller(self, type_: Any, told: Any) -> Callable[[str], str]:
        table = self._at.table
        rules, words = table.names.tables.rules, table.words
        return lambda language: Labels(words, rules, words.check(language)).value(type_, told)

    def _domain(self, choice: Choice, place: int) -> Iterable[Any]:
        """Return the values of a parameter, the impossible ones too."""
        if choice.option is None:
            return dict.fromkeys(values[place] for _, one, values in self._answers() if one is choice)
        parameter = choice.option.parameters[place]
        if isinstance(parameter.type, Number):
            return range(choice.lows[place], choice.lows[place] + choice.sizes[place])
        if parameter.domain is not None or choice.codes:
            return whole_domain(self._at.evaluator(), parameter)
        return ()

    # Reasons.

    def _why_not(self, part: str, value: Any, options: tuple[Choice, ...]) -> Callable[[str], tuple[Reason, ...]]:
        """Return what says in a language why something is not possible."""
        picked = {**self.picked, part: value}

        def reasons(language: str) -> tuple[Reason, ...]:
            self._at.check()
            found = [reason for choice in options for reason in self._why_not_option(choice, picked, language)]
            once = {(reason.id, reason.message): reason for reason in reversed(found)}
            told = tuple(reversed(once.values()))
            return told or (self._at.not_listed(language, plain_words(str(value))),)

        return reasons

    def _why_not_option(self, choice: Choice, picked: Mapping[str, Any], language: str) -> tuple[Reason, ...]:
        """Return why an option is not possible with what is chosen: for itself, or else for what could follow."""
        if choice.option is None:
            return ()
        known = frozenset(picked) & frozenset(parameter_names(choice))
        first = next(self._completions(choice, picked), None)
        if first is None:
            return ()
        length = next((place for place, name in enumerate(parameter_names(choice)) if name not in known), len(first))
        failures = self._at.refusals(choice, first[:length])
        if not failures:
            return self._why_none(choice, picked, language) if length < len(first) else ()
        return self._at.tell(self._filled_in(choice, first), failures, language, known)

    def _filled_in(self, choice: Choice, values: tuple[Any, ...]) -> Action:
        return self._at.table.action(self._at.question.decision, self._at.space.encode(choice, values))

    def _why_none(self, choice: Choice, picked: Mapping[str, Any], language: str) -> tuple[Reason, ...]:
        """Return why no way to complete an answer is possible: the first reason of each that is tried."""
        told: dict[tuple[str, str], Reason] = {}
        often = Counter[tuple[str, str]]()
        for values in islice(self._completions(choice, picked), _MOST_TRIED):
            failures = self._at.refusals(choice, values)
            if failures:
                action = self._filled_in(choice, values)
                # What no argument decides is told without those that are only tried.
                is_about_values = any(one.condition or one.parameter for one in failures)
                known = frozenset(action.args if is_about_values else picked)
                reason = self._at.tell(action, failures, language, known)[0]
                told[reason.id, reason.message] = reason
                often[reason.id, reason.message] += 1
        return tuple(told[key] for key, _ in often.most_common(_MOST_TOLD))

    def _completions(self, choice: Choice, picked: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
        """Iterate over all ways to complete what is chosen, whether possible or not."""
        names = self._at.table.names
        domains = []
        for place, name in enumerate(parameter_names(choice)):
            values: Iterable[Any] = self._domain(choice, place)
            if name in picked:
                values = [one for one in values if names.readable(choice.types[place], one) == picked[name]]
            domains.append(tuple(values))
        yield from product(*domains)


def choices_at(at: OpenPosition) -> Choices:
    """Return the choices of a question, of which nothing is chosen yet."""

    @cache
    def answers() -> tuple[Answer, ...]:
        return tuple((code, *at.space.decode(code)) for code in at.codes)

    return Choices(at, answers, {})
