"""From a composed ruleset to checked rules: declarations in order, then bodies, then what must hold of the whole."""

from __future__ import annotations

from attrs import evolve

from aodrules.check.analyse.analyses import analyse
from aodrules.check.checked import CheckedRules, DecisionDef, Hook, Modifier, Option, Value
from aodrules.check.context import Context
from aodrules.check.resolve.bodies import STEPS, check_verb_names, read_verbs
from aodrules.check.resolve.choices import declare_choices, read_choose_pieces
from aodrules.check.resolve.decisions import read_choose, read_decisions, read_shared_options
from aodrules.check.resolve.draws import read_any_draw
from aodrules.check.resolve.effects import Effects, read_effects
from aodrules.check.resolve.fields import (
    collect_limits,
    read_defaults,
    read_fields,
    read_settings,
    read_starts,
    resolve_periods,
)
from aodrules.check.resolve.filling_in import fill_in
from aodrules.check.resolve.game_section import declare_points, read_game_section, total_formula
from aodrules.check.resolve.kinds import (
    check_members,
    read_attributes,
    read_graphs,
    read_grids,
    read_hooks,
    read_kinds,
    read_piece_counts,
    read_pieces,
    read_sets,
)
from aodrules.check.resolve.layouts import read_layout
from aodrules.check.resolve.parameters import declare_signatures
from aodrules.check.resolve.rows import add_resets, read_any_move, read_slide
from aodrules.check.resolve.texts import check_texts, read_texts
from aodrules.check.resolve.values import dispatch_to_members, read_value, read_values
from aodrules.compose.ruleset import Ruleset
from aodrules.source.diagnostics import Report


def check(ruleset: Ruleset, report: Report) -> CheckedRules:
    """Return the checked rules of a ruleset. They may be played only if the report has no errors."""
    found = analyse(fill_in(_elaborated(declared(ruleset, report))), ruleset, report)
    report.gather_repeats()
    return found


def declared(ruleset: Ruleset, report: Report) -> Context:
    """Return what is known of a ruleset before any body is read: enough to read expressions over it."""
    kernel = {**STEPS, "choose": read_choose, "choose_pieces": read_choose_pieces, "draw": read_any_draw}
    kernel |= {"move": read_any_move, "slide": read_slide}
    context = Context(ruleset, report, read_value=read_value, kernel=kernel)
    # Everything that has a name comes first, so that bodies may use it whatever the order of documents.
    read_grids(context)
    read_kinds(context)
    read_pieces(context)
    read_graphs(context)
    read_sets(context)
    read_attributes(context)
    read_fields(context)
    read_settings(context)
    read_piece_counts(context)
    declare_choices(context)
    read_hooks(context)
    declare_signatures(context)
    declare_points(context)
    read_starts(context)
    read_defaults(context)
    check_members(context)
    collect_limits(context)
    return context


def _elaborated(context: Context) -> CheckedRules:
    check_verb_names(context)
    read_values(context)
    read_shared_options(context)
    decisions = read_decisions(context)
    effects = read_effects(context)
    add_resets(context, effects)
    verbs = read_verbs(context)
    resolve_periods(context)
    values = _values(context, effects)
    decisions = _with_offers({**decisions, **context.inline}, effects)
    check_texts(context, decisions, values, parameters=not context.report.has_errors)
    return CheckedRules(
        context.ruleset.fingerprint,
        read_game_section(context),
        context.kinds,
        context.attributes,
        context.fields,
        values,
        {**verbs, **context.costs},
        _hooks(context, effects),
        context.events,
        decisions,
        context.shared,
        context.sets,
        context.graphs,
        {value: _in_order(context, found) for value, found in effects.modifiers.items()},
        {event: tuple(sorted(found, key=lambda each: each.address)) for event, found in effects.reactions.items()},
        {
            # What goes with a piece starts anew after all that may read it.
            field: tuple(sorted(found, key=lambda each: (each.address.startswith("state."), each.address)))
            for field, found in effects.enter_leave_effects.items()
        },
        read_texts(context),
        layout=read_layout(context),
    )


def _values(context: Context, effects: Effects) -> dict[str, Value]:
    found = {}
    for hook in context.hooks.values():
        if hook.form == "formula":
            values = dispatch_to_members(context, hook, effects.formulas.get(hook.name, {}))
            found.update({each.name: each for each in values})
    for name, signature in context.values.items():
        type_ = context.value_type(name)
        formula = total_formula(context) if name == "total" else context.formulas[name]
        kept = signature.mapping.flag("kept")
        found[name] = Value(name, signature.parameters, type_, formula, signature.span, kept)
    return found


def _hooks(context: Context, effects: Effects) -> dict[str, Hook]:
    return {
        name: Hook(name, shape.parameters, dict(sorted(effects.hooks.get(name, {}).items())), shape.span)
        for name, shape in context.hooks.items()
        if shape.form == "steps"
    }


def _with_offers(decisions: dict[str, DecisionDef], effects: Effects) -> dict[str, DecisionDef]:
    found = {}
    for address in sorted(decisions):
        options: list[Option] = [*decisions[address].options, *effects.offers.get(address, ())]
        ordered = tuple(sorted(options, key=lambda option: option.address))
        found[address] = evolve(decisions[address], options=ordered)
    return found


def _in_order(context: Context, modifiers: list[Modifier]) -> tuple[Modifier, ...]:
    """Sort modifiers by layer and address; documents that come `after` others after them."""
    documents = [each.source if each.head is not None else None for each in context.ruleset.documents]

    def rank(modifier: Modifier) -> tuple[int, str]:
        source = modifier.span.source
        return (documents.index(source) if source in documents else -1), modifier.address

    return tuple(sorted(modifiers, key=rank))
