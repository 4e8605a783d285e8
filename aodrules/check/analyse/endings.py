"""A decision that must be answered ends with an answer: those that ask it again leave one that does not."""

from __future__ import annotations

from attrs import evolve

from aodrules.check import analysis_problems
from aodrules.check.analyse.calls import Caller, CallGraph
from aodrules.check.analyse.interval_analysis import Ranges
from aodrules.check.analyse.relied_on import ReliedOn
from aodrules.check.analyse.writes import EVERYTHING, Change, WriteAnalysis
from aodrules.check.checked import CheckedRules, DecisionDef, Option
from aodrules.source.diagnostics import Report


def keep_endings(rules: CheckedRules, graph: CallGraph, ranges: Ranges, report: Report) -> CheckedRules:
    """Return the rules in which each answer that asks again knows beside which others it may be given.

    Report decisions that could be left without an answer that ends them.
    """
    written = WriteAnalysis(rules, graph, ranges)
    found = dict(rules.decisions)
    for address, decision in rules.decisions.items():
        if not decision.optional and not decision.says_otherwise and any(map(_asks_again, decision.options)):
            relied = ReliedOn(rules, graph, ranges, Caller("decision", address))
            found[address] = _with_endings(decision, relied, written, report)
    return rules.with_parts(decisions=found)


def _with_endings(decision: DecisionDef, relied: ReliedOn, written: WriteAnalysis, report: Report) -> DecisionDef:
    endings = {each: _shared(decision, relied.by_option(each)) for each in decision.options if not _asks_again(each)}
    if not endings:
        report.add(analysis_problems.decision_without_end(decision.id, decision.span))
        return decision
    options = []
    for option in decision.options:
        changed = written.by_option(decision.address, option) if _asks_again(option) else frozenset()
        taken = {each: harm for each, needed in endings.items() if (harm := _harm(changed, needed))}
        kept = [each for each in endings if each not in taken]
        if not kept:
            ending, harm = next(iter(taken.items()))
            about = analysis_problems.Harm(option.id, harm, ending.id, ending.span)
            report.add(analysis_problems.decision_without_end(decision.id, option.span, about))
        is_always_left = any(_is_always_possible(each) for each in kept)
        beside = () if not taken or is_always_left else tuple(each.address for each in kept)
        options.append(evolve(option, beside=beside))
    return evolve(decision, options=tuple(options))


def _asks_again(option: Option) -> bool:
    return option.again is not None


def _is_always_possible(option: Option) -> bool:
    return not option.parameters and not option.conditions and option.limit is None and option.scope is None


def _shared(decision: DecisionDef, needed: frozenset[Change]) -> frozenset[Change]:
    """Return what is needed without names, unless the answers share those of the body around them."""
    return needed if decision.inline else frozenset(change for change in needed if change[1] != "name")


def _harm(changed: frozenset[Change], needed: frozenset[Change]) -> str:
    """Return the name of what is changed although it is needed; empty if there is none."""
    if EVERYTHING in changed and needed:
        return "players"
    return min((name for name, _ in changed & needed), default="")
