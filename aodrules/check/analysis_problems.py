"""Every message about calls, numbers, work, pieces, secrets and clauses: one function per code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import frozen

from aodrules.check.analyse.costs import Amount, LoopRounds
from aodrules.check.checked import Parameter, Value
from aodrules.check.visit import text_of
from aodrules.source.diagnostics import Diagnostic, Fix, Label, Note, error, warning
from aodrules.source.spans import Span
from aodrules.source.wording import did_you_mean, join, nearest, quote, quotes

_MOST_NAMED = 3
"""How many names a message lists before it says how many more there are."""


def _some(names: Sequence[str]) -> str:
    named = [quote(name) for name in names[:_MOST_NAMED]]
    if len(names) > _MOST_NAMED:
        return join([*named, f"{len(names) - _MOST_NAMED} more"])
    return join(named)


# Calls.


def call_cycle(path: Sequence[str], places: Sequence[Span], cure: str | None) -> Diagnostic:
    """Something that leads back to itself; `places[i]` is where `path[i]` calls the next."""
    way = " -> ".join(quote(name) for name in path)
    calls = list(zip(path, path[1:], places, strict=False))
    return error(
        "call-cycle",
        f"{quote(path[0])} leads back to itself: {way}",
        at=places[0],
        label=f"{quote(path[0])} calls {quote(path[1])}",
        also=[Label(place, f"{quote(one)} calls {quote(other)}") for one, other, place in calls[1:]],
        help=cure,
    )


def rules_too_deep(depth: int, most: int, path: Sequence[str], places: Sequence[Span]) -> Diagnostic:
    """Calls within calls that go deeper than the engines can follow; `places[i]` is where `path[i]` calls the next."""
    shown = [*path[:3], "...", *path[-2:]] if len(path) > 6 else list(path)
    way = " -> ".join(name if name == "..." else quote(name) for name in shown)
    return error(
        "rules-too-deep",
        f"{quote(path[0])} leads {depth} levels deep, and {most} are possible: {way}",
        at=places[0],
        label=f"calls {quote(path[1])}",
        help="let one value or verb do what several do after one another",
    )


def missing_decider(decision: str, at: Span, read: Span) -> Diagnostic:
    """Chance takes a decision that speaks of the player who decides."""
    return error(
        "missing-decider",
        f"chance takes {quote(decision)} here, which speaks of the `player` who decides",
        at=at,
        label="nobody decides",
        also=[Label(read, "who is that?")],
        help="give it the player under another name: `given: {who: player}`",
    )


# Numbers.


def unbounded_number(
    text: str, at: Span, reason: str, needed: Label | None = None, cure: str | None = None
) -> Diagnostic:
    """A number of which no upper or lower end is known, where one is needed."""
    return error(
        "unbounded-number",
        f"{quote(text) if text else 'this number'} has no bound that can be known beforehand",
        at=at,
        label=reason,
        also=[needed] if needed else [],
        help=cure or (f"put a bound on it: `min({text}, 100)`" if text else None),
    )


def division_by_zero(text: str, at: Span, low: int | None, high: int | None) -> Diagnostic:
    """A divisor that may be 0."""
    return error(
        "division-by-zero",
        f"{quote(text) if text else 'the divisor'} may be 0, and nothing can be divided by that",
        at=at,
        label=f"from {_end(low, 'below')} to {_end(high, 'above')}" if low != high else "always 0",
        help=f"if it should count as 1 then, write `max(1, {text})`" if text and low is not None and low >= 0 else None,
    )


def _end(end: int | None, word: str) -> str:
    return f"anything {word}" if end is None else f"{end:,}"


def argument_out_of_range(text: str, at: Span, found: str, parameter: str, expected: Label) -> Diagnostic:
    """An argument that can lie outside the range its parameter declares."""
    return error(
        "argument-out-of-range",
        f"{quote(parameter)} is {expected.text}, and {quote(text) if text else 'what is given'} is {found}",
        at=at,
        label=found,
        also=[expected],
    )


def missing_range(name: str, at: Span) -> Diagnostic:
    """A number that a decision is given, without a range."""
    return error(
        "missing-range",
        f"the decision is given a number {quote(name)} without a range",
        at=at,
        label="from where to where?",
        help="write a range, such as `number 0..10`",
    )


# Work.


def too_much_work(work: Amount, most: int, at: Span, of: str) -> Diagnostic:
    """Loops and calls that together may take too long: before play, before the next person is asked, or in all."""
    number = _number(work.number)
    what = {
        "before play": f"before play this may take {number} operations",
        "decision": f"between two decisions this may take {number} operations",
        "game": f"all decisions of a game together may take {number} operations",
        "sets": f"the search for the best sets may take {number} operations",
        "attributes": "working out all attributes takes too many rounds",
    }
    cures = {"sets": "give it a smaller bag, fewer wild pieces, or fewer kinds of sets"}
    cure = "bound the loops more tightly, or run over fewer things"
    if not work.path and of != "attributes":
        cure = "call less often what calls others in turn; a result is kept with `let`"
    return error(
        "too-much-work",
        f"{what[of]}, and {most:,} is the most",
        at=_dearest(work.path).span if work.path and of in ("decision", "game") else at,
        label="too many rounds" if work.path or of == "attributes" else "too much to do",
        help=cures.get(of, cure),
        notes=_loops(work, "operations"),
    )


def _dearest(path: Sequence[LoopRounds]) -> LoopRounds:
    """Return the loop that goes round most often, the innermost of several."""
    return max(reversed(path), key=lambda turn: turn.times)


def _loops(work: Amount, words: str) -> list[Note]:
    """Return a line for each loop on the way, the outermost first, and one for the place where most is done."""
    notes = []
    for turn in work.path:
        most = ", the most of all" if len(work.path) > 1 and turn is _dearest(work.path) else ""
        notes.append(Note(f"up to {_number(turn.times)} times {turn.text}{most} ({turn.span})"))
    if work.place is not None:
        notes.append(Note(f"{_number(work.part)} of the {words} are for {quote(text_of(work.place))} ({work.place})"))
    return notes


def too_many_instances(
    option: str, instances: int, most: int, at: Span, ways: Sequence[tuple[str, int, Span]]
) -> Diagnostic:
    """An option with too many ways to fill in its parameters, of which each has so many."""
    largest = max(number for _, number, _ in ways)
    notes = []
    for name, number, span in ways:
        dearest = ", the most of all" if [each for _, each, _ in ways].count(largest) == 1 and number == largest else ""
        notes.append(Note(f"up to {_number(number)} for {quote(name)}{dearest} ({span})"))
    return error(
        "too-many-instances",
        f"{quote(option)} can be filled in {_number(instances)} ways, and {most:,} is the most",
        at=at,
        label="too many ways",
        help="split it into several smaller decisions, or give a parameter a smaller set to choose from",
        notes=notes if len(notes) > 1 else [],
    )


def too_many_pieces(kind: str, pieces: int, most: int, largest: tuple[str, int], at: Span) -> Diagnostic:
    """A kind with too many pieces."""
    return error(
        "too-many-pieces",
        f"there are {_number(pieces)} pieces of {quote(kind)}, and {most:,} is the most",
        at=at,
        label=f"{_number(largest[1])} of them are {quote(largest[0])}",
    )


def too_many_members(kind: str, members: int, most: int, at: Span) -> Diagnostic:
    """A kind with too many members."""
    return error(
        "too-many-members",
        f"there are {_number(members)} members of {quote(kind)}, and {most:,} is the most",
        at=at,
        label="too many members",
        help="where members are alike, declare one of them with several pieces",
    )


def too_many_cells(cells: int, most: int, largest: int, at: Span) -> Diagnostic:
    """Fields that together take too much memory."""
    return error(
        "too-many-cells",
        f"all fields together have {_number(cells)} cells, and {most:,} is the most",
        at=at,
        label=f"{_number(largest)} of them are here",
        help="leave out one `per`, or let the field be of fewer things",
    )


def too_many_decisions(decisions: Amount, most: int, at: Span) -> Diagnostic:
    """A game that may ask too often."""
    return error(
        "too-many-decisions",
        f"a game may ask {_number(decisions.number)} times, and {most:,} is the most",
        at=_dearest(decisions.path).span if decisions.path else at,
        label="asked too often",
        help="bound the loops around the decisions more tightly",
        notes=_loops(decisions, "questions"),
    )


def _number(number: int) -> str:
    return f"{number:,}" if number < 10**15 else "more than a million billion"


# Pieces.


def piece_without_start(
    kind: str, members: Sequence[str], at: Span, *, are_common: bool = False, side: str | None = None
) -> Diagnostic:
    """Pieces that start in no field.

    Those of a common stock start in a bag that is nobody's, those of a side where not only players have a part.
    """
    home = f"one bag of {quote(kind)} that is nobody's" if are_common else f"one field that holds {quote(kind)}"
    whose = "" if side is None else f" of {quote(side)}"
    under = "declare it under `owner`, or `per owner`: a side has no fields of players"
    return error(
        "piece-without-start",
        f"pieces of {quote(kind)} start nowhere: {_some(members)}{whose}",
        at=at,
        label="no field has `start: all` for these" if side is None else "only players have a part of this",
        help=f"give {home} `start: all`" if side is None else under,
    )


def piece_with_two_starts(kind: str, members: Sequence[str], at: Span, other: Span | None, why: str) -> Diagnostic:
    """Pieces that would start in more than one place."""
    return error(
        "piece-with-two-starts",
        f"pieces of {quote(kind)} would start in more than one place: {_some(members)}",
        at=at,
        label=why,
        also=[Label(other, "and here")] if other else [],
        help="say with `if` which of them start here" if other else "let them start in one field, and move from there",
    )


def start_in_missing_field(field: str, members: Sequence[str], at: Span) -> Diagnostic:
    """Pieces that would start in a part of a field that does not exist."""
    return error(
        "start-in-missing-field",
        f"these would start in a part of {quote(field)} that does not exist: {_some(members)}",
        at=at,
        label="`by` leads nowhere for them",
    )


def start_too_full(field: str, pieces: int, most: int, at: Span) -> Diagnostic:
    """More pieces that start in a place than it can hold."""
    return error(
        "start-too-full",
        f"{pieces:,} pieces would start in one {quote(field)}, which holds {most:,}",
        at=at,
        label="too full at the start",
    )


def move_into_missing_field(
    field: str, lacking: Sequence[str], at: Span, test: str, declared: Span | None, *, players: int | None = None
) -> Diagnostic:
    """A move into a field that some members do not have; or to a member that is not in a game of so many players."""
    message = f"{quote(field)} does not exist for {_some(lacking)}"
    if players is not None:
        message = f"{_some(lacking)} is not in a game of {players}"
    return error(
        "move-into-missing-field",
        f"{message}, and pieces may be moved there",
        at=at,
        label="not everywhere" if players is None else "not in each game",
        also=[] if declared is None else [Label(declared, "declared here")],
        help=f"test `{test}` before" if test else None,
    )


# Secrets.


def leaked_secret(
    what: str, text: str, who: str, at: Span, where: Span | None, notes: Iterable[Note] = (), hidden: str | None = None
) -> Diagnostic:
    """A secret that others could notice; `hidden` is the option that makes it one."""
    instead = f"with `open: true` instead of `hidden: true` all are told how {quote(hidden or '')} is filled in"
    return error(
        "leaked-secret",
        f"{what} is noticed by all, and {quote(text) if text else 'this'} is {who}",
        at=at,
        label=who,
        also=[Label(where, "noticed here")] if where is not None and where != at else [],
        help=instead if hidden is not None else None,
        notes=notes,
    )


def unknown_to_decider(option: str, text: str, at: Span) -> Diagnostic:
    """A condition of an option that who decides could not check."""
    return error(
        "unknown-to-decider",
        f"{quote(option)} depends on {quote(text) if text else 'this'}, which the player who decides does not know",
        at=at,
        label="not known to the one who decides",
    )


def option_shows_secret(option: str, at: Span, secret: Span) -> Diagnostic:
    """An option that is open to all though its conditions read what only the decider knows."""
    return error(
        "option-shows-secret",
        f"{quote(option)} depends on what only the player who decides knows, and all could see how it is filled in",
        at=at,
        label="seen by all",
        also=[Label(secret, "known only to the one who decides")],
        help="give it `open: true` if everybody is told how it is filled in, `hidden: true` if nobody else is",
    )


def effect_in_secret_field(address: str, field: str, at: Span, declared: Span) -> Diagnostic:
    """An effect that would show that a piece lies in a secret field."""
    return error(
        "effect-in-secret-field",
        f"{quote(address)} would show what lies in {quote(field)}, which is secret",
        at=at,
        label="only offers are possible here",
        also=[Label(declared, "secret")],
        help="offer an option with `open: true` or `hidden: true` instead",
    )


# Clauses.


def unknown_clause(name: str, at: Span, known: Iterable[str], sort: str = "clause") -> Diagnostic:
    """A clause that is cited and not declared, or a text that is given as a reason."""
    near = nearest(name, known)
    words = name.removeprefix("text.").replace("-", " ").capitalize()
    missing = f"add `text: {{{name}: {{en: {words}}}}}`" if name.startswith("text.") else None
    return error(
        "unknown-clause",
        f"there is no {sort} {quote(name)}",
        at=at,
        label="not declared",
        help=did_you_mean(name, known) or missing,
        fix=None if near is None else Fix(at, near),
    )


def uncited_rule(address: str, at: Span) -> Diagnostic:
    """A rule that cites no clause of the rulebook."""
    return error(
        "uncited-rule",
        f"{quote(address)} cites no clause of the rulebook",
        at=at,
        label="which clause?",
        help="add `clauses: [...]`, or `house: true` in the head of its document",
    )


def silent_override(address: str, clauses: Sequence[str], variant: str, at: Span, fix: Fix) -> Diagnostic:
    """A variant changes what stands for a clause, and does not say whether the clause still holds."""
    said, listed = quotes(clauses), ", ".join(clauses)
    return warning(
        "silent-override",
        f"{quote(address)} stands for {said}, and {quote(variant)} does not say whether that still holds",
        at=at,
        label="changed here",
        help=f"add `overrides: [{listed}]` to the head for what is not true any more, `keeps: [{listed}]` for what is",
        fix=fix,
    )


# Modifiers.


def conflicting_sets(value: str, one: str, other: str, at: Span, also: Span) -> Diagnostic:
    """Two effects that set one value, and nothing says which counts."""
    return error(
        "conflicting-sets",
        f"{quotes([one, other])} both set {quote(value)}, and nothing says which counts",
        at=at,
        label=f"set by {quote(one)}",
        also=[Label(also, f"and by {quote(other)}")],
        help="give them an `if` each that excludes the other, or let one document come `after` the other",
    )


# Decisions.


def question_at_end(verb: str, at: Span) -> Diagnostic:
    """What is done at the end of the game asks somebody."""
    return error(
        "question-at-end",
        f"{quote(verb)} is done when the game is over, and then nobody is asked",
        at=at,
        label="asks here",
        help="ask at the end of `play`, before the game is over",
    )


def unforeseeable_step(option: str, what: str, at: Span) -> Diagnostic:
    """First steps whose result decides whether an option is offered do what cannot be tried out."""
    return error(
        "unforeseeable-step",
        f"{quote(option)} is offered only if `then_where` holds after its first steps, and one of them {what}",
        at=at,
        label=f"{what} here",
        help="put it under `do`, which comes after `then_where`",
    )


@frozen
class Harm:
    """How an answer that asks again takes an answer away that does not."""

    option: str
    changed: str
    ending: str
    ending_at: Span


def decision_without_end(decision: str, at: Span, harm: Harm | None = None) -> Diagnostic:
    """Every answer that ends a decision could be taken away by one that asks it again, or there is none."""
    if harm is None:
        return error(
            "decision-without-end",
            f"{quote(decision)} must be answered, and every answer asks it again",
            at=at,
            label="no answer ends it",
            help="leave `again` out of one option; to ask so many times, put the `choose` into a `repeat`",
        )
    return error(
        "decision-without-end",
        f"{quote(decision)} must be answered, and after {quote(harm.option)} there may be no answer left that ends it",
        at=at,
        label=f"changes {quote(harm.changed)}",
        also=[Label(harm.ending_at, f"{quote(harm.ending)} needs it as it is")],
        help=f"give {quote(decision)} an `otherwise` that says what happens then, or `optional: true`",
    )


def unkeepable_value(value: Value, parameter: Parameter | None, ways: int, most: int) -> Diagnostic:
    """A kept value can be asked about more than can be counted, or in more ways than there is room for."""
    if parameter is None:
        return error(
            "unkeepable-value",
            f"`{value.name}` is kept for each of {ways:,} ways to fill it in, more than {most:,}",
            at=value.span,
            label="a result for each of them",
            help="give it less, or leave out `kept`",
        )
    return error(
        "unkeepable-value",
        f"`{value.name}` is kept for each `{parameter.name}`, and there is no end to them",
        at=parameter.span,
        label="not players, members, flags or numbers between two ends",
        help="give it only what can be counted, or leave out `kept`",
    )
