"""Constructs of the language are whole: a page that runs, wrong uses that are told, games, mutants, editors, `explain`.

Every step and key is looked for in the reference by itself; what was added later is held to all of it.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from attrs import frozen

import aodrules
from aodrules.check.visit import STEPS as STEP_CLASSES
from aodrules.play.explanations import explain_address
from aodrules.testing.mutants import mutants_of, sites_of
from tests.docs.blocks import DOCS, ROOT, Block, blocks_of
from tests.games.constructs import used_in
from tests.games.test_coverage_of_language import language
from tests.playing import GAMES

RUN = ("from ", "added to ", "whole game", "wrong in ")
CONTENTS = {
    **{name: (GAMES / name,) for name in ("harbour", "caravan", "isles")},
    **{name: (ROOT / "content" / name, ROOT / "variants" / name) for name in ("aod", "ages", "tempus")},
}


@frozen
class Construct:
    """A construct: how it looks, where a small game has it, and what changes it when rules are mutated."""

    looks: str
    rules: str
    address: str
    mutant: str
    """A part of what a mutant of it says; or why there is none."""


NONE = "none: "
CONSTRUCTS = {
    "up to": Construct(
        r"(?:bag|set) of \w+ up to \d",
        "caravan",
        "state.player.permits",
        "none: how much fits into a field is a fact of its components, and those are not changed",
    ),
    "kept": Construct(r"kept: true", "isles", "value.held", "none: it changes nothing that can be seen"),
    "uses_up": Construct(
        r"uses_up:", "harbour", "verb.placement", "verb.placement step `while: - while: any(size(p.lodging)"
    ),
    "formula of a member": Construct(
        r"hooks:[\s\S]{0,300}?is: (?:flag|number)(?! ?-?\d)",
        "isles",
        "kinds.terrain",
        "kinds.terrain.hooks.cover number `0` -> `1`",
    ),
    "list written out": Construct(
        r"(?:set|min|max)\(\[", "isles+one-crown", "value.wealth", "-> `without player.shells`"
    ),
    "places": Construct(r"places\(", "harbour+full-stores", "verb.evening", "operator `places` -> `from the least`"),
    "open": Construct(r"open: true", "caravan", "decision.trade", "none: rules without it do not load"),
    "reveal as": Construct(
        r"reveal: [^\n]*\bas: ", "caravan", "verb.travel", "none: without it the name could not be used at all"
    ),
    "end": Construct(r"\bend: \w+|game\.end: \w+", "isles+one-crown", "game", "step `end: count_relics` -> `nothing`"),
    "together": Construct(
        r"together: \w+", "isles+one-crown", "game", "condition `treasure >= 6 * len(seats)` -> `true`"
    ),
    "choose_pieces": Construct(
        r"choose_pieces:", "caravan+cards-put-back", "verb.travel", "step `choose_pieces: put_back` -> `nothing`"
    ),
    "among": Construct(r"among:", "harbour+spring-tide", "verb.work_the_quays", "step `draw: 1` -> `nothing`"),
    "first": Construct(r"first: \[\{", "isles+far-villages", "decision.act", "found_afar.first step `call: first"),
    "then_where": Construct(
        r"then_where:", "harbour+thrifty-builders", "option.build", "condition `player.silver >= wages()` -> `true`"
    ),
    "field of": Construct(r"field of \w+", "caravan+levellers", "verb.level", "verb.level verb `take` -> `add`"),
    "value of": Construct(r"value of \w+ per ", "harbour+guild-chests", "value.leads", "value.leads operator"),
    "secret index": Construct(
        r"number 0\.\.\d per \w+, secret: owner",
        "caravan+secret-ledgers",
        "decision.hope",
        "none: it is an index as any other",
    ),
    "owns": Construct(
        r"owns: \{",
        "isles+first-peoples",
        "kinds.people",
        "none: how many pieces a side has is a fact of its components, and those are not changed",
    ),
    "owner": Construct(
        r"state\.owner|^ *owner: *\{", "harbour+foreign-crew", "verb.work_the_quays", "`whose is player` -> `true`"
    ),
    "slide": Construct(r"slide:", "caravan+street-stalls", "decision.trade", "step `slide: stall.card}` -> `nothing`"),
    "goes_with": Construct(
        r"goes_with:", "harbour+old-plans", "state.desk.coins", "state.desk.coins step `setto: coins:"
    ),
    "for_players": Construct(
        r"for_players:",
        "isles+first-peoples",
        "people.divers",
        "none: who takes part is a fact of components, and those are not changed",
    ),
    "when_taken": Construct(
        r"owned: when_taken",
        "isles+great-houses",
        "kinds.great_hut",
        "none: whose pieces are is a fact of components, and those are not changed",
    ),
    "default body": Construct(
        r"hooks:[\s\S]{0,400}?\{(?:given: [^}]*\}, )?do: \[",
        "harbour",
        "kinds.quay",
        "quay.clear step `call: clear: {do: [{go_home: self.row}]}",
    ),
    "columns": Construct(
        r"^ +columns: ", "caravan", "ware.dates", "none: it is only another way to write members down"
    ),
    "else of a set": Construct(
        r"\{(?!is:)\w+: [^{}]*\)\"?, else: [a-z]",
        "isles",
        "decision.lay_tile",
        "none: it says why something is left out, and leaves nothing out",
    ),
    "collection as a parameter": Construct(
        r"given: \{\w+: (?:list|set) of \w+ up to \d",
        "isles+first-peoples",
        "value.welcome",
        "value.welcome comparison `< in len(guests) < 3` -> `<=`",
    ),
    "won": Construct(r"won\(", "harbour", "property", "none: what rules are tested by is not changed"),
    "share": Construct(r"share\(", "harbour", "property", "none: what rules are tested by is not changed"),
    "regions": Construct(
        r"regions\(", "isles+scattered-realms", "value.realm", "value.realm comparison `> in size(r) > 1`"
    ),
    "beginning at the start": Construct(
        r"at: star",
        "isles+first-peoples",
        "scenario.first-peoples.are-not-there-before-the-land",
        "none: what rules are tested by is not changed",
    ),
    "until a question": Construct(
        r"until: quest",
        "isles+one-crown",
        "scenario.crown.what-is-worth-most-counts",
        "none: what rules are tested by is not changed",
    ),
    "several answers": Construct(
        r"after: \[\w+\.",
        "harbour",
        "property.who-looks-into-crates-builds-nothing",
        "none: what rules are tested by is not changed",
    ),
    "move of a step": Construct(
        r"^move:\n", "harbour", "verb", "none: it changes where steps stand, and steps have mutants of their own"
    ),
    "except": Construct(
        r"except:\s",
        "harbour+dear-timber",
        "property.nobody-pays-more-than-a-house-costs",
        "none: what rules are tested by is not changed",
    ),
    "position": Construct(
        r"^position:\n", "harbour", "position.at-the-yard", "none: what rules are tested by is not changed"
    ),
}
WITHOUT_MUTANT = {
    "Let": "what follows could not be read without the name; its formula has mutants",
    "Roll": "what follows could not be read without the name",
}
"""Steps that are never left out, each with its reason."""


@cache
def run_blocks() -> tuple[Block, ...]:
    """The blocks of the reference that tests run."""
    pages = sorted((DOCS / "reference" / "language").glob("*.md"))
    found = (block for page in pages for block in blocks_of(page))
    return tuple(block for block in found if block.language == "yaml" and block.mark.startswith(RUN))


@cache
def shown_in_reference() -> frozenset[str]:
    documents = [yaml.load(block.text, Loader=yaml.BaseLoader) for block in run_blocks()]
    return frozenset(construct for document in documents for construct in used_in(document))


@cache
def rules_of(word: str) -> aodrules.Rules:
    base, *variants = word.split("+")
    return aodrules.load(GAMES / base, variants, cache=False)


def has(looks: str, *folders: Path) -> bool:
    texts = (path.read_text(encoding="utf-8") for folder in folders for path in folder.rglob("*.yaml"))
    return any(re.search(looks, text, re.MULTILINE) for text in texts)


@pytest.mark.parametrize("chapter", [title for title in language() if title != "Builtins"])
def test_every_construct_has_an_example_in_the_reference_that_is_run(chapter: str) -> None:
    # Builtins have theirs in the table that is made from their entries.
    assert [each for each in language()[chapter] if each not in shown_in_reference()] == []


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_a_construct_is_shown_told_and_used(name: str) -> None:
    looks = CONSTRUCTS[name].looks
    assert any(re.search(looks, block.text, re.MULTILINE) for block in run_blocks())
    assert has(looks, ROOT / "tests" / "diagnostics"), "no wrong use of it is told"
    assert len([game for game, folders in CONTENTS.items() if has(looks, *folders)]) > 1


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_a_construct_has_a_mutant_or_a_reason_why_not(name: str) -> None:
    one = CONSTRUCTS[name]
    if one.mutant.startswith(NONE):
        assert one.mutant.removeprefix(NONE)
        return
    assert [each.id for each in mutants_of(rules_of(one.rules).book.checked) if one.mutant in each.id]


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_explain_shows_a_construct(name: str) -> None:
    one = CONSTRUCTS[name]
    text = explain_address(rules_of(one.rules).book, one.address, 2)
    assert text is not None
    key = re.search(r"[a-z_]+(?=[:(])", one.looks)
    words = {"up to": "up to 4", "end": "end: count_relics", "list written out": "max([player.shells"}
    words |= {"columns": "copies: 7", "else of a set": "else: text.laid", "collection as a parameter": "up to 5"}
    words |= {"formula of a member": "is: number", "reveal as": "as: sworn", "position": "from: two-play"}
    assert words.get(name, "" if key is None else key[0]) in text


@pytest.mark.parametrize(
    "key",
    [
        "kept",
        "uses_up",
        "open",
        "end",
        "together",
        "choose_pieces",
        "among",
        "position",
        "from",
        "first",
        "then_where",
        "except",
        "slide",
        "goes_with",
        "for_players",
        "owned",
        "owns",
        "columns",
        "move",
        "until",
        "holds",
    ],
)
def test_editors_know_a_key(key: str) -> None:
    assert f'"{key}": {{' in json.dumps(rules_of("harbour").schema())


def test_every_step_can_be_left_out_or_there_is_a_reason_why_not() -> None:
    changed = set()
    for word in ("harbour", "caravan", "isles", "nim.yaml"):
        checked = rules_of(word).book.checked
        gone = {each.span.sort_key for each in mutants_of(checked) if each.kind == "step"}
        changed |= {type(site.node).__name__ for site in sites_of(checked) if _place(site.node) in gone}
    assert sorted({each.__name__ for each in STEP_CLASSES} - changed) == sorted(WITHOUT_MUTANT)


def _place(node: Any) -> object:
    return node.span.sort_key if type(node) in STEP_CLASSES else None
