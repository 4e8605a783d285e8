"""Signatures: what values, verbs, decisions, options and events take, read before any of their bodies."""

from __future__ import annotations

from aodrules.check import problems
from aodrules.check.checked import EventDef, Verb
from aodrules.check.context import Context, Signature
from aodrules.check.resolve.bodies import BodyChecker, changed_names
from aodrules.check.resolve.parameters import parameter_names, read_parameters
from aodrules.check.resolve.scope import Scope
from aodrules.lang.builtins.table import BUILTINS
from aodrules.lang.parsing import is_usable_name
from aodrules.syntax.tree import Entry, Mapping


def declare_signatures(context: Context) -> None:
    """Read the parameters of everything that is called by name."""
    for kind, table in (
        ("value", context.values),
        ("decision", context.decisions),
        ("option", context.options),
        ("verb", context.verbs),
    ):
        for entry in context.section(kind):
            table[entry.name] = _signature(context, kind, entry)
    for entry in context.section("event"):
        body = entry.value if isinstance(entry.value, Mapping) else Mapping(entry.value.span)
        context.events[entry.name] = EventDef(entry.name, read_parameters(context, body.get("given")), entry.key.span)


def _signature(context: Context, kind: str, entry: Entry) -> Signature:
    body = entry.value if isinstance(entry.value, Mapping) else Mapping(entry.value.span)
    if kind == "value" and (entry.name in BUILTINS or not is_usable_name(entry.name)):
        context.add(problems.reserved_name(entry.name, entry.key.span))
    main = read_parameters(context, body.get("main"), main=True) if kind == "verb" else ()
    if len(main) > 1:
        context.add(problems.wrong_declaration("a verb has one main argument", entry.key.span))
    given = read_parameters(context, body.get("given"))
    return Signature(entry.name, (*main[:1], *given), entry.key.span, entry.value)


def check_verb_names(reader: BodyChecker) -> None:
    """Report verbs and parameters that bear the name of a kernel verb."""
    for verb in reader.context.verbs.values():
        if verb.name in reader.kernel:
            reader.context.add(problems.reserved_name(verb.name, verb.span))
        for parameter in verb.parameters:
            if parameter.name in reader.kernel:
                reader.context.add(problems.reserved_name(parameter.name, parameter.span))


def read_verbs(reader: BodyChecker) -> dict[str, Verb]:
    """Return all verbs with their bodies."""
    found = {}
    for name, signature in reader.context.verbs.items():
        names = Scope(f"verb.{name}", parameter_names(signature.parameters), changed=changed_names(signature.body))
        body = signature.body.get("do") if isinstance(signature.body, Mapping) else None
        found[name] = Verb(name, signature.parameters, reader.body(body, names), signature.span)
    return found
