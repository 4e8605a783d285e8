"""Verbs, values and shared options that take a field or a value by name: a plain one for each way they are used.

    verb.spend: {main: {n: number}, given: {pool: field of number}, do: [{take: n, from: pool}]}
    {spend: 2, pool: player.coins}   ->   {"spend:player.coins": 2, "pool:0": player}
                                          verb.spend:player.coins: {do: [{take: n, from: "player.coins" of `pool:0`}]}

So what comes after knows only plain parameters, and ranges, secrets and work are those of each field or value.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from attrs import define, evolve, field

from aodrules.check.checked import CheckedRules, DecisionDef, Option, Parameter, Value, Verb
from aodrules.check.resolve.calls import GIVEN
from aodrules.check.steps import Argument, Call, Choose, FieldTarget, LocalTarget
from aodrules.check.visit import transform
from aodrules.lang.expressions import AfterVerb, Expression, FieldRead, Local, Possible, ValueCall
from aodrules.lang.types import FieldOf, ValueOf

_Part = TypeVar("_Part")
_Filling = dict[str, Expression]
"""By parameter: the field, read at parameters of its own, or the value, called without arguments."""


def fill_in(rules: CheckedRules) -> CheckedRules:
    """Return rules in which no parameter names a field or a value."""
    declared: tuple[Verb | Value | Option, ...] = (
        *rules.verbs.values(), *rules.values.values(), *rules.options.values()
    )  # fmt: skip
    if not any(_is_open(_taken(each)) for each in declared):
        return rules
    return _Filler(rules).filled()


def _taken(of: Verb | Value | Option) -> tuple[Parameter, ...]:
    return of.given if isinstance(of, Option) else of.parameters


def _is_open(parameters: Sequence[Parameter]) -> bool:
    """Whether some parameter names a field or a value."""
    return any(isinstance(each.type, FieldOf | ValueOf) for each in parameters)


@define(eq=False)
class _Filler:
    """Fills in what is used, each thing once for the same fields and values."""

    rules: CheckedRules
    verbs: dict[str, Verb] = field(factory=dict)
    values: dict[str, Value] = field(factory=dict)
    options: dict[str, Option] = field(factory=dict)
    decisions: dict[str, DecisionDef] = field(factory=dict)
    modifiers: dict[str, Any] = field(factory=dict)
    texts: dict[str, dict[str, str]] = field(factory=dict)

    def filled(self) -> CheckedRules:
        """Return the rules with everything filled in that is used."""
        rules = self.rules
        inside = [f"{each.address}." for each in rules.verbs.values() if _is_open(each.parameters)]
        inside += [f"option.{name}." for name, each in rules.options.items() if _is_open(each.given)]
        plain = rules.with_parts(
            verbs={name: each for name, each in rules.verbs.items() if not _is_open(each.parameters)},
            values={name: each for name, each in rules.values.items() if not _is_open(each.parameters)},
            options={name: each for name, each in rules.options.items() if not _is_open(each.given)},
            decisions={
                address: each
                for address, each in rules.decisions.items()
                if not (each.inline and address.startswith(tuple(inside)))
            },
            modifiers={
                name: each for name, each in rules.modifiers.items() if not _is_open(rules.values[name].parameters)
            },
        )
        found = self.put_in(plain, {}, "")
        return found.with_parts(
            verbs={**found.verbs, **self.verbs},
            values={**found.values, **self.values},
            options={**found.options, **self.options},
            decisions={**found.decisions, **self.decisions},
            modifiers={**found.modifiers, **self.modifiers},
            texts={**found.texts, **self.texts},
        )

    def put_in(self, part: _Part, filling: _Filling, key: str) -> _Part:
        """Return a part with what is filled in for its names; `key` tells one filling from another."""
        return transform(part, lambda node: self._changed(node, filling, key))

    def _changed(self, node: Any, filling: _Filling, key: str) -> Any:
        match node:
            case Local(_, span, name) if name in filling:
                return evolve(filling[name], span=span)
            case LocalTarget(span, name) if name in filling and isinstance(read := filling[name], FieldRead):
                return FieldTarget(span, read.field, read.at)
            case ValueCall(_, span, name, arguments) if name.startswith(GIVEN) and name[1:] in filling:
                called = filling[name[1:]]
                assert isinstance(called, ValueCall)
                return ValueCall(called.type, span, called.value, arguments)
            case ValueCall(_, _, name, arguments) if arguments and name in self.rules.values:
                return self._call(node, "value", self.rules.values[name], arguments)
            case Call(_, name, arguments) | AfterVerb(_, _, name, arguments) if name in self.rules.verbs:
                return self._call(node, "verb", self.rules.verbs[name], arguments)
            case Possible(_, _, name, _, arguments) if name in self.rules.options:
                return self._call(node, "option", self.rules.options[name], arguments)
            case Choose(_, address) if key and address in self.rules.decisions and self.rules.decisions[address].inline:
                return evolve(node, decision=self._decision(address, filling, key))
            case Option() if _is_open(node.given) and node.supplied:
                return self._option(node)
        return node

    def _call(self, node: Any, word: str, of: Verb | Value | Option, arguments: Sequence[Argument]) -> Any:
        """Return a call of something that is filled in; one whose fields are not known yet stays as it is."""
        found = _filled(_taken(of), arguments) if _is_open(_taken(of)) else None
        if found is None:
            return node
        parameters, given, filling, key = found
        name = f"{of.id if isinstance(of, Option) else of.name}:{key}"
        make = {"verb": self._verb, "value": self._value, "option": self._shared}[word]
        make(of, name, parameters, filling, key)  # type: ignore[operator]
        return evolve(node, **{word: name}, arguments=given)

    def _verb(self, verb: Verb, name: str, parameters: tuple[Parameter, ...], filling: _Filling, key: str) -> None:
        if name not in self.verbs:
            self.verbs[name] = evolve(verb, name=name, parameters=parameters)
            self.verbs[name] = evolve(self.verbs[name], body=self.put_in(verb.body, filling, key))

    def _value(self, value: Value, name: str, parameters: tuple[Parameter, ...], filling: _Filling, key: str) -> None:
        if name not in self.values:
            self.values[name] = evolve(value, name=name, parameters=parameters)
            formula = self.put_in(value.formula, filling, key)
            self.values[name] = evolve(self.values[name], formula=formula)
            modifiers = self.put_in(self.rules.modifiers.get(value.name, ()), filling, key)
            if modifiers:
                self.modifiers[name] = tuple(evolve(each, value=name) for each in modifiers)

    def _shared(
        self, option: Option, name: str, parameters: tuple[Parameter, ...], filling: _Filling, key: str
    ) -> None:
        if name not in self.options:
            self.options[name] = evolve(option, id=name, given=parameters)
            self.options[name] = self.put_in(self.options[name], filling, key)

    def _option(self, option: Option) -> Option:
        """Return the use of a shared option, filled in with what it supplies."""
        found = _filled(option.given, option.supplied)
        if found is None:
            return option
        parameters, supplied, filling, key = found
        bare = evolve(option, given=(), supplied=())
        return evolve(self.put_in(bare, filling, key), given=parameters, supplied=supplied)

    def _decision(self, address: str, filling: _Filling, key: str) -> str:
        """Return the address of an inline decision in something that is filled in: one of its own for each filling."""
        new = f"{address}:{key.replace('.', '-')}"
        if new not in self.decisions:
            decision = self.rules.decisions[address]
            self.decisions[new] = decision
            filled = self.put_in(decision, filling, key)
            options = tuple(evolve(each, address=each.address.replace(address, new, 1)) for each in filled.options)
            self.decisions[new] = evolve(filled, address=new, options=options)
            for one, words in self.rules.texts.items():
                if one == address or one.startswith(f"{address}."):
                    self.texts[one.replace(address, new, 1)] = words
        return new


def _filled(
    parameters: Sequence[Parameter], arguments: Sequence[Argument]
) -> tuple[tuple[Parameter, ...], tuple[Any, ...], _Filling, str] | None:
    """Return plain parameters and arguments, what the others stand for, and a word for it; nothing if it is open."""
    taken: list[Parameter] = []
    given: list[Argument] = []
    filling: _Filling = {}
    for parameter, argument in zip(parameters, arguments, strict=True):
        if not isinstance(parameter.type, FieldOf | ValueOf):
            taken.append(parameter)
            given.append(argument)
        elif isinstance(argument, FieldRead):
            indices = [
                evolve(parameter, name=f"{parameter.name}:{n}", type=at.type) for n, at in enumerate(argument.at)
            ]
            at = tuple(Local(each.type, each.span, each.name) for each in indices)
            filling[parameter.name] = evolve(argument, at=at)
            taken += indices
            given += argument.at
        elif isinstance(argument, ValueCall):
            filling[parameter.name] = argument
        else:
            return None
    words = (each.field if isinstance(each, FieldRead) else getattr(each, "value", "") for each in filling.values())
    return tuple(taken), tuple(given), filling, "+".join(words)
