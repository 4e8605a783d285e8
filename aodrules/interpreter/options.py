"""Which instances of an option are legal, and why the others are not. Pure questions about a state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, Protocol, TypeAlias

import attrs
from attrs import frozen

from aodrules.check.checked import Condition, Limit, Option, Parameter
from aodrules.check.steps import Argument
from aodrules.check.visit import children, walk
from aodrules.facts.action_codes import ActionSpace, parameter_size
from aodrules.facts.state import PlainState
from aodrules.interpreter.holders import Holder, copies_held, counter_at, has_owners, holders
from aodrules.interpreter.places import cell
from aodrules.interpreter.tables import Tables
from aodrules.lang.expressions import (
    AfterVerb,
    AttributeRead,
    BagCount,
    BuiltinCall,
    Comprehension,
    Expression,
    FieldRead,
    IsKind,
    Local,
    Operation,
    PlaceRead,
    ValueCall,
    WhenPresent,
)
from aodrules.lang.types import Flag, Member, Nothing, Number, Owner, Piece, Player

Locals: TypeAlias = dict[str, Any]
"""Local names and what they stand for: values, and a `PlaceRef` for a parameter that is a place."""

Stages: TypeAlias = tuple[tuple[Condition, ...], ...]
"""The conditions of an option by how many parameters they need."""


class Evaluation(Protocol):
    """What can say what an expression is worth now."""

    tables: Tables
    state: PlainState

    def value(self, expression: Expression, locals_: Mapping[str, Any]) -> Any:
        """Return what an expression is worth."""

    def items(self, expression: Expression, locals_: Mapping[str, Any]) -> tuple[Any, ...]:
        """Return the items of a collection, in order."""

    def argument(self, given: Argument, locals_: Mapping[str, Any]) -> Any:
        """Return what is given for a parameter: a value or a place."""

    def after(self, expression: AfterVerb, locals_: Mapping[str, Any]) -> Evaluation:
        """Return the same for the state in which a verb has been done."""

    def sides(self) -> tuple[int, ...]:
        """Return the sides in the game as owners, in order."""

    def remaining(self) -> tuple[int, ...]:
        """Return the seats still in the game."""


@frozen
class Failure:
    """One reason why an instance of an option is not legal."""

    reason: Literal["condition", "domain", "holder", "limit", "again", "ending"]
    condition: Condition | None = None
    parameter: str | None = None
    """For `domain`: whose value is not among those to try."""
    values: tuple[tuple[Expression, Any], ...] = ()
    """For `condition`: what the parts were worth that it read."""
    names: Mapping[str, Any] = attrs.field(factory=dict, eq=False, repr=False)
    """What the names stand for in the condition, or in the domain together with the value that is not among those to
    try; nothing where that value is of another kind."""


def legal_codes(
    evaluation: Evaluation, space: ActionSpace, locals_: Locals, closed: frozenset[str] = frozenset()
) -> tuple[int, ...]:
    """Return the codes of all legal answers, sorted. `locals_` are `player` and the decision's arguments.

    Options that are `closed` (by address) were chosen as often as they may be.
    """
    codes = {
        space.encode(choice, arguments)
        for choice in space.choices
        if choice.option is not None and choice.address not in closed
        if can_be_ended(evaluation, space, choice.option, locals_)
        for arguments in instances(evaluation, choice.option, locals_)
    }
    if space.passing is not None:
        codes.add(space.passing)
    return tuple(sorted(codes))


def can_be_ended(evaluation: Evaluation, space: ActionSpace, option: Option, locals_: Locals) -> bool:
    """Whether one of the answers is possible that end the decision after an option and that it cannot take away."""
    endings = (space.choice(address).option for address in option.beside)
    found = (instances(evaluation, ending, locals_) for ending in endings if ending is not None)
    return not option.beside or any(True for one in found for _ in one)


def instances(evaluation: Evaluation, option: Option, locals_: Locals) -> Iterator[tuple[Any, ...]]:
    """Return the arguments of every legal instance of an option; some may come twice."""
    stages = evaluation.tables.stages
    if option not in stages:
        stages[option] = _stages(option)
    return _extend(evaluation, option, stages[option], supplied(evaluation, option, locals_), ())


def supplied(evaluation: Evaluation, option: Option, locals_: Locals) -> Locals:
    """Return the names an option starts with: those of the decision, and what a `use` supplies."""
    more = {
        one.name: evaluation.argument(value, locals_) for one, value in zip(option.given, option.supplied, strict=False)
    }
    return {**locals_, **more}


def bound(evaluation: Evaluation, option: Option, locals_: Locals, arguments: Iterable[Any]) -> Locals:
    """Return the names that the conditions and steps of an option see when these arguments are chosen."""
    names = supplied(evaluation, option, locals_)
    names.update(zip((one.name for one in option.parameters), arguments, strict=True))
    holder = holder_of(evaluation, option, names)
    return names if holder is None else {**names, **holder.names}


def holder_of(evaluation: Evaluation, option: Option, locals_: Locals) -> Holder | None:
    """Return who carries an offered option; none if nobody does who could offer it to the decider.

    Of several holders of what is offered to everybody the first by seat counts.
    """
    scope = option.scope
    if scope is None or scope.kind is None:
        return Holder()
    member = locals_["self"] if _offered_by_kind(option) else scope.members[0]
    if not has_owners(evaluation.tables, scope):
        copies = copies_held(evaluation.tables, evaluation.state, scope, member, None)
        return Holder(member, None, copies) if copies else None
    if scope.owner and "player" not in locals_:
        return None  # chance owns nothing
    owners = (locals_["player"],) if scope.owner else None
    single = attrs.evolve(scope, members=(member,))
    return next(holders(evaluation.tables, evaluation.state, single, owners), None)


def within_limit(evaluation: Evaluation, limit: Limit | None, locals_: Locals, holder: Holder) -> bool:
    """Whether something limited may be used once more."""
    for _, counter, often in limit.periods if limit is not None else ():
        at = counter_at(evaluation.tables, limit, counter, locals_.get("player"), holder)
        used = cell(evaluation.tables, evaluation.state, counter, at)
        if used >= evaluation.value(often, locals_) * holder.copies:
            return False
    return True


def refusals(
    evaluation: Evaluation,
    space: ActionSpace,
    option: Option,
    locals_: Locals,
    arguments: tuple[Any, ...],
    closed: frozenset[str],
) -> list[Failure]:
    """Return every reason why an answer is not legal now: what was answered before counts, and what would be left."""
    found = [Failure("again")] if option.address in closed else []
    if not can_be_ended(evaluation, space, option, locals_):
        found.append(Failure("ending"))
    return found + failures(evaluation, option, locals_, arguments)


def failures(evaluation: Evaluation, option: Option, locals_: Locals, arguments: tuple[Any, ...]) -> list[Failure]:
    """Return every reason why an instance is not legal; nothing if it is.

    Of one with fewer arguments, the first ones, it tells what these already decide. Parameters and conditions come in
    the order of `instances`. What relies on a name that failed already is left out: it may not even have a meaning.
    """
    names = supplied(evaluation, option, locals_)
    found: list[Failure] = []
    unsure: set[str] = set()
    for depth, conditions in enumerate(_stages(option)[: len(arguments) + 1]):
        if depth == _offered_by_kind(option):
            holder = holder_of(evaluation, option, names)
            if holder is None:
                return [*found, Failure("holder")]
            names.update(holder.names)
            if not within_limit(evaluation, option.limit, names, holder):
                found.append(Failure("limit"))
        found += _failed(evaluation, conditions, names, unsure)
        if depth < len(arguments):
            parameter = option.parameters[depth]
            found += _outside(evaluation, parameter, names, arguments[depth], unsure)
            names[parameter.name] = arguments[depth]
    return found


def _outside(
    evaluation: Evaluation, parameter: Parameter, names: Locals, argument: Any, unsure: set[str]
) -> Iterator[Failure]:
    """Return whether an argument is not among those to try; if it is of another kind, nothing can be said about it."""
    is_other = isinstance(parameter.type, Member | Piece) and argument not in whole_domain(evaluation, parameter)
    is_clear = parameter.domain is None or not unsure & names_read(parameter.domain)
    if is_other:
        unsure.add(parameter.name)
    if is_other or (is_clear and argument not in _domain(evaluation, parameter, names)):
        inside = {} if is_other else {**names, parameter.name: argument}
        yield Failure("domain", parameter=parameter.name, names=inside)


def _failed(
    evaluation: Evaluation, conditions: Iterable[Condition], names: Locals, unsure: set[str]
) -> Iterator[Failure]:
    """Return the conditions that do not hold; those that rely on one of these are left out."""
    for condition in conditions:
        read = names_read(condition.expression)
        if unsure & read or evaluation.value(condition.expression, names):
            continue
        yield Failure("condition", condition, None, _read_values(evaluation, condition.expression, names), dict(names))
        if _narrows(condition.expression):
            unsure |= read


def _extend(
    evaluation: Evaluation,
    option: Option,
    stages: Stages,
    locals_: Locals,
    arguments: tuple[Any, ...],
) -> Iterator[tuple[Any, ...]]:
    """Go through the parameters that are left, each condition tested as soon as what it reads is bound."""
    depth = len(arguments)
    if depth == _offered_by_kind(option):
        holder = holder_of(evaluation, option, locals_)
        if holder is None or not within_limit(evaluation, option.limit, {**locals_, **holder.names}, holder):
            return
        locals_.update(holder.names)
    if not all(evaluation.value(condition.expression, locals_) for condition in stages[depth]):
        return
    if depth == len(option.parameters):
        yield arguments
        return
    parameter = option.parameters[depth]
    for value in _domain(evaluation, parameter, locals_):
        locals_[parameter.name] = value
        yield from _extend(evaluation, option, stages, locals_, (*arguments, value))


def _offered_by_kind(option: Option) -> bool:
    """Whether the first parameter is the member that offers: then its holder is known only after it."""
    return bool(option.scope and option.parameters and option.parameters[0].name == "self")


def _stages(option: Option) -> Stages:
    """Return the conditions by how many parameters must be bound before they can be tested.

    A condition never comes before one that narrows a name it reads.
    """
    bound_at = {parameter.name: place + 1 for place, parameter in enumerate(option.parameters)}
    bound_at.setdefault("owner", int(_offered_by_kind(option)))
    stages: list[list[Condition]] = [[] for _ in range(len(option.parameters) + 1)]
    for condition in option.conditions:
        names = names_read(condition.expression)
        stage = max((bound_at.get(name, 0) for name in names), default=0)
        stages[stage].append(condition)
        if _narrows(condition.expression):
            bound_at.update({name: max(stage, bound_at.get(name, 0)) for name in names})
    return tuple(tuple(stage) for stage in stages)


def _domain(evaluation: Evaluation, parameter: Parameter, locals_: Locals) -> tuple[Any, ...]:
    """Return the values to try for a parameter."""
    if parameter.domain is None:
        return whole_domain(evaluation, parameter)
    items = evaluation.items(parameter.domain, locals_)
    if isinstance(parameter.type, Number):
        top = parameter.low + parameter_size(evaluation.tables, parameter)
        items = tuple(item for item in items if item is not None and parameter.low <= item < top)
    return tuple(dict.fromkeys(item for item in items if item is not None))


def whole_domain(evaluation: Evaluation, parameter: Parameter) -> tuple[Any, ...]:
    """Return the values of a parameter that has no domain of its own."""
    type_, tables = parameter.type, evaluation.tables
    if isinstance(type_, Member):
        return tables.rules.kinds[type_.kind].places
    if isinstance(type_, Player):
        return evaluation.remaining()
    if isinstance(type_, Owner):
        return (*evaluation.remaining(), *evaluation.sides())
    if isinstance(type_, Flag):
        return (False, True)
    if isinstance(type_, Piece):
        size, places = tables.family_size(type_.kind), tables.rules.kinds[type_.kind].places
        owners = (*evaluation.remaining(), *(evaluation.sides() if tables.rules.sides_owning(type_.kind) else ()))
        return tuple(owner * size + place for owner in owners for place in places)
    return tuple(range(parameter.low, parameter.low + parameter.size))


def names_read(expression: Expression) -> frozenset[str]:
    """Return the local names that an expression reads, its own loop names included."""
    return frozenset(part.name for part in walk(expression) if isinstance(part, Local | PlaceRead))


def free_names(expression: Expression) -> frozenset[str]:
    """Return the local names that an expression reads from around it: not those of its own loops."""
    own = {
        name
        for part in walk(expression)
        if isinstance(part, Comprehension | WhenPresent)
        for name in ((part.name,) if isinstance(part, WhenPresent) else (loop.name for loop in part.loops))
    }
    return names_read(expression) - own


def _narrows(expression: Expression) -> bool:
    """Whether a condition may tell that something is not none or of a narrower kind, so that later ones rely on it."""
    return any(
        isinstance(part, IsKind)
        or (isinstance(part, Operation) and any(isinstance(operand.type, Nothing) for operand in part.operands))
        for part in walk(expression)
    )


def _read_values(evaluation: Evaluation, expression: Expression, locals_: Locals) -> tuple[tuple[Expression, Any], ...]:
    """Return what the parts of a condition were worth: those that read the state or an argument."""
    if isinstance(expression, FieldRead | AttributeRead | BagCount | ValueCall | BuiltinCall | Local):
        return ((expression, evaluation.value(expression, locals_)),)
    if isinstance(expression, Comprehension | WhenPresent):
        return ()
    if isinstance(expression, AfterVerb):
        return _read_values(evaluation.after(expression, locals_), expression.then, locals_)
    return tuple(pair for part in children(expression) for pair in _read_values(evaluation, part, locals_))
