"""Which body each entry of the log comes from: known where a body is lowered.

An entry that generated code writes begins with a note of it; what the runtime notes is told by a cause before.
Before and after, in code with a log:

    log(("set", "player.cash", (0,), 3, 2))    →    log((LogNote("set", cause), "player.cash", (0,), 3, 2))
    shuffle_list(S, log, ...)                  →    log(cause)
                                                    shuffle_list(S, log, ...)
"""

from __future__ import annotations

from typing import Any

from attrs import evolve

from aodrules.check.checked import EffectScope, Hook
from aodrules.compiler.nodes import (
    Branch,
    CallRuntime,
    ForEach,
    IfLogging,
    Labelled,
    Statement,
    Statements,
    Switch,
    WhileLoop,
    WriteLog,
)
from aodrules.facts.state import Cause

_NOTES_NOTHING = frozenset({"roll_item", "mark_results"})


def caused_by(statements: Statements, cause: Cause) -> Statements:
    """Return the statements of a body; bodies written in place inside it keep causes of their own."""
    return tuple(_with_cause(one, cause) for one in statements)


def _with_cause(statement: Statement, cause: Cause) -> Statement:
    inside: dict[str, Any] = {}
    match statement:
        case WriteLog(cause=None):
            inside = {"cause": cause}
        case CallRuntime(cause=None, planned=False) if statement.function not in _NOTES_NOTHING:
            inside = {"cause": cause}
        case Branch():
            inside = {"then": caused_by(statement.then, cause), "otherwise": caused_by(statement.otherwise, cause)}
        case ForEach() | WhileLoop() | Labelled() | IfLogging():
            inside = {"body": caused_by(statement.body, cause)}
        case Switch():
            inside = {"cases": tuple((number, caused_by(body, cause)) for number, body in statement.cases)}
    return evolve(statement, **inside) if inside else statement


def cause_of_hook(hook: Hook, member: int) -> Cause:
    """Return the body that a member has in a hook."""
    return Cause(hook.name, hook.name.partition(".")[0], member)


def cause_of_effect(address: str, scope: EffectScope | None) -> Cause:
    """Return the body of what a member or all of a kind carry."""
    if scope is None or scope.kind is None:
        return Cause(address)
    return Cause(address, scope.kind, scope.members[0] if len(scope.members) == 1 else None)
