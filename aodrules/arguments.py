"""What callers hand over, taken as what it should be: anything else is refused in a sentence, before anything is done.

Something of another type is a `TypeError`; something of the right type that cannot be used is an `ArgumentError`.
What only errors need is imported late: a load from the cache goes through here.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from os import PathLike, fspath
from typing import Any, NamedTuple

LEAST_SEED, LARGEST_SEED = -(1 << 63), (1 << 64) - 1


class RulesRequest(NamedTuple):
    """The rules that are asked for: what a word like `game+variant+./mine.yaml` says."""

    base: str
    """A game's path or name, or an edition's name."""
    variants: tuple[str, ...] = ()
    """Names of variants, or paths of documents."""

    def __str__(self) -> str:
        return "+".join((self.base, *self.variants))


def check_seed(value: object) -> int:
    """Return a seed: a whole number of at most 64 bits."""
    return check_number("a seed", value, LEAST_SEED, LARGEST_SEED)


def check_number(what: str, value: object, low: int, high: int) -> int:
    """Return a whole number from `low` to `high`, as a plain `int`."""
    number = whole_number(value)
    if number is None:
        raise TypeError(f"{what} is a whole number, not {format_argument(value)}")
    if not low <= number <= high:
        raise argument_error(f"{what} is a whole number from {low} to {high}, not {format_argument(value)}")
    return number


def whole_number(value: object) -> int | None:
    """Return a whole number of any type that is one, as a plain `int`; nothing for anything else, flags among it."""
    if isinstance(value, bool):
        return None
    try:
        return index(value)  # type: ignore[arg-type]  # that is the question
    except TypeError:
        return None


def check_text(what: str, value: object) -> str:
    """Return a text."""
    if not isinstance(value, str):
        raise TypeError(f"{what} is a text, not {format_argument(value)}")
    return value


def check_path(what: str, value: object) -> str:
    """Return a name or a path as text."""
    found = fspath(value) if isinstance(value, str | PathLike) else value
    if not isinstance(found, str):
        raise TypeError(f"{what} is a text or a path, not {format_argument(value)}")
    return found


def check_type(what: str, value: object, type_: type[Any]) -> None:
    """Refuse what is of another type."""
    if not isinstance(value, type_):
        raise TypeError(f"{what} is {_with_article(type_)}, not {format_argument(value)}")


def check_one_of(what: str, value: object, known: Sequence[str]) -> str:
    """Return one of the words that are known."""
    if check_text(f"the {what}", value) not in known:
        raise argument_error(f"{format_argument(value)} is no {what}; there are {' and '.join(known)}")
    return str(value)


def format_argument(value: object) -> str:
    """Return something that somebody handed over, as short as it must be to be recognised."""
    if isinstance(value, int) and not -(10**40) < value < 10**40:
        return f"a number of {value.bit_length():,} bits"
    if isinstance(value, str):
        from aodrules.source.wording import quote

        return quote(value)
    if value is None or isinstance(value, bytes | int | float):
        text = repr(value)
        return text if len(text) <= 60 else f"{text[:56]}..."
    return _with_article(type(value))


def argument_error(message: str) -> Exception:
    """Return the error for something of the right type that cannot be used."""
    from aodrules.errors import ArgumentError

    return ArgumentError(message)


def _with_article(type_: type[Any]) -> str:
    name = type_.__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} `{name}`"
