"""Every message about names, types and arguments: one function per code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from attrs import evolve

from aodrules.check.resolve.types import type_in_words
from aodrules.lang.types import Bag, Flag, Number, SetOf, Type
from aodrules.source.diagnostics import Diagnostic, Fix, Label, Note, error, warning
from aodrules.source.spans import Span
from aodrules.source.wording import listed, nearest, quote, quotes
from aodrules.syntax.tree import Scalar


def invalid_expression(message: str, at: Span, help_: str | None = None, fix: Fix | None = None) -> Diagnostic:
    """A text that should be an expression is none."""
    return error("invalid-expression", message, at=at, label="not understood", help=help_, fix=fix)


def malformed_text(message: str, at: Span, help_: str | None = None) -> Diagnostic:
    """A text for people cannot be filled in."""
    return error("malformed-text", message, at=at, label="not understood", help=help_)


def unknown_name(
    name: str,
    at: Span,
    candidates: Iterable[str],
    what: str = "name",
    help_: str | None = None,
    meant: str | None = None,
) -> Diagnostic:
    """A name that nothing declares; the help counts if nothing is surely meant or near to it."""
    known = sorted(set(candidates))
    near = meant or nearest(name, known)
    found = error(
        "unknown-name",
        f"there is no {what} `{name}` here",
        at=at,
        label="not declared",
        help=f"did you mean `{near}`?" if near else help_ or listed(known),
        fix=Fix(at, near) if near else None,
    )
    return evolve(found, missing=name.rpartition(".")[2] or None)


def unknown_type(text: str, at: Span, candidates: Iterable[str]) -> Diagnostic:
    """A text that should be a type is none."""
    known = list(candidates)
    cure = _type_with_known_words(text, [*known, *_TYPE_WORDS])
    is_plain = at.line == at.end_line and at.end_column - at.column == len(text)
    found = error(
        "unknown-type",
        f"`{text}` is no type",
        at=at,
        label="not a type",
        help=None if cure is None else f"did you mean `{cure}`?",
        fix=Fix(at, cure) if cure is not None and is_plain else None,
    )
    return evolve(found, missing=_one_unknown_word(text, known))


def _one_unknown_word(text: str, known: Iterable[str]) -> str | None:
    """Return the one word of a type that is neither a kind nor a word of the language."""
    words = {*known, *_TYPE_WORDS}
    unknown = [word for word in text.split() if word.isidentifier() and word not in words]
    return unknown[0] if len(unknown) == 1 else None


_TYPE_WORDS = ("number", "flag", "player", "maybe", "bag", "list", "set", "piece", "place", "of", "per", "up", "to")


def _type_with_known_words(text: str, known: Iterable[str]) -> str | None:
    """Return the text of a type with the one word put right that is near to a known one, if there is one."""
    words = [word for word in re.findall(r"[A-Za-z_]\w*", text) if word not in set(known)]
    near = nearest(words[0], known) if len(words) == 1 else None
    return None if near is None else re.sub(rf"\b{words[0]}\b", near, text, count=1)


def type_mismatch(expected: str | Type, found: Type, text: str, at: Span, help_: str | None = None) -> Diagnostic:
    """A thing of one type stands where another is needed."""
    is_uncompared = isinstance(expected, Flag) and isinstance(found, Number)
    counted = _counted(at) if isinstance(found, Bag | SetOf) else None
    help_ = "what lies in bags and sets is counted by `size`" if counted is not None else help_
    return error(
        "type-mismatch",
        f"expected {type_in_words(expected)}, found {type_in_words(found)}",
        at=at,
        label=f"`{text}` is {type_in_words(found)}",
        help=f"compare it with something: `{text} > 0`" if is_uncompared else help_,
        fix=Fix(at, f"{text} > 0") if is_uncompared and _is_written(text, at) else counted,
    )


def _counted(at: Span) -> Fix | None:
    """Return the cure for a bag or set whose items are counted like those of a list."""
    before = at.source.line(at.line)[: at.column - 1]
    if not before.endswith("len("):
        return None
    return Fix(Span(at.source, at.line, at.column - 4, at.line, at.column - 1), "size")


def _is_written(text: str, at: Span) -> bool:
    """Whether a place of one line holds just this text."""
    return at.line == at.end_line and at.source.line(at.line)[at.column - 1 : at.end_column - 1] == text


def may_be_none(text: str, found: Type, at: Span) -> Diagnostic:
    """A thing that may be none stands where there must be one."""
    return error(
        "may-be-none",
        f"`{text}` may be none, and something is needed here",
        at=at,
        label=type_in_words(found),
        help=f"say what counts instead: `either({text}, ...)`, or test `!= none` first on a name",
    )


def wrong_arguments(message: str, at: Span, help_: str | None = None, notes: Iterable[Note] = ()) -> Diagnostic:
    """A call that does not fit what is called."""
    return error("wrong-arguments", message, at=at, label="does not fit", help=help_, notes=notes)


def unknown_step(keys: Mapping[str, Span], at: Span, verbs: Iterable[str]) -> Diagnostic:
    """A step whose verb nobody declared."""
    known = sorted(set(verbs))
    meant, near = next(((name, nearest(name, known)) for name in keys if nearest(name, known)), ("", None))
    help_, fix = (f"did you mean `{near}`?", Fix(keys[meant], near)) if near else (None, None)
    missing = meant or next(iter(keys), None)
    shown = "`, `".join(keys)
    verb, _, argument = shown.partition(" ")
    if verb in known and argument:  # side by side, as in a sentence
        cure = f"{{{verb}: {argument.strip()}}}"
        help_, fix, missing = f"write `{cure}`", Fix(at, cure) if _is_written(shown, at) else None, None
    found = error("unknown-step", f"no verb among `{shown}`", at=at, label="not a verb", help=help_, fix=fix)
    return evolve(found, missing=missing)


def several_verbs(keys: Sequence[Scalar]) -> Diagnostic:
    """Several verbs in one step."""
    return error(
        "several-verbs",
        f"a step has one verb, found {quotes([key.text for key in keys])}",
        at=keys[1].span,
        label="another verb",
        also=[Label(keys[0].span, "the first")],
        help="begin each step with `- `",
    )


def ambiguous_step(name: str, at: Span, found: list[str], places: list[Span]) -> Diagnostic:
    """A step is named, and several steps bear that name."""
    words = [".".join(each.split(".")[1:]) for each in found]
    return error(
        "ambiguous-step",
        f"{len(found)} steps are called `{name}`",
        at=at,
        label="which one?",
        also=[Label(place, "one of them") for place in places[:2]],
        help=f"write `{words[0]}` or `{words[1]}`",
    )


def ambiguous_limit(name: str, at: Span, places: list[Span]) -> Diagnostic:
    """A limit is read by its name, and several bear it."""
    return error(
        "ambiguous-limit",
        f"{len(places)} limits are called `{name}`",
        at=at,
        label="which one?",
        also=[Label(place, "one of them") for place in places[:2]],
        help="give the one that is meant a name of its own: `shared: NAME`",
    )


def offer_without_end(decision: str, at: Span) -> Diagnostic:
    """An offer into a decision that must be answered does not say what becomes of the decision."""
    return error(
        "offer-without-end",
        f"`{decision}` must be answered, and the offer does not say whether it is asked again",
        at=at,
        label="offered here",
        help="add `instead: true`, or `again: 1` if the decision is asked once more afterwards",
    )


def shadowed_name(name: str, at: Span, other: Span | None) -> Diagnostic:
    """A name that already means something here."""
    also = (Label(other, "it means this already"),) if other else ()
    return error("shadowed-name", f"`{name}` already means something here", at=at, label="named again", also=also)


def reserved_name(name: str, at: Span) -> Diagnostic:
    """A name that cannot be used in expressions."""
    return error(
        "reserved-name", f"`{name}` cannot be a name here: it has a meaning of its own", at=at, label="reserved"
    )


def duplicate_name(name: str, at: Span, other: Span | None, what: str) -> Diagnostic:
    """Two things of one name space bear the same name."""
    also = (Label(other, "first here"),) if other else ()
    return error("duplicate-name", f"two {what} are called `{name}`", at=at, label="again", also=also)


def not_a_place(text: str, at: Span, help_: str | None = None) -> Diagnostic:
    """A place was expected and something else stands there."""
    return error("not-a-place", f"`{text}` is no field that holds pieces", at=at, label="not a place", help=help_)


def place_of_players(place: str, at: Span) -> Diagnostic:
    """Pieces that a side may own are to lie where only players have a part."""
    return error(
        "place-of-players",
        f"only players have a part of `{place}`, and these pieces may be a side's",
        at=at,
        label="no part for a side",
        help="declare it under `owner` or `per owner`, or say `of` which player the pieces are",
    )


def missing_owner(what: str, at: Span, *, is_stock: bool = False) -> Diagnostic:
    """A piece of an owned kind is named without saying whose, or taken out of a common stock without saying by whom."""
    message = (
        f"it is not said who takes what leaves `{what}`" if is_stock else f"it is not said whose `{what}` is meant"
    )
    label = "who takes it?" if is_stock else "whose?"
    return error("missing-owner", message, at=at, label=label, help="add `of: player`")


def piece_from_nowhere(text: str, at: Span) -> Diagnostic:
    """A field of pieces is set, which would make pieces out of nothing."""
    return error(
        "piece-from-nowhere",
        f"`{text}` holds pieces, and pieces only move",
        at=at,
        label="holds pieces",
        help="use `move` or `draw`; a field that only names a member says `mention: true`",
    )


def unchangeable_name(name: str, at: Span) -> Diagnostic:
    """Something is changed that is no field and no `let`."""
    return error(
        "unchangeable-name",
        f"`{name}` cannot be changed",
        at=at,
        label="not a field and not a `let`",
        help="fields and names made by `let` can be changed",
    )


def missing_index(text: str, dimension: Type, at: Span) -> Diagnostic:
    """A table is read without saying for whom or what."""
    return error(
        "missing-index", f"`{text}` is a table by {dimension}", at=at, label="which one?", help=f"write `{text}[...]`"
    )


def hidden_identity(text: str, at: Span) -> Diagnostic:
    """A hidden piece is looked at."""
    return error(
        "hidden-identity",
        f"`{text}` is hidden, and nobody may look at it here",
        at=at,
        label="hidden",
        help=f"let all see it before: `reveal: {text}`, `to: all`"
        if text.isidentifier()
        else "give it a name with `let`, `reveal` that name, and go on with it",
    )


def uncovered_table(message: str, at: Span) -> Diagnostic:
    """A table of a value leaves a case out or has it twice."""
    return error("uncovered-table", message, at=at, label="the table")


def wrong_member(message: str, at: Span, help_: str | None = None, fix: Fix | None = None) -> Diagnostic:
    """A member's body does not fit its kind."""
    return error("wrong-member", message, at=at, label="does not fit the kind", help=help_, fix=fix)


def wrong_declaration(message: str, at: Span, help_: str | None = None) -> Diagnostic:
    """A kind, hook or effect contradicts itself."""
    return error("wrong-declaration", message, at=at, label="here", help=help_)


def not_yet_known(text: str, at: Span) -> Diagnostic:
    """What is fixed before the game begins reads what only the game can tell."""
    return error(
        "not-yet-known",
        f"this is fixed before the game begins, and {quote(text)} is known only then",
        at=at,
        label="part of the game",
    )


def deprecated_spelling(written: str, now: str, at: Span) -> Diagnostic:
    """Something is written in a way that a later version of the language will not read."""
    return warning(
        "deprecated-spelling",
        f"{quote(written)} is an old spelling of {quote(now)}",
        at=at,
        label="still read",
        help=f"write {quote(now)}; `aodrules check --fix` does it",
        fix=Fix(at, now),
    )
