"""Texts in the languages of people: found by address, filled with arguments, marked where another language helps."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Self

from attrs import define, field

from aodrules.arguments import argument_error, check_text, format_argument
from aodrules.lang.forms import CASE, COUNT
from aodrules.lang.patterns import Fillers, parameters_of

FALLBACK = "en"
"""The language that helps out first."""
NOT_GIVEN = "…"
"""What stands where an argument is not given."""
OWN = Path(__file__).parents[1] / "words"
"""The folder with the words of our own, a file for each language."""


class Text(str):
    """Words in a language. It is a `str`, so it can be used wherever one is wanted.

    Examples:
        >>> import aodrules
        >>> text = aodrules.load("nim").text("decision.take", "pl")
        >>> text, text.language, text.is_fallback
        ('Take stones from a heap', 'en', True)
    """

    __slots__ = ("_fill", "inflects", "is_fallback", "language")

    language: str
    """The language that the words are in: another than was asked for, where that had none."""
    is_fallback: bool
    """Whether some of the words are not in the language that was asked for; the plain letters of an id never are."""
    inflects: bool
    """Whether it has forms by case, so that a sentence may ask for one."""
    _fill: Callable[[Mapping[str, Any]], Text] | None

    def __new__(
        cls,
        words: str,
        language: str = FALLBACK,
        *,
        is_fallback: bool = False,
        inflects: bool = False,
        fill: Callable[[Mapping[str, Any]], Text] | None = None,
    ) -> Self:
        """Return words in a language."""
        made = super().__new__(cls, words)
        made.language, made.is_fallback = language, is_fallback
        made.inflects, made._fill = inflects, fill
        return made

    def form(self, case: str = "", count: int | None = None) -> Text:
        """Return the form of a name for a case and a count; the name itself where its game tells no other."""
        return self.fill({CASE: case} | ({} if count is None else {COUNT: count}))

    def fill(self, arguments: Mapping[str, Any]) -> Text:
        """Return the words with arguments in the places that bear their names."""
        return self if self._fill is None else self._fill(arguments)

    def __reduce__(self) -> tuple[Any, ...]:
        return _kept, (str(self), self.language, self.is_fallback)


def _kept(words: str, language: str, is_fallback: bool) -> Text:  # noqa: FBT001 - pickle gives it by position
    """Return a text as it is read back: what filled it stayed with its rules."""
    return Text(words, language, is_fallback=is_fallback)


class NumberText(str):
    """A number as it is written, by which a text may also choose its words."""

    __slots__ = ("number",)

    number: int

    def __new__(cls, number: int) -> Self:
        """Return a number as it is written."""
        made = super().__new__(cls, number)
        made.number = number
        return made


def joined(parts: Iterable[str], between: str, language: str = FALLBACK) -> Text:
    """Return several texts as one, whose forms are those of all its parts."""
    found = list(parts)

    def fill(arguments: Mapping[str, Any]) -> Text:
        return joined([each.fill(arguments) if isinstance(each, Text) else each for each in found], between, language)

    inflects = bool(found) and all(map(_inflects, found))
    return Text(between.join(found), language, is_fallback=any(map(is_fallback, found)), inflects=inflects, fill=fill)


def counted(count: int, name: str, language: str = FALLBACK) -> Text:
    """Return so many of something: the number, and the form of the name that goes with it."""
    several = name.form(count=count) if isinstance(name, Text) else name

    def fill(arguments: Mapping[str, Any]) -> Text:
        asked = name.form(str(arguments.get(CASE, "")), count) if isinstance(name, Text) else name
        return Text(f"{count} {asked}", language, is_fallback=is_fallback(name))

    return Text(f"{count} {several}", language, is_fallback=is_fallback(name), inflects=_inflects(name), fill=fill)


def is_fallback(words: object) -> bool:
    """Whether words are not all in the language that was asked for."""
    return isinstance(words, Text) and words.is_fallback


def _inflects(words: object) -> bool:
    return isinstance(words, Text) and words.inflects


@define(eq=False)
class Words:
    """The texts of a ruleset, or our own, by address and language."""

    texts: Mapping[str, Mapping[str, str]]
    _found: dict[tuple[str, str], Text | None] = field(factory=dict, init=False)
    _fillers: Fillers = field(factory=Fillers, init=False)

    @cached_property
    def own_languages(self) -> tuple[str, ...]:
        """The languages in which there is at least one of these texts, sorted."""
        return tuple(sorted({language for texts in self.texts.values() for language in texts}))

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages in which there are these texts or texts of our own, sorted."""
        return tuple(sorted({*self.own_languages, *languages_of_our_own()}))

    def check(self, language: object) -> str:
        """Return a language in which there are words.

        Raises:
            ArgumentError: There are none in it; it says in which there are some.
        """
        if check_text("a language", language) not in self.languages:
            raise argument_error(_unknown_language(str(language), self.languages))
        return str(language)

    def find(self, address: str, language: str) -> Text | None:
        """Return the words for an address, in another language if there are none in this one; nothing without any."""
        key = (address, language)
        if key not in self._found:
            self._found[key] = self._make(address, language)
        return self._found[key]

    def say(self, address: str, language: str) -> Text:
        """Return the words for an address, or its last part in plain letters."""
        return self.find(address, language) or Text(plain_words(address), language, is_fallback=language != FALLBACK)

    def _make(self, address: str, language: str) -> Text | None:
        texts = self.texts.get(address)
        if not texts:
            return None
        spoken = next((each for each in (language, FALLBACK) if texts.get(each)), None) or next(iter(texts))
        pattern, is_other = self._fillers.make(texts[spoken], spoken), spoken != language

        def fill(arguments: Mapping[str, Any]) -> Text:
            is_mixed = is_other or any(map(is_fallback, arguments.values()))
            return Text(pattern(arguments), spoken, is_fallback=is_mixed)

        inflects = CASE in parameters_of(texts[spoken])
        return Text(pattern({}), spoken, is_fallback=is_other, inflects=inflects, fill=fill)


def fill(words: str, arguments: Mapping[str, Any]) -> Text:
    """Return a text with arguments in the places that bear their names."""
    return words.fill(arguments) if isinstance(words, Text) else Text(words)


def plain_words(address: str) -> str:
    """Return the last part of an address in plain letters: `place_worker` gives `Place worker`."""
    from aodrules.check.checked import written_address

    words = written_address(address).rsplit(".", 1)[-1].replace("_", " ").replace("-", " ")
    return words[:1].upper() + words[1:]


def _unknown_language(language: str, known: tuple[str, ...]) -> str:
    from aodrules.source.wording import join, nearest

    near = nearest(language, known)
    told = f"did you mean `{near}`? " if near else ""
    return f"there are no words in {format_argument(language)}; {told}there are some in {join(list(known))}"


# Our own words.

_CODE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]+)*")


@cache
def languages_of_our_own() -> tuple[str, ...]:
    """Return the languages that we speak, sorted: those of the files that ship."""
    return tuple(sorted(path.stem for path in OWN.glob("*.yaml") if _CODE.fullmatch(path.stem)))


@cache
def own_words() -> Words:
    """Return the words of our own, read when they are first needed."""
    import yaml

    found: dict[str, dict[str, str]] = {}
    for language in languages_of_our_own():
        text = (OWN / f"{language}.yaml").read_text(encoding="utf-8")
        document = yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506 - it makes nothing but texts
        for address, words in document["text"].items():
            found.setdefault(address, {})[language] = words
    return Words(found)
