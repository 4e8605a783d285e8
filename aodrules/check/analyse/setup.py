"""What is fixed before a game begins: what must be known then, and where every piece starts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from attrs import define, field

from aodrules.check import analysis_problems, problems
from aodrules.check.analyse.bounds import MOST_ROUNDS
from aodrules.check.analyse.constants import UNSURE, ConstantEvaluator, Known, is_number
from aodrules.check.analyse.costs import plain
from aodrules.check.analyse.sizes import Sizes
from aodrules.check.checked import CheckedRules, Field, Kind
from aodrules.check.for_players import rules_for
from aodrules.check.visit import attribute_values, expressions, text_of, walk
from aodrules.lang.expressions import (
    AfterVerb,
    AttributeRead,
    Const,
    Expression,
    FieldRead,
    Knows,
    LimitUsed,
    Possible,
    ValueCall,
)
from aodrules.lang.types import OWNER, Bag, ListOf, Maybe, Member, Number, Piece, Type, Unknown
from aodrules.source.diagnostics import Report

_OF_THE_STATE = (AfterVerb, FieldRead, Knows, LimitUsed, Possible, ValueCall)


def check_setup_only(rules: CheckedRules, report: Report) -> None:
    """Report what cannot be known when a game is made."""
    for expression in _fixed(rules):
        read = next((each for each in walk(expression) if isinstance(each, _OF_THE_STATE)), None)
        if read is not None:
            report.add(problems.not_yet_known(text_of(read.span), read.span))
    for each in rules.fields.values():
        if isinstance(each.type, Member) and not each.holds and not rules.family(each.type.kind).members:
            kind = each.type.kind
            message = f"there is no `{kind}` that this could be"
            report.add(problems.wrong_declaration(message, each.span, f"write `maybe {kind}`, or declare one"))
    _check_for_players(rules, report)
    _check_memories(rules, report)


def _check_for_players(rules: CheckedRules, report: Report) -> None:
    """Report fields that would start as a member that is not in each game."""
    low, high = rules.game.players
    for each in rules.fields.values():
        if isinstance(each.type, Member) and not each.holds and rules.family(each.type.kind).for_players:
            for number in range(low, high + 1):
                if _starts_as_absent(each, rules_for(rules, number).kinds[each.type.kind].places):
                    message = f"with {number} players there is no such `{each.type.kind}` to begin with"
                    report.add(problems.wrong_declaration(message, each.start.span if each.start else each.span))
                    break


def _starts_as_absent(each: Field, places: tuple[int, ...]) -> bool:
    if each.start is None:
        return not places
    return isinstance(each.start, Const) and each.start.value not in places


def _check_memories(rules: CheckedRules, report: Report) -> None:
    """Report components that remember something and have several copies: it could not be told which one does."""
    sizes, seen = Sizes(rules), set()
    for each in rules.fields.values():
        kind, _, rest = each.name.partition(".")
        member, _, rest = rest.partition(".")
        if not rest.startswith("remembers.") or member in seen:
            continue
        family = rules.family(kind)
        copies = sizes.copies(kind)[family.members.index(member)] if family.pieces is not None else 1
        if copies > 1 or sizes.is_owned(kind):
            seen.add(member)
            message = f"only a component with one copy can remember something, and there are several of `{member}`"
            report.add(problems.wrong_declaration(message, each.span))


def check_computed(rules: CheckedRules, sizes: Sizes, report: Report) -> None:
    """Report attributes and numbers of pieces that cannot be computed: too many rounds, too deep, too large."""
    found = [(name, expression) for name, expression in _uncomputed(rules, sizes) if not _was_reported(expression)]
    unsure = frozenset(name for name, _ in found)
    causes = [expression for _, expression in found if not _attributes_in(expression) & unsure]
    if not causes and not any(each.code == "rules-too-deep" for each in report):
        causes = [expression for _, expression in found[:1]]  # Each needs another one: the first is as good as any.
    for expression in causes:
        text, span = text_of(expression.span), expression.span
        if isinstance(expression.type, Number):
            reason, cure = "cannot be computed before play", "write the number itself, or a shorter loop"
            report.add(analysis_problems.unbounded_number(text, span, reason, cure=cure))
        else:
            report.add(analysis_problems.too_much_work(plain(MOST_ROUNDS + 1), MOST_ROUNDS, span, "attributes"))


def _uncomputed(rules: CheckedRules, sizes: Sizes) -> Iterator[tuple[str, Expression]]:
    """Iterate over what is unsure for some number of players, with the name of the attribute."""
    for name, member, place, expression in attribute_values(rules):
        if any(one.attribute(name, member, place) is UNSURE for one in sizes.by_players):
            yield name, expression
    for kind in rules.kinds.values():
        for names, count in _counts(rules, kind):
            if any(one.value(count, names) is UNSURE for one in sizes.by_players):
                yield "", count


def _counts(rules: CheckedRules, kind: Kind) -> Iterator[tuple[dict[str, Known], Expression]]:
    """Iterate over what says how many pieces there are of each member, each with what `self` means in it."""
    if kind.pieces is None:
        return
    for member, count in enumerate(kind.pieces.counts):
        yield {"self": member}, count
    for (_, side), counts in zip(rules.sides, kind.pieces.of_sides, strict=False):
        for count in counts:
            yield {"self": side}, count


def _was_reported(expression: Expression) -> bool:
    """Whether something was said about an expression before: it reads the state, or was not understood."""
    return any(isinstance(each, _OF_THE_STATE) or isinstance(each.type, Unknown) for each in walk(expression))


def _attributes_in(expression: Expression) -> frozenset[str]:
    return frozenset(each.attribute for each in walk(expression) if isinstance(each, AttributeRead))


def _fixed(rules: CheckedRules) -> Iterator[Expression]:
    yield from (expression for _, _, _, expression in attribute_values(rules))
    for kind in rules.kinds.values():
        yield from (count for _, count in _counts(rules, kind))
    for each in rules.fields.values():
        yield from expressions(each)


# Nothing appears from nowhere: every piece starts in exactly one place that has room for it.


def check_pieces(rules: CheckedRules, report: Report) -> None:
    """Report pieces that start nowhere, in more than one place, or where they do not fit."""
    _check_players(rules, report)
    sizes = Sizes(rules)
    for name, kind in rules.kinds.items():
        if kind.family == name and kind.pieces is not None:
            _Starts(rules, kind, sizes, report).check()


def _check_players(rules: CheckedRules, report: Report) -> None:
    """Players are pieces too, where a list holds them."""
    holding = [each for each in rules.fields.values() if each.holds == "player"]
    starting = [each for each in holding if each.start_all]
    inner = [each for each in holding if not each.name.startswith("out.")]
    if inner and not starting:
        report.add(analysis_problems.piece_without_start("player", rules.game.seats, inner[0].span))
    if len(starting) > 1:
        one, other = starting[1].span, starting[0].span
        report.add(analysis_problems.piece_with_two_starts("player", rules.game.seats, one, other, "here"))


@define(eq=False)
class _Starts:
    """Where the pieces of one family start."""

    rules: CheckedRules
    kind: Kind
    sizes: Sizes
    report: Report
    _homes: dict[int, dict[str, None]] = field(factory=dict)
    """For each member the fields it starts in, in order."""
    _scattered: dict[str, list[str]] = field(factory=dict)
    """For each field the members that would start in each of its places."""
    _lost: dict[str, list[str]] = field(factory=dict)
    """For each field the members whose place there does not exist."""
    _lacks_side: bool = False
    """Whether it was told that pieces of a side start nowhere."""

    def check(self) -> None:
        """Report what starts nowhere, twice, where there is nothing, or where there is no room."""
        fields = [each for each in self.rules.fields.values() if each.holds == self.kind.name and each.start_all]
        for constants in self.sizes.by_players:
            counts = constants.pieces(self.kind.name)
            there = [member for member, count in enumerate(counts) if count > 0]
            for each in fields:
                self._check_room(each, self._places(each, there, constants), counts)
            for member in there:
                self._homes.setdefault(member, {})
            for side in range(self.rules.sides_owning(self.kind.name)):
                self._check_side(side, fields, constants)
        self._report()

    def _check_side(self, side: int, fields: list[Field], constants: ConstantEvaluator) -> None:
        """Report pieces of a side that start nowhere, or where there is no room for them."""
        counts = constants.pieces_of_side(self.kind.name, side)
        there = [member for member, count in enumerate(counts) if count > 0]
        started: set[int] = set()
        for each in fields:
            if each.owner_dimension is None or OWNER in each.dimensions:
                found = self._places(each, there, constants)
                self._check_room(each, found, counts)
                started |= set(found)
        if not started.issuperset(there) and not self._lacks_side:
            self._lacks_side = True
            family, number = self.rules.sides[side]
            owner = self.rules.kinds[family].members[number]
            at = fields[0].span if fields else self.kind.span
            lost = [self.kind.members[member] for member in there if member not in started]
            self.report.add(analysis_problems.piece_without_start(self.kind.name, lost, at, side=owner))

    def _places(self, at: Field, members: list[int], constants: ConstantEvaluator) -> dict[int, Known]:
        """Return the members that start in a field, each with its index in the last dimension."""
        found: dict[int, Known] = {}
        for member in members:
            names = {_kind_of(at.type): member, self.kind.name: member, "self": member}
            is_common = self.kind.pieces is not None and member in self.kind.pieces.common
            starts_here = is_common == at.is_stock and member in self._held(at)
            if not starts_here or (at.start_if and constants.value(at.start_if, names) is False):
                continue
            index = constants.value(at.start_by, names) if at.start_by is not None else None
            self._homes.setdefault(member, {})[at.name] = None
            found[member] = index
            self._check_place(at, member, index, constants)
        return found

    def _held(self, at: Field) -> frozenset[int]:
        kind = self.rules.kinds.get(_kind_of(at.type), self.kind)
        return frozenset(kind.places)

    def _check_place(self, at: Field, member: int, index: Known, constants: ConstantEvaluator) -> None:
        name = self.kind.members[member]
        dimensions = [each for place, each in enumerate(at.dimensions) if place != at.owner_dimension]
        if at.start_by is not None and dimensions:
            if index is None or (is_number(index) and not self._exists(at, dimensions, index, constants)):
                _note(self._lost, at.name, name)
            dimensions = dimensions[:-1]
        if any(len(constants.members(each)) > 1 for each in dimensions):
            _note(self._scattered, at.name, name)

    def _exists(self, at: Field, dimensions: list[Type], index: int, constants: ConstantEvaluator) -> bool:
        if index not in constants.members(dimensions[-1]):
            return False
        first = at.dimensions[0]
        if at.only is None or len(dimensions) > 1 or not isinstance(first, Member):
            return True
        return constants.value(at.only, {first.kind: index, "self": index}) is not False

    def _check_room(self, at: Field, starting: dict[int, Known], counts: tuple[int, ...]) -> None:
        room = at.type.limit if isinstance(at.type, Bag | ListOf) else 1 if isinstance(at.type, Maybe) else None
        if room is None or at.name in self._scattered:
            return
        total: Counter[Known] = Counter()
        for member, index in starting.items():
            total[index if index is not UNSURE else None] += counts[member]
        most = max(total.values(), default=0)
        if most > room:
            self.report.add(analysis_problems.start_too_full(at.name, most, room, at.span))

    def _report(self) -> None:
        homeless = [member for member, homes in sorted(self._homes.items()) if not homes]
        if homeless:
            names = [self.kind.members[member] for member in homeless]
            are_common = self.kind.pieces is not None and self.kind.pieces.common.issuperset(homeless)
            problem = analysis_problems.piece_without_start(
                self.kind.name, names, self.kind.span, are_common=are_common
            )
            self.report.add(problem)
        for (one, other), members in self._twice():
            spans = self.rules.fields[other].span, self.rules.fields[one].span
            self.report.add(analysis_problems.piece_with_two_starts(self.kind.name, members, *spans, "start here"))
        for name, members in self._scattered.items():
            span = self.rules.fields[name].span
            why = "in each of several places"
            self.report.add(analysis_problems.piece_with_two_starts(self.kind.name, members, span, None, why))
        for name, members in self._lost.items():
            self.report.add(analysis_problems.start_in_missing_field(name, members, self.rules.fields[name].span))

    def _twice(self) -> Iterator[tuple[tuple[str, str], list[str]]]:
        pairs: dict[tuple[str, str], list[str]] = {}
        for member, homes in sorted(self._homes.items()):
            if len(homes) > 1:
                first, second, *_ = homes
                pairs.setdefault((first, second), []).append(self.kind.members[member])
        yield from pairs.items()


def _note(notes: dict[str, list[str]], name: str, member: str) -> None:
    noted = notes.setdefault(name, [])
    if member not in noted[-1:]:
        noted.append(member)


def _kind_of(of: Type) -> str:
    """Return the kind of the pieces that a field of a type holds."""
    of = of.of if isinstance(of, Maybe | ListOf) else of
    return of.kind if isinstance(of, Bag | Member | Piece) else ""
