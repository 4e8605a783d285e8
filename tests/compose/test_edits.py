"""Each edit on its own: what it makes of the tree, and what is said when it cannot be done."""

from __future__ import annotations

import pytest

from aodrules.syntax.tree import Plain
from tests.check.over_small_game import codes
from tests.compose.texts import composed, correct

GAME = """
kinds:
  tile:
    plural: tiles
    attributes: {age: number, free: flag = false, colour: shade}
    hooks: {own: {effects: true}, built: {}}
tile:
  mill: {age: 1, colour: red, built: [{step: pay, do: [{gain: 1}]}], own: {grind: {modify: worth, add: 1}}}
  farm: {age: 2, colour: blue, free: true}
  barn: {age: 2, colour: blue}
graph: {borders: {of: tile, links: [[mill, farm]]}}
state:
  table: {turn: number 1..8 = 1}
  player: {cash: number 0..99 = 5}
verb:
  refresh:
    do:
      - if: turn < 8
        then:
          - {step: goods, do: [{gain: 1}]}
          - {step: ship, do: [{gain: 2}]}
      - tidy
  tidy: {do: []}
decision:
  land: {options: {leave: {do: [{gain: 3}]}, stay: {where: [ready]}}}
"""


def edited(text: str) -> str:
    return "variant: trial\n" + text


def inserted(where: str, step: str) -> str:
    return edited(f"insert: [{{{where}, do: [{step}]}}]")


def test_added_declarations_stand_beside_the_old_ones() -> None:
    made = correct(GAME, edited("add: {tile: {mine: {age: 3, colour: red}}, state: {player: {mood: flag}}}"))
    assert made.plain("tile", "mine") == {"age": 3, "colour": "red"}
    assert made.plain("state", "player") == {"cash": {"is": "number 0..99", "start": 5}, "mood": {"is": "flag"}}


def test_dotted_and_nested_keys_mean_the_same() -> None:
    nested = correct(GAME, edited("add: {tile: {mill: {own: {shine: {modify: worth, add: 2}}}}}"))
    dotted = correct(GAME, edited("add: {tile.mill.own.shine: {modify: worth, add: 2}}"))
    mixed = correct(GAME, edited("add: {tile: {mill.own: {shine.modify: worth, shine.add: 2}}}"))
    assert nested.rules.fingerprint == dotted.rules.fingerprint
    assert mixed.codes == []


def test_what_is_added_takes_the_long_form() -> None:
    made = correct(GAME, edited("add: {state.table.phase: number 1..3 = 2, kinds.tile.attributes.rare: flag = true}"))
    assert made.plain("state", "table", "phase") == {"is": "number 1..3", "start": 2}
    assert made.plain("kinds", "tile", "attributes", "rare") == {"is": "flag", "default": True}


def test_lists_of_links_take_more_items() -> None:
    made = correct(GAME, edited("add: {graph.borders.links: [[farm, barn]]}"))
    assert made.plain("graph", "borders", "links") == [["mill", "farm"], ["farm", "barn"]]


def test_a_text_whose_id_begins_like_another_stands_beside_it() -> None:
    made = correct(GAME + "text: {verb.refresh: {en: Refresh}}", edited("text: {verb.refresh.goods: {en: New goods}}"))
    assert made.plain("text") == {"verb.refresh": {"en": "Refresh"}, "verb.refresh.goods": {"en": "New goods"}}


def test_another_language_goes_into_a_text() -> None:
    made = correct(GAME + "text: {verb.refresh: {en: Refresh}}", edited("add: {text.verb.refresh.pl: Tura}"))
    assert made.plain("text") == {"verb.refresh": {"en": "Refresh", "pl": "Tura"}}


def test_a_change_gives_a_new_body() -> None:
    made = correct(
        GAME, edited("change: {state.table.turn: number 1..9, tile.mill.age: 4, verb.refresh.goods: [tidy]}")
    )
    assert made.plain("state", "table", "turn") == {"is": "number 1..9"}
    assert made.plain("tile", "mill", "age") == 4
    assert "{'step': 'goods', 'do': ['tidy']}" in str(made.plain("verb", "refresh"))


def test_a_changed_bare_verb_keeps_its_name() -> None:
    made = correct(GAME, edited("change: {verb.refresh.tidy: [{gain: 9}]}"))
    assert "{'step': 'tidy', 'do': [{'gain': 9}]}" in str(made.plain("verb", "refresh"))


def test_a_change_may_be_nested_down_to_a_declaration() -> None:
    made = correct(GAME, edited("change: {state: {player: {cash: number 0..9}}, tile: {barn: {age: 7, colour: red}}}"))
    assert made.plain("state", "player", "cash") == {"is": "number 0..9"}
    assert made.plain("tile", "barn") == {"age": 7, "colour": "red"}


def test_removed_nodes_are_gone() -> None:
    made = correct(GAME, edited("remove: [tile.mill.own.grind, tile.farm, verb.refresh.ship, verb.refresh.tidy]"))
    assert made.plain("tile", "mill", "own") == {}
    assert made.plain("tile", "farm") is None
    assert made.plain("verb", "refresh", "do") == [
        {"if": "turn < 8", "then": [{"step": "goods", "do": [{"gain": 1}]}]},
    ]


@pytest.mark.parametrize(
    "condition,left",
    [
        ("age == 2", ["mill"]),
        ("age > 1 and not free", ["mill", "farm"]),
        ("tile.age < 2 or free", ["barn"]),
        ("colour == red", ["farm", "barn"]),
        ("colour != red", ["mill"]),
        ("red == colour", ["farm", "barn"]),
        ("'age in [1, 3]'", ["farm", "barn"]),
        ("'age not in [1, 3]'", ["mill"]),
        ("free == false", ["farm"]),
    ],
)
def test_members_are_removed_by_a_condition(condition: str, left: list[str]) -> None:
    made = correct(GAME, edited(f"remove:\n  tile: {condition}"))
    tiles = made.plain("tile")
    assert isinstance(tiles, dict)
    assert list(tiles) == left


def test_rows_of_a_family_are_removed_by_a_condition() -> None:
    family = "tile: {hut: {age: 1, colour: red, each: {a: {age: 3}, b: {colour: blue}}}}"
    made = correct(
        GAME.replace("tile:\n  mill", "tile:\n  " + family[7:-1] + "\n  mill"), edited("remove: {tile: age == 3}")
    )
    assert made.plain("tile", "hut", "each") == {"b": {"colour": "blue"}}


NARROWER = """
kinds:
  tile:  {plural: tiles, attributes: {age: number, free: flag = false}}
  tower: {plural: towers, is_a: tile, attributes: {tall: number = 2}}
tile:
  mill: {age: 1}
  farm: {age: 2}
tower:
  keep: {age: 2}
  late:
    age: 2
    each: {l1: {tall: 5}, l2: {tall: 6, age: 1}}
"""


def left_after(removal: str) -> list[str]:
    made = correct(NARROWER, edited(f"remove: {removal}"))
    kept = [made.plain("tile"), made.plain("tower"), made.plain("tower", "late", "each")]
    return [name for each in kept if isinstance(each, dict) for name in each if name != "late"]


@pytest.mark.parametrize(
    "removal, left",
    [
        ("{tower: age == 2}", ["mill", "farm", "l2"]),
        ("{tower: tile.age == 2 and tower.tall < 5}", ["mill", "farm", "l1", "l2"]),
        ("{tower: not free}", ["mill", "farm"]),
        ("{tile: age == 2}", ["mill", "l2"]),
        ("{tile: tile.age == 1}", ["farm", "keep", "l1"]),
    ],
)
def test_a_condition_sees_attributes_and_members_along_narrower_kinds(removal: str, left: list[str]) -> None:
    assert left_after(removal) == left


def test_a_condition_sees_no_attributes_that_only_some_members_have() -> None:
    assert composed(NARROWER, edited("remove: {tile: tall > 5}")).codes == ["undecidable-condition"]


@pytest.mark.parametrize("removal", ["{tower: tall > 4}", "[tower.late.each.l1, tower.late.each.l2]", "[tower.late]"])
def test_nothing_is_left_of_rows_that_are_all_removed(removal: str) -> None:
    made = correct(NARROWER, edited(f"remove: {removal}"))
    assert made.plain("tower") == {"keep": {"age": 2}}


def test_a_later_layer_may_add_rows_where_all_were_removed() -> None:
    second = "variant: second\nafter: [trial]\nadd: {tower.late.each: {l9: {tall: 9}}}"
    made = correct(NARROWER, edited("remove: {tower: tall > 4}"), second)
    assert made.plain("tower", "late") == {"age": 2, "each": {"l9": {"tall": 9}}}


@pytest.mark.parametrize(
    "removal, left",
    [
        ("[tile.mill, {tower: tall > 5}]", ["farm", "keep", "l1"]),
        ("[{tower: tall > 5}, tile.mill]", ["farm", "keep", "l1"]),
        ("[{tower: tall > 5}, {tile: age == 1}]", ["farm", "keep", "l1"]),
        ("[{tower: age == 2}, tower.keep]", ["mill", "farm", "l2"]),
        ("[tower.late, {tower: tall > 2}]", ["mill", "farm", "keep"]),
    ],
)
def test_addresses_and_conditions_stand_in_one_list(removal: str, left: list[str]) -> None:
    assert left_after(removal) == left


@pytest.mark.parametrize(
    "condition", ["size(age) == 2", "age == len(players)", "hue == red", "colour < red", "age", "a b"]
)
def test_a_condition_that_cannot_be_decided_is_refused(condition: str) -> None:
    assert composed(GAME, edited(f"remove:\n  tile: {condition}")).codes == ["undecidable-condition"]


@pytest.mark.parametrize(
    "where,expected",
    [
        ("before: verb.refresh.ship", ["goods", "new", "ship"]),
        ("after: verb.refresh.goods", ["goods", "new", "ship"]),
        ("after: verb.refresh.ship", ["goods", "ship", "new"]),
    ],
)
def test_steps_go_beside_a_named_step(where: str, expected: list[str]) -> None:
    made = correct(GAME, inserted(where, "{step: new, do: []}"))
    steps = made.plain("verb", "refresh", "do")
    assert isinstance(steps, list)
    assert [step["step"] for step in steps[0]["then"]] == expected  # type: ignore[index,call-overload,union-attr]


@pytest.mark.parametrize(
    "where,expected",
    [
        ("first: verb.refresh.goods", "[{'gain': 9}, {'gain': 1}]"),
        ("last: verb.refresh", "'tidy', {'gain': 9}]"),
        ("first: tile.mill.built", "[{'gain': 9}, {'step': 'pay'"),
        ("last: tile.mill.built.pay.do", "[{'gain': 1}, {'gain': 9}]"),
        ("first: decision.land.options.leave", "[{'gain': 9}, {'gain': 3}]"),
        ("first: decision.land.options.stay", "'do': [{'gain': 9}]"),
    ],
)
def test_steps_go_first_or_last(where: str, expected: str) -> None:
    made = correct(GAME, inserted(where, "{gain: 9}"))
    assert expected in str(made.rules.root.plain())


@pytest.mark.parametrize("key", ["effects", "add: {tile.mill.own"])
def test_several_answers_are_added_one_by_one(key: str) -> None:
    group = "{sit: {offer: land, options: {here: {do: []}, there: {do: []}}}}"
    made = correct(GAME, edited(f"{key}: {group}{'}' if 'add' in key else ''}"))
    there = made.plain("effects", "trial") if key == "effects" else made.plain("tile", "mill", "own")
    assert isinstance(there, dict)
    assert [name for name in there if name != "grind"] == ["here", "there"]


def moved(step: str, where: str) -> str:
    return edited(f"move: [{{step: {step}, {where}}}]")


def names(step: Plain) -> Plain:
    """Return the name of a step, or the names of those in it."""
    if not isinstance(step, dict):
        return step
    inner = step.get("then")
    return [names(each) for each in inner] if isinstance(inner, list) else step["step"]


@pytest.mark.parametrize(
    "step,where,expected",
    [
        ("goods", "after: verb.refresh.ship", [["ship", "goods"], "tidy"]),
        ("ship", "before: verb.refresh.goods", [["ship", "goods"], "tidy"]),
        ("ship", "first: verb.refresh", ["ship", ["goods"], "tidy"]),
        ("goods", "last: verb.refresh", [["ship"], "tidy", "goods"]),
        ("tidy", "before: verb.refresh.ship", [["goods", "tidy", "ship"]]),
        ("goods", "after: verb.refresh.tidy", [["ship"], "tidy", "goods"]),
    ],
)
def test_a_step_goes_where_it_is_moved(step: str, where: str, expected: list[Plain]) -> None:
    made = correct(GAME, moved(f"verb.refresh.{step}", where))
    steps = made.plain("verb", "refresh", "do")
    assert isinstance(steps, list)
    assert [names(step) for step in steps] == expected


def test_a_step_that_moves_to_another_verb_takes_along_what_is_in_it() -> None:
    made = correct(GAME, moved("verb.refresh.goods", "last: verb.tidy"))
    assert made.plain("verb", "tidy", "do") == [{"step": "goods", "do": [{"gain": 1}]}]
    addresses = [(entry.address, entry.action) for entry in made.rules.origins if entry.layer == "trial"]
    assert addresses == [("verb.refresh.goods", "move"), ("verb.tidy.goods", "move")]


def test_several_steps_moved_to_one_place_come_in_the_order_in_which_they_are_written() -> None:
    where = "after: verb.refresh.tidy"
    both = f"move: [{{step: verb.refresh.ship, {where}}}, {{step: verb.refresh.goods, {where}}}]"
    steps = correct(GAME, edited(both)).plain("verb", "refresh", "do")
    assert isinstance(steps, list)
    assert [names(step) for step in steps] == [[], "tidy", "ship", "goods"]


def test_a_step_that_is_moved_can_be_changed_too() -> None:
    both = "move: [{step: verb.refresh.goods, last: verb.tidy}]\nchange: {verb.refresh.goods: [{gain: 7}]}"
    assert correct(GAME, edited(both)).plain("verb", "tidy", "do") == [{"step": "goods", "do": [{"gain": 7}]}]


def test_effects_stand_under_the_name_of_their_document() -> None:
    made = correct(GAME, edited("effects: {dear: {modify: worth, add: 1}}"))
    assert made.plain("effects") == {"trial": {"dear": {"modify": "worth", "add": 1}}}


def test_properties_and_scenarios_stand_beside_edits() -> None:
    made = correct(GAME, edited("property: {a.b: {always: true}}\ntext: {verb.tidy: {en: Tidy}}"))
    assert made.plain("property", "a.b") == {"always": True}
    assert made.plain("text", "verb.tidy") == {"en": "Tidy"}


PROBLEMS = """
change: {tile.mil.age: 3}
  unknown-target: `tile` has no `mil`
change: {tile.mill.price: 3}
  unknown-target: `tile.mill` has no `price`
remove: [verb.refresh.god]
  unknown-target: `verb.refresh` has no `god`
remove: [tiel.mill]
  unknown-target: there is no `tiel` in the game
add: {tile.mill.age.more: 3}
  unknown-target: `tile.mill.age` has no `more`
insert: [{after: verb.refresh.god, do: [tidy]}]
  unknown-target: `verb.refresh` has no `god`
add: {tile.mill.age: 3}
  duplicate-declaration: `tile.mill.age` is added, but it exists already
add: {tile: {mill: {age: 3, colour: red}}}
  duplicate-declaration: `tile.mill` is added, but it exists already
add: {graph.borders.links: [[mill, farm]]}
  duplicate-declaration: `graph.borders.links` is added, but it exists already
add: {verb.refresh.do: [tidy]}
  misplaced-steps: `verb.refresh.do` holds steps, which are not added
add: {tile: {}}
  change-without-effect: nothing is added here
add: {graph.borders.links: []}
  change-without-effect: nothing is added here
change: {tile.mill.age: 1}
  change-without-effect: `tile.mill.age` is changed to what it is already
change: {state.table.turn: {is: number 1..8, start: 1}}
  change-without-effect: `state.table.turn` is changed to what it is already
remove: {tile: age == 9}
  change-without-effect: `tile` has no member for which `age == 9`
insert: [{first: verb.refresh, do: []}]
  change-without-effect: no steps are inserted here
insert: [{after: verb.refresh, do: [tidy]}]
  misplaced-steps: `verb.refresh` is not a step, so nothing can stand after it
insert: [{first: tile.mill, do: [tidy]}]
  misplaced-steps: `tile.mill` holds no steps
insert: [{first: verb.refresh.tidy, do: [tidy]}]
  misplaced-steps: `verb.refresh.tidy` holds no steps
insert: [{last: graph.borders.links, do: [tidy]}]
  misplaced-steps: `graph.borders.links` holds no steps
move: [{step: verb.refresh.god, before: verb.refresh.tidy}]
  unknown-target: `verb.refresh` has no `god`
move: [{step: verb.refresh.goods, before: verb.refresh.tide}]
  unknown-target: `verb.refresh` has no `tide`
move: [{step: verb.refresh, before: verb.refresh.goods}]
  misplaced-steps: `verb.refresh` is not a step, so it cannot be moved
move: [{step: verb.refresh.goods, after: verb.tidy}]
  misplaced-steps: `verb.tidy` is not a step, so nothing can stand after it
move: [{step: verb.refresh.goods, first: tile.mill}]
  misplaced-steps: `tile.mill` holds no steps
move: [{step: verb.refresh.goods, after: verb.refresh.goods}]
  misplaced-steps: `verb.refresh.goods` cannot be moved beside itself or into itself
move: [{step: verb.refresh.goods, last: verb.refresh.goods}]
  misplaced-steps: `verb.refresh.goods` cannot be moved beside itself or into itself
move: [{step: verb.refresh.goods, before: verb.refresh.ship}]
  change-without-effect: `verb.refresh.goods` stands there already
move: [{step: verb.refresh.ship, after: verb.refresh.goods}]
  change-without-effect: `verb.refresh.ship` stands there already
move: [{step: verb.refresh.tidy, last: verb.refresh}]
  change-without-effect: `verb.refresh.tidy` stands there already
change: {tile.mill: {age: 3}, tile.mill.age: 4}
  conflicting-changes: `trial` changes `tile.mill` and also changes `tile.mill.age`
insert: [{last: verb.refresh, do: [{step: ship, do: []}]}]
  duplicate-declaration: `verb.refresh.ship` is declared twice
"""


def problems() -> list[tuple[str, str, str]]:
    """Return what is written, the code and the message: two lines each."""
    lines = PROBLEMS.strip().split("\n")
    said = [line.strip().split(": ", 1) for line in lines[1::2]]
    return [(text, code, message) for text, (code, message) in zip(lines[::2], said, strict=True)]


@pytest.mark.parametrize("text,code,message", problems())
def test_what_cannot_be_done_is_said(text: str, code: str, message: str) -> None:
    made = composed(GAME, edited(text))
    assert (made.codes, made.messages) == ([code], [message])


def test_an_unknown_part_of_a_dotted_key_is_marked_alone() -> None:
    (problem,) = composed(GAME, edited("change: {verb.refresh.good.do: []}")).report
    span = problem.primary.span
    assert span.source.line(span.line)[span.column - 1 : span.end_column - 1] == "good"
    assert problem.help == "did you mean `goods`?"
    assert problem.notes[0].span is not None


def test_documents_are_not_changed_by_composing() -> None:
    made = correct(GAME, edited("change: {tile.mill.age: 4}"))
    again = made.rules.documents[0].root.get("tile")
    assert again is not None
    assert "'mill': {'age': 1" in str(again.plain())


def test_a_list_of_addresses_and_conditions_fits_the_schema() -> None:
    assert codes("variant: trial\nhouse: true\nremove: [tower.keep.when_built, {tower: price < 4}]") == []
    assert codes("variant: trial\nhouse: true\nremove: [tower.keep.when_built, {}]") == ["wrong-shape"]


SHORT = """
decision:
  land:
    for: [tile]
    where: {dock.open: "tile.free", dock.paid: ["cash > 1", "cash > 2"]}
    do: [{gain: 3}]
"""


PAID = [{"is": "cash > 1", "else": "dock.paid"}, {"is": "cash > 2", "else": "dock.paid"}]


@pytest.mark.parametrize(
    "edit,id_,expected",
    [
        ("change: {%s.dock.open: a > 1}", "dock.open", {"is": "a > 1", "else": "dock.open"}),
        ("change: {%s.dock.open.is: a > 1}", "dock.open", {"is": "a > 1", "else": "dock.open"}),
        ("remove: [%s.dock.open]", "dock.open", None),
        ("add: {%s.dock.new-one: a > 1}", "dock.new-one", {"is": "a > 1", "else": "dock.new-one"}),
        ("add: {%s: {dock.new: a}}", "dock.new", {"is": "a", "else": "dock.new"}),
        ("add: {%s.fresh.is: a}", "fresh", {"is": "a"}),
        ("add: {%s.dock.paid: [a]}", "dock.paid", [*PAID, {"is": "a", "else": "dock.paid"}]),
    ],
)
def test_what_is_written_short_is_edited_by_the_long_form(edit: str, id_: str, expected: Plain) -> None:
    made = correct(SHORT, edited(edit % "decision.land.options.land.where"))
    assert made.plain("decision", "land", "options", "land", "where", id_) == expected


def test_short_and_long_form_have_one_fingerprint() -> None:
    long = """
        decision:
          land:
            options:
              land:
                for: {tile: {is: tile}}
                where:
                  dock.open: {is: tile.free, else: dock.open}
                  dock.paid: [{is: cash > 1, else: dock.paid}, {is: cash > 2, else: dock.paid}]
                do: [{gain: 3}]
        """
    assert correct(SHORT).rules.fingerprint == correct(long).rules.fingerprint
