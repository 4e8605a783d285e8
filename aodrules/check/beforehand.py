"""What is fixed before a game begins: the number of players and attributes tell it, never the state."""

from __future__ import annotations

from collections.abc import Iterator

from aodrules.check import problems
from aodrules.check.checked import CheckedRules
from aodrules.check.measures import Measures
from aodrules.check.walking import everything_in, text_of
from aodrules.lang.typed import Expression, FieldRead, Knows, LimitUsed, Possible, ValueCall
from aodrules.lang.types import Member
from aodrules.source.diagnostics import Report

_OF_THE_STATE = (FieldRead, Knows, LimitUsed, Possible, ValueCall)


def check_beforehand(rules: CheckedRules, report: Report) -> None:
    """Report what cannot be known when a game is made."""
    for expression in _fixed(rules):
        read = next((each for each in everything_in(expression) if isinstance(each, _OF_THE_STATE)), None)
        if read is not None:
            report.add(problems.not_yet_known(text_of(read.span), read.span))
    for field in rules.fields.values():
        if isinstance(field.type, Member) and not field.holds and not rules.family(field.type.kind).members:
            kind = field.type.kind
            message = f"there is no `{kind}` that this could be"
            report.add(problems.wrong_declaration(message, field.span, f"write `maybe {kind}`, or declare one"))
    _check_memories(rules, report)


def _check_memories(rules: CheckedRules, report: Report) -> None:
    """Report components that remember something and have several copies: it could not be told which one does."""
    measures, seen = Measures(rules), set()
    for field in rules.fields.values():
        kind, _, rest = field.name.partition(".")
        member, _, rest = rest.partition(".")
        if not rest.startswith("remembers.") or member in seen:
            continue
        family = rules.family(kind)
        copies = measures.copies(kind)[family.members.index(member)] if family.pieces is not None else 1
        if copies > 1 or measures.is_owned(kind):
            seen.add(member)
            message = f"only a component with one copy can remember something, and there are several of `{member}`"
            report.add(problems.wrong_declaration(message, field.span))


def _fixed(rules: CheckedRules) -> Iterator[Expression]:
    for kind in rules.kinds.values():
        yield from kind.pieces.counts if kind.pieces is not None else ()
    for field in rules.fields.values():
        yield from (each for each in (field.start, field.start_if, field.start_by, field.only) if each is not None)
