"""Questions: the codes listed, somebody asked (or chance), and what each answer does."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from aodrules.check.checked import DecisionDef, Option, Parameter
from aodrules.check.steps import Choose
from aodrules.check.visit import names_deciding
from aodrules.compiler.folding import branch, call_pure, nonzero, operation
from aodrules.compiler.layout import LEFT
from aodrules.compiler.lower.options import CodeShape, is_nowhere, is_offered_by_kind, is_open
from aodrules.compiler.lower.scope import LoweredPlace, LowerScope, Meaning
from aodrules.compiler.lower.uses import CLOSED, ending_after, uses_of
from aodrules.compiler.nodes import (
    AppendCode,
    Around,
    Ask,
    Assign,
    Branch,
    Break,
    CallPure,
    CallRuntime,
    CellRead,
    DecisionPoint,
    Formula,
    Function,
    IfLogging,
    Labelled,
    Literal,
    Op,
    Statements,
    Variable,
    WhileLoop,
    WriteLog,
)
from aodrules.compiler.passes.legality_keys import KeyPlanner
from aodrules.compiler.passes.merge_bag_tests import merge_bag_tests
from aodrules.compiler.passes.redundant_checks import drop_known_conditions
from aodrules.compiler.variables import flow, leaves, read_by
from aodrules.compiler.visit import form
from aodrules.lang.expressions import Const
from aodrules.lang.types import NUMBER, PLAYER, Bag, Type
from aodrules.source.spans import Span


class DecisionPlanner(KeyPlanner):
    """Turns questions into statements."""

    def choose(self, step: Choose, scope: LowerScope) -> Statements:
        """Return a question."""
        decision = self.rules.decisions[step.decision]
        by = None if step.by is None else self.expression(step.by, scope)
        meanings = self.meanings(step.arguments, scope)
        parameters, meanings = self._with_decider(decision, by, meanings)
        if decision.inline:
            statements, names = self.bound(parameters, meanings, step.span)
            return statements + self._asked(decision, scope.bind_all(names), by_chance=by is None)
        given = self.given(parameters, meanings)
        key = f"decision_{_word(step.decision.removeprefix('decision.'))}{'_by_chance' if by is None else ''}"
        return self.called(key, given, lambda inner: self._asked(decision, inner, by_chance=by is None), decision.span)

    def _with_decider(
        self, decision: DecisionDef, by: Formula | None, meanings: list[Meaning]
    ) -> tuple[tuple[Parameter, ...], list[Meaning]]:
        if by is None:
            return decision.parameters, meanings
        return (Parameter("player", PLAYER, decision.span), *decision.parameters), [by, *meanings]

    def _asked(self, decision: DecisionDef, scope: LowerScope, *, by_chance: bool) -> Statements:
        """Return a question in a body that has the decider and the arguments at hand."""
        span, possible, all_options = decision.span, self._possible(decision), len(decision.options)
        decision, shapes = evolve(decision, options=tuple(possible)), list(possible.values())
        again = any(option.again is not None for option in decision.options)
        counters = self._counters(decision, scope)
        for option in decision.options:
            if option.beside:
                scope = scope.bind(ending_after(option), self._ending_after(decision, option, scope))
        scope = scope.bind_all({uses_of(option): counter for option, counter in counters.items()})
        done = self.fresh("answered") if again else None
        leave: Statements = () if done is None else (Break(span, done),)
        statements = self._asked_once(decision, shapes, scope, done, by_chance=by_chance)
        if decision.always_asked and 0 < len(counters) == all_options:
            is_left = operation(span, "or", *(is_open(counter, span) for counter in counters.values()))
            statements = branch(span, is_left, statements, leave)
        if self.somebody_leaves and not by_chance:
            here = operation(span, "not in", scope.formula("player"), CellRead(span, LEFT))
            statements = branch(span, here, statements, leave)
        if done is None:
            return statements
        loop = WhileLoop(span, Literal(span, value=True), statements)
        starts = (Assign(span, counter.name, Literal(span, 0)) for counter in counters.values())
        return *starts, Labelled(span, done, (loop,))

    def _asked_once(
        self, decision: DecisionDef, shapes: list[CodeShape], scope: LowerScope, done: str | None, *, by_chance: bool
    ) -> Statements:
        """Return the codes listed, the question, and what the answers do; where it may be asked again, all leave it."""
        span = decision.span
        size = sum(shape.codes for shape in shapes)
        legal = self._legal(decision, shapes, size, scope)
        codes, code = self.variable("codes", span), self.variable("code", span)
        listing = Assign(span, codes.name, self.listing(legal, span))
        answers = self._answers(decision, shapes, code, scope, done)
        if by_chance:
            asking: Statements = (CallRuntime(span, "roll_item", (codes,), code.name),)
        else:
            asking = (Ask(span, self._site(decision, scope, legal, size), codes, code.name),)
        statements = (listing, *self._if_any(decision, codes, asking + answers, scope, done))
        if decision.optional and not decision.always_asked:
            # Most windows stay shut: what the options ask of the state as a whole is looked at before they are listed.
            statements = branch(span, _guard(legal, span), statements, () if done is None else (Break(span, done),))
        return statements

    def _counters(self, decision: DecisionDef, scope: LowerScope) -> dict[Option, Variable]:
        """Return a variable for each option that asks again, without those that a limit stops before."""
        return {
            option: self.variable("uses", option.span)
            for option in decision.options
            if option.again is not None and not self._is_stopped_before(option, scope)
        }

    def _is_stopped_before(self, option: Option, scope: LowerScope) -> bool:
        """Whether a limit for the whole game, on what only the decider uses, stops an option before `again` does."""
        if option.limit is None or is_offered_by_kind(option) or (option.scope and not option.scope.owner):
            return False
        most = self.holding(option, scope).most
        for period, _, number in option.limit.periods:
            match number, option.again:
                case Const(value=int(often)), Const(value=int(again)) if period == "game" and often * most <= again:
                    return True
        return False

    def _ending_after(self, decision: DecisionDef, option: Option, scope: LowerScope) -> Formula:
        """Return whether an answer is possible that ends the decision after an option and that it cannot take away."""
        endings = [each for each in decision.options if each.address in option.beside]
        lists = (
            self.new_listing(each.address, self.listed(each, self.shape(each, 0), scope), each.span) for each in endings
        )
        possible = (nonzero(call_pure(option.span, "len", self.listing(one, option.span))) for one in lists)
        return operation(option.span, "or", *possible)

    def _possible(self, decision: DecisionDef) -> dict[Option, CodeShape]:
        """Return the options with their shapes, without those over a kind that has no members."""
        found: dict[Option, CodeShape] = {}
        offset = 0
        for option in decision.options:
            shape = self.shape(option, offset)
            if shape.codes:
                found[option] = shape
            offset += shape.codes
        return found

    def _if_any(
        self, decision: DecisionDef, codes: Variable, asked: Statements, scope: LowerScope, done: str | None
    ) -> Statements:
        """Return the question under the condition that there is something to ask."""
        span = decision.span
        leave: Statements = () if done is None else (Break(span, done),)
        length = call_pure(span, "len", codes)
        if decision.optional:
            if decision.always_asked:
                return asked
            return branch(span, operation(span, ">", length, Literal(span, 1)), asked, leave)
        if not decision.says_otherwise:
            stuck = WriteLog(span, (Literal(span, "stuck"), Literal(span, decision.address)))
            otherwise: Statements = (IfLogging(span, (stuck,)),)
        elif decision.inline:
            otherwise = self.steps(decision.otherwise, scope)
        else:
            otherwise = self.body(lambda inner: self.steps(decision.otherwise, inner), scope.names, span)
        return branch(span, nonzero(length), asked, otherwise + leave)

    # Listing.

    def _legal(self, decision: DecisionDef, shapes: list[CodeShape], size: int, scope: LowerScope) -> Function:
        options = list(zip(decision.options, shapes, strict=True))
        body = self.all_listed(options, scope, size if decision.optional else None, decision.span)
        return self.new_listing(decision.address, merge_bag_tests(body), decision.span)

    def listing(self, legal: Function, span: Span) -> Formula:
        """Return the call of a function that lists codes."""
        return CallPure(span, legal.name, tuple(Variable(span, name) for name in legal.parameters), planned=True)

    def _site(self, decision: DecisionDef, scope: LowerScope, legal: Function, size: int) -> int:
        shown = []
        for parameter in decision.parameters:
            meaning = scope.names[parameter.name]
            if not isinstance(meaning, LoweredPlace):
                shown.append((parameter.name, meaning))
        return self.new_site(
            decision.address,
            scope.formula("player"),
            legal,
            tuple(shown),
            size + decision.optional,
            decision.span,
            self._names_around(decision, scope),
        )

    def _names_around(self, decision: DecisionDef, scope: LowerScope) -> Around:
        """Return what decides beside the arguments which answers are legal: names of the body around, and places."""
        types = {name: type_ for option in decision.options for name, type_ in names_deciding(option).items()}
        types |= {uses_of(option): NUMBER for option in decision.options if option.again is not None}
        told = {one.name for one in decision.parameters if not isinstance(scope.names[one.name], LoweredPlace)} | {
            "player"
        }
        names = sorted(name for name in types if name in scope.names and name not in told)
        return tuple((name, *self._in_plain_form(scope.names[name], types[name], decision.span)) for name in names)

    def _in_plain_form(self, meaning: Meaning, type_: Type | None, span: Span) -> tuple[Formula, str | None]:
        """Return a name in plain form, and the field of a place, whose indices and position are told."""
        if isinstance(meaning, LoweredPlace):
            parts = (*meaning.at, meaning.index)
            indices = tuple(Literal(span, None) if one is None else one for one in parts)
            return Op(span, "tuple", indices), meaning.cells.name
        if isinstance(type_, Bag):
            shape = self.bag(type_)
            return call_pure(
                span, "bag_counts", meaning, Literal(span, shape.width), Literal(span, shape.members)
            ), None
        return meaning, None

    def new_site(
        self,
        address: str,
        player: Formula,
        legal: Function,
        shown: tuple[tuple[str, Formula], ...],
        size: int,
        span: Span,
        around: Around = (),
    ) -> int:
        """Return the number of a new place where somebody is asked; numbers start at 1."""
        number = len(self.sites) + 1
        told = [formula for _, formula in shown] + [formula for _, formula, _ in around]
        needed = sorted(set[str]().union(*map(read_by, told)))
        values = Op(span, "tuple", tuple(told))
        shows = Function(f"shown_{number}", span, tuple(needed), (), values)
        self.functions[shows.name] = shows
        site = DecisionPoint(
            number, span, address, player, legal.name, legal.parameters, shown, shows.parameters, size, around
        )
        self.sites.append(site)
        return number

    # Answers.

    def _answers(
        self,
        decision: DecisionDef,
        shapes: list[CodeShape],
        code: Variable,
        scope: LowerScope,
        done: str | None,
    ) -> Statements:
        """Return what each answer does."""
        leave: Statements = () if done is None else (Break(decision.span, done),)
        answers = [
            (shape.offset, shape.codes, self._answer(option, shape, code, scope, leave))
            for option, shape in zip(decision.options, shapes, strict=True)
        ]
        if decision.optional:
            answers.append((sum(shape.codes for shape in shapes), 1, leave))
        return _found_by_code(code, answers, decision.span) if answers else leave

    def _once_more(self, option: Option, leave: Statements, scope: LowerScope) -> Statements:
        """Return what happens after an option: the question again, or on with the game."""
        if option.again is None:
            return leave
        uses = scope.names.get(uses_of(option))
        if not isinstance(uses, Variable):
            return ()
        span = option.span
        close = Assign(span, uses.name, Literal(span, CLOSED))
        count = Assign(span, uses.name, operation(span, "+", uses, Literal(span, 1)))
        return branch(span, operation(span, ">=", uses, self.expression(option.again, scope)), (close,), (count,))

    def _answer(
        self, option: Option, shape: CodeShape, code: Variable, scope: LowerScope, leave: Statements
    ) -> Statements:
        """Return what an option does: its arguments read from the code, its use counted, its steps, what follows."""
        span = option.span
        read, scope = self._fixed(self.supplied(option, scope), [one.name for one in option.given], span)
        divisor = shape.codes
        for parameter, low, size in zip(option.parameters, shape.lows, shape.sizes, strict=True):
            divisor //= size
            variable = self.variable(parameter.name, span)
            read += (Assign(span, variable.name, _digit(code, shape, divisor, size, low, span)),)
            scope = scope.bind(parameter.name, variable)
        holding = self.holding(option, scope)
        if is_nowhere(holding):
            return leave
        if option.scope is not None:
            more, scope = self._fixed(self.held_scope(holding, scope), ["owner"], span)
            read += more
        if option.limit is not None:
            if "owner" in scope.names:
                holding = evolve(holding, owner=scope.formula("owner"))
            read += self.counted(option.limit, holding, scope, span)
        label = self.fresh("option")
        body = self.steps(option.body, LowerScope(scope.names, label, scope.steps))
        if option.limit is None:
            body = drop_known_conditions(body, frozenset(map(form, self.conjuncts(option, holding, scope))))
        if leaves(body, label):
            body = (Labelled(span, label, body),)
        return read + body + self._once_more(option, leave, scope)

    def _fixed(self, scope: LowerScope, names: list[str], span: Span) -> tuple[Statements, LowerScope]:
        """Return statements that keep what some names stand for, and the scope in which they are variables."""
        statements: Statements = ()
        for name in names:
            meaning = scope.names.get(name)
            if meaning is not None and not isinstance(meaning, LoweredPlace) and not self.is_fixed(meaning):
                variable = self.variable(name, span)
                statements += (Assign(span, variable.name, meaning),)
                scope = scope.bind(name, variable)
        return statements, scope

    def new_listing(self, address: str, body: Statements, span: Span) -> Function:
        """Return a new function that lists the codes of a decision."""
        key = self.fresh(f"legal_{_word(address)}")
        self.functions[key] = Function(key, span, tuple(sorted(flow(body)[0])), body, None, lists=True)
        return self.functions[key]


def _found_by_code(code: Variable, answers: Sequence[tuple[int, int, Statements]], span: Span) -> Statements:
    """Return what finds the answer that a code is: each is its first code, how many it has, and what it does.

    Each test leaves about half of the codes, so that answers with many of them are found first.
    """
    if len(answers) == 1:
        return answers[0][2]
    weights = [codes for _, codes, _ in answers]
    half = min(range(1, len(answers)), key=lambda place: abs(sum(weights[:place]) - sum(weights[place:])))
    below = operation(span, "<", code, Literal(span, answers[half][0]))
    lower, upper = _found_by_code(code, answers[:half], span), _found_by_code(code, answers[half:], span)
    return branch(span, below, lower, upper)


def _guard(legal: Function, span: Span) -> Formula:
    """Return what must hold for a list of codes to hold more than the last, as far as that is easily seen."""
    tests: list[Formula] = []
    for statement in legal.body[:-1]:
        if not isinstance(statement, Branch) or statement.otherwise:
            return Literal(span, value=True)
        tests.append(_condition(statement))
    return (
        operation(span, "or", *_weakest(tests)) if isinstance(legal.body[-1], AppendCode) else Literal(span, value=True)
    )


def _condition(statement: Branch) -> Formula:
    """Return what must hold for a branch, and for one of those under it if it only stands before them."""
    inner = [one for one in statement.then if isinstance(one, Branch) and not one.otherwise]
    if len(inner) < len(statement.then):
        return statement.condition
    within = operation(statement.span, "or", *_weakest([one.condition for one in inner]))
    return operation(statement.span, "and", statement.condition, within)


def _weakest(tests: list[Formula]) -> list[Formula]:
    """Return some conditions without those that can only hold where another holds too."""
    kept: dict[frozenset[object], Formula] = {}
    for test in tests:
        parts = test.operands if isinstance(test, Op) and test.operator == "and" else (test,)
        kept.setdefault(frozenset(map(form, parts)), test)
    return [test for own, test in kept.items() if not any(other < own for other in kept)]


def _digit(code: Variable, shape: CodeShape, divisor: int, size: int, low: int, span: Span) -> Formula:
    """Return one argument out of a code."""
    rest = operation(span, "-", code, Literal(span, shape.offset))
    digit = operation(span, "//", rest, Literal(span, divisor))
    if shape.codes > divisor * size:
        digit = operation(span, "%", digit, Literal(span, size))
    return operation(span, "+", digit, Literal(span, low))


def _word(name: str) -> str:
    return "".join(letter if letter.isalnum() and letter.isascii() else "_" for letter in name)
