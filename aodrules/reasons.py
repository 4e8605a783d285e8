"""Why an action is not possible: the conditions that fail, what failed them, and who imposed them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from attrs import evolve, frozen

from aodrules.check.checked import CheckedRules, Condition, Option, Parameter
from aodrules.check.visit import walk
from aodrules.facts.action_codes import Choice
from aodrules.facts.state import Machine
from aodrules.interpreter.evaluation import Evaluator
from aodrules.interpreter.options import Failure
from aodrules.lang.expressions import (
    AfterVerb,
    AttributeRead,
    BagCount,
    BuiltinCall,
    Comprehension,
    Const,
    Expression,
    FieldRead,
    Knows,
    Local,
    Operation,
    PlaceRead,
    Possible,
    ValueCall,
)
from aodrules.lang.types import (
    HiddenPiece,
    ListOf,
    Maybe,
    Member,
    Nothing,
    Number,
    Owner,
    Piece,
    Player,
    SetOf,
    Type,
    items_in,
)
from aodrules.play.actions import Action, ActionTable
from aodrules.play.choices import Choices, OpenPosition, choices_at
from aodrules.play.engines import failures
from aodrules.play.ids import IdTable, format_scalar
from aodrules.play.labels import Labels, fill, phrase, plain_words
from aodrules.play.reason import OWN_IDS, Reason
from aodrules.play.rules_context import RulesContext
from aodrules.play.scores import words_at
from aodrules.play.texts import NOT_GIVEN

ME = frozenset({"player"})
"""The names that stand for who decides."""
_Known: TypeAlias = dict[tuple[str, frozenset[str]], set[bool]]
"""By value, and by those of its parameters that stand for who decides: what it reads."""


def best_first(rules: CheckedRules, failures: Iterable[Failure]) -> list[Failure]:
    """Return failures in the order in which they are told; those alike stay in the order written.

    First what speaks of the answer itself and of what the player has, then what also speaks of something else, and at
    last what speaks of other things alone, such as a place that is full.
    """
    return sorted(failures, key=lambda failure: _distance(rules, failure))


def _distance(rules: CheckedRules, failure: Failure) -> int:
    """Return how far from the player's own things a failure is: 0 those alone, 1 those and others, 2 others alone."""
    if failure.condition is None:
        return 0
    read = _things_read(rules, failure.condition.expression, ME, {})
    return 0 if read <= {True} else 1 if True in read else 2


def is_own(expression: Expression, me: frozenset[str] = ME) -> bool:
    """Whether an expression reads what belongs to who decides."""
    return isinstance(expression, FieldRead) and any(isinstance(one, Local) and one.name in me for one in expression.at)


def is_hidden(rules: CheckedRules, expression: Expression) -> bool:
    """Whether an expression gives pieces that who decides need not know, though whether there are any is open."""
    if isinstance(expression, FieldRead):
        secret = rules.fields[expression.field].secret
        return secret == "content" or (secret == "owner" and not is_own(expression))  # noqa: S105 - words of the language
    type_ = expression.type
    return isinstance(type_, HiddenPiece) or (
        isinstance(type_, Maybe | ListOf | SetOf) and isinstance(type_.of, HiddenPiece)
    )


def _things_read(rules: CheckedRules, expression: Expression, me: frozenset[str], known: _Known) -> set[bool]:
    """Return what an expression reads beside the answer itself: the player's own things (true), others (false)."""
    found: set[bool] = set()
    for part in walk(expression):
        if isinstance(part, FieldRead):
            found.add(is_own(part, me))
        elif isinstance(part, AttributeRead | PlaceRead | Possible) or _is_of_the_table(part):
            found |= {False}
        elif isinstance(part, ValueCall):
            value = rules.values[part.value]
            given = zip(value.parameters, part.arguments, strict=True)
            mine = frozenset(one.name for one, said in given if isinstance(said, Local) and said.name in me)
            if (part.value, mine) not in known:
                known[part.value, mine] = set()  # for values that call themselves
                known[part.value, mine] = _things_read(rules, value.formula, mine, known)
            found |= known[part.value, mine]
    return found


def _is_of_the_table(expression: Expression) -> bool:
    """Whether a builtin looks at a map or at all players, not at its arguments alone."""
    return isinstance(expression, BuiltinCall) and bool(expression.names)


@frozen(eq=False)
class ExcludingPart:
    """The part of a set that leaves an item out."""

    part: Expression
    """A condition that does not hold, or a set that does not hold the item; or does, where it is not wanted to."""
    item: Any
    names: Mapping[str, Any]
    """What the names in the part stand for."""
    value: str | None
    """The innermost value whose formula the part stands in; that which is taken away, if it is one."""
    is_condition: bool = False
    is_wanted: bool = True


def find_left_out(
    evaluator: Evaluator, items: Expression, item: Any, names: Mapping[str, Any], value: str | None = None
) -> ExcludingPart:
    """Return the smallest part of a set or list that leaves an item out, looked for inside values too."""
    if isinstance(items, Operation) and items.operator in {"intersection", "difference"}:
        is_difference = items.operator == "difference"
        for operand in items.operands[: 1 if is_difference else None]:
            if not _holds(evaluator, operand, item, names):
                return find_left_out(evaluator, operand, item, names, value)
        taken = items.operands[-1]
        return ExcludingPart(
            taken, item, names, taken.value if isinstance(taken, ValueCall) else value, is_wanted=False
        )
    if isinstance(items, ValueCall) and not evaluator.tables.rules.modifiers.get(items.value):
        called = evaluator.tables.rules.values[items.value]
        given = zip(called.parameters, items.arguments, strict=True)
        inside = {one.name: evaluator.value(said, names) for one, said in given}
        return find_left_out(evaluator, called.formula, item, inside, items.value)
    if isinstance(items, Comprehension) and items.gives in {"set", "list"} and len(items.loops) == 1:
        loop = items.loops[0]
        if isinstance(items.item, Local) and items.item.name == loop.name:
            if not _holds(evaluator, loop.items, item, names):
                return find_left_out(evaluator, loop.items, item, names, value)
            inside = {**names, loop.name: item}
            for one in _flat(loop.conditions):
                if not evaluator.value(one, inside):
                    return ExcludingPart(one, item, inside, value, is_condition=True)
    return ExcludingPart(items, item, names, value)


def _holds(evaluator: Evaluator, items: Expression, item: Any, names: Mapping[str, Any]) -> bool:
    return item in items_in(items.type, evaluator.value(items, names))


def _flat(conditions: Iterable[Expression]) -> Iterator[Expression]:
    """Iterate over conditions that must all hold, in order."""
    for one in conditions:
        if isinstance(one, Operation) and one.operator == "and":
            yield from _flat(one.operands)
        else:
            yield one


_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "==", "in": "not in", "not in": "in"}


@frozen(eq=False)
class Sentences:
    """Makes sentences about one answer that is refused."""

    ids: IdTable
    labels: Labels
    evaluator: Evaluator
    names: Mapping[str, Any]
    """What the names in conditions stand for."""
    parameters: Mapping[str, Type]
    """The parameters of the option."""

    def tell(self, condition: Expression) -> str | None:
        """Return why a condition does not hold; nothing if there are no words for it."""
        return self._tell(condition, wanted=True)

    def _tell(self, condition: Expression, *, wanted: bool) -> str | None:
        if isinstance(condition, ValueCall):
            return self._value_words(condition, f".{str(not wanted).lower()}")
        if isinstance(condition, Knows) and _is_decider(condition.player):
            return self.labels.phrase("unknown" if wanted else "known", place=self._place(condition))
        if not isinstance(condition, Operation):
            return None
        if condition.operator == "not":
            return self._tell(condition.operands[0], wanted=not wanted)
        if condition.operator == ("and" if wanted else "or"):
            # One that fails is reason enough.
            failed = (one for one in condition.operands if bool(self._value(one)) != wanted)
            return self._tell(next(failed), wanted=wanted)
        operator = condition.operator if wanted else _NEGATED.get(condition.operator)
        if operator is None or len(condition.operands) != 2:
            return None
        left, right = condition.operands
        turned = _TURNED.get(operator, "")
        return self._tell_comparison(left, operator, right) or self._tell_comparison(right, turned, left)

    def _tell_comparison(self, left: Expression, operator: str, right: Expression) -> str | None:
        """Return why one does not stand in this relation to the other, if the first has words."""
        if operator in {"==", "!="}:
            return self._tell_equality(left, right, is_wanted=operator == "==")
        if operator == "in" and isinstance(right, FieldRead):
            return self._tell_missing(right, left)
        if operator == "in" and isinstance(right.type, SetOf):
            left_out = find_left_out(self.evaluator, right, self._value(left), self.names)
            return self._tell_left_out(left_out, left.type)
        if operator in {">", ">="} and isinstance(left, BagCount) and self._bound(operator, right) == 1:
            return self._tell_missing(left.bag, left.member)
        if operator not in {"<", "<=", ">", ">="} or not isinstance(right.type, Number):
            return None
        if isinstance(left, Local) and isinstance(self.parameters.get(left.name), Number):
            return self._tell_bounds(left, operator, right)
        return self._tell_amount(left, operator, right)

    def tell_left_out(self, parameter: Parameter) -> tuple[str | None, ExcludingPart | None]:
        """Return why a value is not among those to try, and the part of the domain that leaves it out."""
        if parameter.domain is None or parameter.name not in self.names:
            return None, None
        part = find_left_out(self.evaluator, parameter.domain, self.names[parameter.name], self.names)
        return self._tell_left_out(part, parameter.type), part

    def _tell_left_out(self, left_out: ExcludingPart, type_: Type) -> str | None:
        inside = evolve(self, names=left_out.names)
        return inside.tell(left_out.part) if left_out.is_condition else inside.tell_lacking(left_out, type_)

    def tell_lacking(self, left_out: ExcludingPart, type_: Type) -> str | None:
        """Return that a field does not hold an item; nothing if it is no field, or holds what it should not."""
        if not left_out.is_wanted or not isinstance(left_out.part, FieldRead):
            return None
        thing, place = self._label(type_, left_out.item), self._place(left_out.part)
        return self.labels.phrase("none-there", thing=thing, place=place)

    def _tell_missing(self, bag: Expression, member: Expression) -> str | None:
        if not isinstance(bag, FieldRead):
            return None
        thing = self._label(member.type, self._value(member))
        return self.labels.phrase("have-none" if is_own(bag) else "none-there", thing=thing, place=self._place(bag))

    def _tell_amount(self, left: Expression, operator: str, right: Expression) -> str | None:
        """Return that the player has too little or too much of something of theirs."""
        is_least = operator in {">", ">="}
        place = self._measure(left)
        if place is None:
            counted = _counted(left)
            if isinstance(counted, FieldRead) and is_least and self._bound(operator, right) == 1:
                return self.labels.phrase("empty", place=self._place(counted))
            return None
        have, need = self._value(left), self._bound(operator, right)
        return self.labels.phrase("too-little" if is_least else "too-much", place=place, have=have, need=need)

    def _measure(self, amount: Expression) -> str | None:
        """Return what an amount is called that belongs to who decides; nothing if it does not."""
        if isinstance(amount, ValueCall):
            return self._value_words(amount, "") if any(map(_is_decider, amount.arguments)) else None
        counted = amount.bag if isinstance(amount, BagCount) else _counted(amount) or amount
        if not isinstance(counted, FieldRead) or not is_own(counted):
            return None
        if not isinstance(amount, BagCount):
            return self._place(counted)
        return f"{self._place(counted)}: {self._label(amount.member.type, self._value(amount.member))}"

    def _value_words(self, call: ValueCall, suffix: str) -> str | None:
        """Return the author's words for a value, or for one that holds or not, with its arguments in their places."""
        words = self.labels.find(f"value.{call.value}{suffix}")
        if words is None:
            return None
        parameters = self.evaluator.tables.rules.values[call.value].parameters
        given = zip(parameters, call.arguments, strict=True)
        return fill(words, {one.name: self._label(one.type, self._value(said)) for one, said in given})

    def _tell_bounds(self, argument: Local, operator: str, right: Expression) -> str:
        phrase_name = "at-least" if operator in {">", ">="} else "at-most"
        name, value = plain_words(argument.name), self._value(argument)
        return self.labels.phrase(phrase_name, name=name, value=value, bound=self._bound(operator, right))

    def _tell_equality(self, left: Expression, right: Expression, *, is_wanted: bool) -> str | None:
        if isinstance(right.type, Nothing) and isinstance(left, FieldRead) and isinstance(left.type, Maybe):
            place = ", ".join(self._indices(left)) or self._place(left)
            if not is_wanted:
                return self.labels.phrase("empty", place=place)
            if is_hidden(self.evaluator.tables.rules, left):
                return self.labels.phrase("occupied", place=place)
            return self.labels.phrase("taken", place=place, thing=self._label(left.type, self._value(left)))
        if is_wanted and isinstance(left, FieldRead) and _is_decider(right):
            return self.labels.phrase("not-yours", place=", ".join(self._indices(left)) or self._place(left))
        if is_wanted and isinstance(left.type, Number) and isinstance(right.type, Number):
            return self._tell_inequality(left, right)
        are_players = isinstance(left.type, Player) and isinstance(left, Local) and left.name in self.parameters
        if not is_wanted and are_players and _is_decider(right):
            return self.labels.phrase("yourself")
        return None

    def _tell_inequality(self, left: Expression, right: Expression) -> str | None:
        """Return why a number should be another: there is too little or too much of it, or anything at all."""
        have, need, counted = self._value(left), self._value(right), _counted(left)
        if need == 0 and isinstance(counted, FieldRead):
            return self.labels.phrase("occupied", place=self._place(counted))
        return self._tell_comparison(left, ">=" if have < need else "<=", right)

    def _place(self, read: FieldRead | Knows) -> str:
        """Return what a field is called, with what it is indexed by."""
        return self.labels.beside(self.labels.say(f"state.{read.field}"), self._indices(read))

    def _indices(self, read: FieldRead | Knows) -> list[str]:
        """Return what a field is indexed by; who decides need not be told."""
        others = (one for one in read.at if not _is_decider(one))
        return [self._label(one.type, self._value(one)) for one in others]

    def _bound(self, operator: str, right: Expression) -> int:
        """Return the least or the most that a comparison allows."""
        return int(self._value(right)) + {">": 1, "<": -1}.get(operator, 0)

    def _label(self, type_: Type, value: Any) -> str:
        inner = type_.of if isinstance(type_, Maybe) else type_
        if value is None:
            return self.labels.phrase("none")
        if isinstance(inner, Member | Piece | Player | Owner):
            return self.labels.value(inner, self.ids.readable(inner, value))
        return str(value)

    def _value(self, expression: Expression) -> Any:
        return expression.value if isinstance(expression, Const) else self.evaluator.value(expression, self.names)


def _counted(amount: Expression) -> Expression | None:
    """Return what the pieces are counted of."""
    return amount.arguments[0] if isinstance(amount, BuiltinCall) and amount.builtin in {"size", "len"} else None


def _is_decider(expression: Expression) -> bool:
    return isinstance(expression, Local) and expression.name == "player"


def own_reason(sort: str, language: str, **parts: str) -> Reason:
    """Return a reason that no rule gives but the game itself."""
    return Reason(OWN_IDS[sort], phrase(sort, language, **parts))


@frozen(eq=False)
class ReasonWriter:
    """Writes why an answer is refused, in the words of a language; in detail also the conditions and what they read."""

    context: RulesContext
    action_table: ActionTable
    evaluator: Evaluator
    language: str
    detail: bool = False
    known: frozenset[str] | None = None
    """The parameters that are chosen already, of an answer of which the others are only filled in; all if not given."""

    def tell(self, action: Action, option: Option, failures: list[Failure]) -> tuple[Reason, ...]:
        """Return the reasons, that which fits best first."""
        if not failures:
            return (own_reason("not-listed", self.language, label=self._label(action)),)
        return tuple(self._reason(action, option, one) for one in best_first(self.context.checked, failures))

    def _reason(self, action: Action, option: Option, failure: Failure) -> Reason:
        if failure.condition is None:
            return self._without_condition(action, option, failure)
        condition, said = failure.condition, failure.condition.otherwise
        rule = self.context.clause_text(said, self.language) if said else None
        written, values = words_at(condition.span), self._values(failure)
        message = self._message(action, option, failure, rule)
        return Reason(
            said or f"{option.address}.{condition.under}.{condition.id}",
            _add_detail(message, written, values) if self.detail else message,
            written,
            values,
            *self.context.layer_of(condition.span),
            (said,) if said in self.context.clauses else self.context.clauses_at(option.address),
            rule,
            condition.span,
        )

    def _message(self, action: Action, option: Option, failure: Failure, rule: str | None) -> str:
        """Return the author's words for the condition, else a sentence made from it, else the rule it stands for."""
        assert failure.condition is not None
        types = {one.name: one.type for one in option.parameters}
        labels = self.context.labels(self.language)
        expression, evaluator = failure.condition.expression, self.evaluator
        if isinstance(expression, AfterVerb):
            evaluator, expression = evaluator.after(expression, failure.names), expression.then
        sentences = Sentences(self.action_table.names, labels, evaluator, failure.names, types)
        return (
            self._author_words(action, option, failure.condition)
            or sentences.tell(expression)
            or rule
            or phrase("not-listed", self.language, label=self._label(action))
        )

    def _label(self, action: Action) -> str:
        """Return what is chosen, as far as it is."""
        if self.known is None or self.known >= action.args.keys():
            return action.label(self.language)
        told = [text for name, text in self._arguments(action).items() if self.known and name in self.known]
        choice = self.action_table.spaces[action.decision].choice(action.address)
        return ", ".join(told) or self.action_table.option_label(choice, self.language)

    def _arguments(self, action: Action) -> dict[str, str]:
        """Return the arguments in words; dots for what is not chosen yet."""
        arguments = self.action_table.label_arguments(action, self.language)
        if self.known is None:
            return arguments
        return {name: text if name in self.known else NOT_GIVEN for name, text in arguments.items()}

    def _author_words(self, action: Action, option: Option, condition: Condition) -> str | None:
        """Return what the author says when a condition fails, with the arguments of the action in their places."""
        addresses = (f"{option.address}.{condition.under}.{condition.id}", condition.otherwise)
        found = (self.context.words.find(address, self.language) for address in addresses if address)
        words = next((one for one in found if one), None)
        return None if words is None else fill(words, self._arguments(action))

    def _without_condition(self, action: Action, option: Option, failure: Failure) -> Reason:
        if failure.reason == "domain":
            return self._outside_domain(action, option, failure)
        thing = self._arguments(action).get(failure.parameter or "", "")
        message = phrase(failure.reason, self.language, thing=thing, label=self._label(action))
        layer, kind = self.context.layer_of(option.span)
        clauses = self.context.clauses_at(option.address)
        return Reason(OWN_IDS[failure.reason], message, "", (), layer, kind, clauses, None, option.span)

    def _outside_domain(self, action: Action, option: Option, failure: Failure) -> Reason:
        """Return why a value is not among those to try: the author's words, else what leaves it out."""
        parameter = next(one for one in option.parameters if one.name == failure.parameter)
        arguments, said = self._arguments(action), parameter.otherwise
        names = self.action_table.names
        sentences = Sentences(names, self.context.labels(self.language), self.evaluator, failure.names, {})
        sentence, left_out = sentences.tell_left_out(parameter)
        inner = self.context.clauses_at(f"value.{left_out.value}") if left_out and left_out.value else ()
        clauses = (said,) if said in self.context.clauses else inner or self.context.clauses_at(option.address)
        rule = next(filter(None, (self.context.clause_text(one, self.language) for one in (said, *inner) if one)), None)
        words = self.context.words.find(said, self.language) if said else None
        plain = phrase("domain", self.language, thing=arguments.get(parameter.name, ""))
        message = (fill(words, arguments) if words else None) or sentence or rule or plain
        span = left_out.part.span if left_out else option.span
        written = words_at(span) if left_out else ""
        if self.detail and written:
            message = _add_detail(message, written, ())
        layer = self.context.layer_of(span)
        return Reason(said or OWN_IDS["domain"], message, written, (), *layer, clauses, rule, span)

    def _values(self, failure: Failure) -> tuple[tuple[str, Any], ...]:
        found: dict[str, Any] = {}
        for expression, value in failure.values:
            is_known = value is None or not is_hidden(self.context.checked, expression)
            shown = self.action_table.names.readable(expression.type, value) if is_known else _hide_value(value)
            found.setdefault(_as_written(expression), shown)
        return tuple(found.items())


def choices_now(
    context: RulesContext,
    table: ActionTable,
    machine: Machine,
    evaluator: Callable[[], Evaluator],
    check: Callable[[], None],
) -> Choices | None:
    """Return an answer to the question that waits, to be made part by part; nothing when the game is over."""
    pending = machine.pending
    if pending is None:
        return None
    space = table.spaces[pending.decision]

    def refusals(choice: Choice, values: tuple[Any, ...]) -> list[Failure]:
        check()
        assert choice.option is not None
        return failures(machine, evaluator(), space, choice.option, values)

    def tell(action: Action, found: list[Failure], language: str, known: frozenset[str]) -> tuple[Reason, ...]:
        option = space.choice(action.address).option
        assert option is not None
        return ReasonWriter(context, table, evaluator(), language, known=known).tell(action, option, found)

    def not_listed(language: str, label: str) -> Reason:
        return own_reason("not-listed", language, label=label)

    return choices_at(OpenPosition(table, pending, machine.codes, evaluator, refusals, tell, not_listed, check))


def _as_written(expression: Expression) -> str:
    return expression.name if isinstance(expression, Local) else words_at(expression.span)


def _hide_value(value: Any) -> Any:
    """Return what may be told of pieces whose faces are hidden: that they are there."""
    return ("?",) * len(value) if isinstance(value, tuple) else "?"


def _add_detail(message: str, written: str, values: tuple[tuple[str, Any], ...]) -> str:
    """Return a message with the condition that does not hold, and what its parts are."""
    # Of the whole condition nothing is left to tell: it does not hold.
    worth = ", ".join(f"`{part}` = {format_value(value)}" for part, value in values if part != written)
    return f"{message} [`{written}`{'; ' if worth else ''}{worth}]"


def format_value(value: Any) -> str:
    """Return what something was worth, in words of the rules."""
    if isinstance(value, dict):
        return ", ".join(f"{count} {name}" for name, count in value.items()) or "empty"
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "empty"
    return format_scalar(value)
