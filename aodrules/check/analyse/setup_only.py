"""What is fixed before a game begins: the number of players and attributes tell it, never the state."""

from __future__ import annotations

from collections.abc import Iterator

from aodrules.check import analysis_problems, problems
from aodrules.check.analyse.bounds import MOST_ROUNDS
from aodrules.check.analyse.constants import UNSURE
from aodrules.check.analyse.costs import plain
from aodrules.check.analyse.sizes import Sizes
from aodrules.check.checked import CheckedRules
from aodrules.check.visit import expressions, text_of, walk
from aodrules.lang.expressions import AttributeRead, Expression, FieldRead, Knows, LimitUsed, Possible, ValueCall
from aodrules.lang.types import Member, Number, Unknown
from aodrules.source.diagnostics import Report

_OF_THE_STATE = (FieldRead, Knows, LimitUsed, Possible, ValueCall)


def check_setup_only(rules: CheckedRules, report: Report) -> None:
    """Report what cannot be known when a game is made."""
    for expression in _fixed(rules):
        read = next((each for each in walk(expression) if isinstance(each, _OF_THE_STATE)), None)
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
    measures, seen = Sizes(rules), set()
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


def check_computed(rules: CheckedRules, measures: Sizes, report: Report) -> None:
    """Report attributes and numbers of pieces that cannot be computed: too many rounds, too deep, too large."""
    found = [each for each in _uncomputed(rules, measures) if not _was_reported(each)]
    unsure = frozenset(name for name, _ in found)
    causes = [expression for _, expression in found if not _attributes_in(expression) & unsure]
    if not causes and not any(each.code == "rules-too-deep" for each in report):
        causes = [expression for _, expression in found[:1]]  # Each needs another one: the first is as good as any.
    for expression in causes:
        _report_uncomputed(expression, report)


def _report_uncomputed(expression: Expression, report: Report) -> None:
    text, span = text_of(expression.span), expression.span
    if isinstance(expression.type, Number):
        reason, cure = "cannot be computed before play", "write the number itself, or a shorter loop"
        report.add(analysis_problems.unbounded_number(text, span, reason, cure=cure))
    else:
        report.add(analysis_problems.too_much_work(plain(MOST_ROUNDS + 1), MOST_ROUNDS, span, "attributes"))


def _uncomputed(rules: CheckedRules, measures: Sizes) -> Iterator[tuple[str, Expression]]:
    """Iterate over what is unsure for some number of players, with the name of the attribute."""
    for name, attribute in rules.attributes.items():
        for member, entry in enumerate(attribute.values):
            for at, expression in enumerate(entry if isinstance(entry, tuple) else (entry,)):
                values = [one.attribute(name, member, at) for one in measures.by_players]
                if expression is not None and any(each is UNSURE for each in values):
                    yield name, expression
    for kind in rules.kinds.values():
        for member, count in enumerate(kind.pieces.counts if kind.pieces is not None else ()):
            if any(one.value(count, {"self": member}) is UNSURE for one in measures.by_players):
                yield "", count


def _was_reported(found: tuple[str, Expression]) -> bool:
    """Whether something was said about an expression before: it reads the state, or was not understood."""
    parts = walk(found[1])
    return any(isinstance(each, _OF_THE_STATE) or isinstance(each.type, Unknown) for each in parts)


def _attributes_in(expression: Expression) -> frozenset[str]:
    return frozenset(each.attribute for each in walk(expression) if isinstance(each, AttributeRead))


def _fixed(rules: CheckedRules) -> Iterator[Expression]:
    for attribute in rules.attributes.values():
        for entry in attribute.values:
            yield from (each for each in (entry if isinstance(entry, tuple) else (entry,)) if each is not None)
    for kind in rules.kinds.values():
        yield from kind.pieces.counts if kind.pieces is not None else ()
    for field in rules.fields.values():
        yield from expressions(field)
