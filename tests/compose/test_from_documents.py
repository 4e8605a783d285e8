"""What a ruleset knows of itself: its name, its fingerprint, who had a hand in it, and what it needs."""

from __future__ import annotations

import pytest

from aodrules.compose.from_documents import compose
from aodrules.source.diagnostics import Report
from aodrules.syntax.tree import walk
from tests.compose.texts import Composed, composed, correct, document

TILES = "tile: {mill: {age: 1}, farm: {age: 2}}"
STATE = "state: {table: {turn: number 1..8 = 1}, player: {cash: number 0..9}}"


def of_files(**texts: str) -> Composed:
    report = Report()
    documents = [document(text, f"games/small/{name}.yaml") for name, text in texts.items()]
    return Composed(compose(documents, None, [], report), report)


def test_how_files_are_cut_does_not_matter() -> None:
    one = of_files(all=f"{TILES}\n{STATE}")
    many = of_files(a="tile: {farm: {age: 2}}", b="state: {player: {cash: number 0..9}}\ntile: {mill: {age: 1}}",
                    c="state: {table: {turn: {is: number 1..8, start: 1}}}")  # fmt: skip
    assert one.rules.fingerprint == many.rules.fingerprint
    assert many.codes == []


def test_the_same_address_twice_shows_both_places() -> None:
    made = of_files(a=TILES, b="tile: {mill: {age: 3}}", c=STATE, d="state: {table: {turn: flag}}")
    assert made.messages == ["`tile.mill` is declared twice", "`state.table.turn` is declared twice"]
    (problem, _) = made.report
    assert (problem.path, problem.secondary[0].span.path) == ("games/small/b.yaml", "games/small/a.yaml")


def test_parts_of_the_game_may_stand_in_several_files_but_only_once() -> None:
    assert of_files(a="game: {players: 2..4}", b="game: {order: turn_order}").codes == []
    assert of_files(a="game: {players: 2..4}", b="game: {players: 2..5}").messages == [
        "`game.players` is declared twice"
    ]


def test_words_in_several_languages_may_stand_in_several_files() -> None:
    made = of_files(a="text: {verb.go: {en: Go}}", b="text: {verb.go: {pl: Idź}}")
    assert made.plain("text", "verb.go") == {"en": "Go", "pl": "Idź"}


def test_two_steps_of_one_name_in_one_verb_are_told() -> None:
    made = composed("verb: {go: {do: [{step: a, do: []}, {if: x, then: [{step: a, do: []}]}]}}")
    assert made.messages == ["`verb.go.a` is declared twice"]
    assert composed("verb: {go: {do: [{step: a, do: []}]}, come: {do: [{step: a, do: []}]}}").codes == []


@pytest.mark.parametrize(
    "text",
    [
        f"{TILES}\nclause: {{a.b: {{says: {{en: x}}}}}}",
        f"{TILES}\nscenario: {{a.b: {{given: {{}}}}}}",
        "tile: {mill: {age: 1, name: {en: Mill}, clauses: [a.b], text: {en: Grind}}, farm: {age: 2}}",
        "tile: {farm: {age: 2}, mill: {age: 1}}",
        f"{TILES}\nverb: {{}}",
    ],
)
def test_the_fingerprint_is_of_what_play_depends_on(text: str) -> None:
    assert correct(text).rules.fingerprint == correct(TILES).rules.fingerprint


@pytest.mark.parametrize(
    "one,other",
    [
        (TILES, TILES.replace("age: 1", "age: 3")),
        ("state: {table: {name: flag}}", "state: {table: {name: number 0..1}}"),
        ("verb: {a: {given: {x: tile, y: tile}, do: []}}", "verb: {a: {given: {y: tile, x: tile}, do: []}}"),
        ("verb: {a: {do: [b, c]}}", "verb: {a: {do: [c, b]}}"),
        ("tile: {a: {age: 1}}", "tile: {a: {age: '1'}}"),
    ],
)
def test_the_fingerprint_tells_rules_apart(one: str, other: str) -> None:
    assert correct(one).rules.fingerprint != correct(other).rules.fingerprint


def test_every_layers_hand_is_known() -> None:
    edition = "edition: first\nchange: {tile.mill.age: 3}"
    made = correct(TILES, edition, "variant: a\nremove: [tile.farm]\nadd: {tile.hut: {}}", edition="first")
    hands = [(entry.layer, entry.kind, entry.action, entry.address) for entry in made.rules.origin("tile.mill")]
    assert hands == [("game", "game", "declare", "tile.mill"), ("first", "edition", "change", "tile.mill.age")]
    assert [entry.action for entry in made.rules.origin("tile.farm")] == ["declare", "remove"]
    assert [entry.span.path for entry in made.rules.origin("tile.hut")] == ["a.yaml"]
    assert [entry.layer for entry in made.rules.origin("tile.mill.age")] == ["game", "first"]


def test_inserted_steps_know_who_put_them_in() -> None:
    made = correct("verb: {go: {do: [a, b]}}", "variant: v\ninsert: [{first: verb.go, do: [{step: new, do: []}]}]")
    assert [entry.layer for entry in made.rules.origin("verb.go.new")] == ["game", "v"]


def test_every_node_knows_its_file() -> None:
    made = correct(
        TILES, STATE.replace("state", "kinds: {tile: {plural: tiles}}\nstate"), "variant: a\nadd: {tile.hut: {age: 1}}"
    )
    paths = {node.span.path for node in walk(made.rules.root)}
    assert paths == {"game.yaml", "a.yaml"}
    hut = made.rules.root.get("tile")
    assert hut is not None
    assert made.rules.layer_of(next(node for node in walk(hut) if node.span.path == "a.yaml").span) == "a"


def test_overrides_and_house_rules_are_gathered() -> None:
    made = correct(TILES, "variant: a\nhouse: true\noverrides: [x.y]\nadd: {tile.hut: {}}")
    assert (made.rules.overrides, made.rules.house) == (frozenset({"x.y"}), frozenset({"a"}))


def test_the_game_is_named_by_itself_its_folder_or_its_file() -> None:
    assert of_files(a=TILES, b=STATE).rules.name == "small"
    assert of_files(a=TILES).rules.name == "a"
    assert of_files(a=TILES, b="game: {id: tiny}").rules.name == "tiny"


def test_a_game_whose_folder_has_no_name_is_called_game() -> None:
    rules = compose([document(TILES, "a.yaml"), document(STATE, "b.yaml")], None, [], Report())
    assert rules.name == "game"


def test_nothing_gives_an_empty_ruleset() -> None:
    report = Report()
    rules = compose([], None, [], report)
    assert (rules.name, len(rules.root), len(report)) == ("", 0, 0)


NEEDY = """
kinds: {spell: {plural: spells, needs: magic}, tile: {plural: tiles}}
spell: {fire: {}}
state: {spell: {used: flag}, table: {turn: {is: flag, needs: magic}}}
tile:
  mill: {age: 1, own: {a: {needs: magic, modify: x}, b: {modify: y}}}
  tower: {age: 2, needs: [magic, spell.fire]}
  gate: {age: 3, needs: tile.tower}
  road: {age: 3, needs: tile.mill}
  ring: {age: 3, needs: tile.knot}
  knot: {age: 3, needs: tile.ring}
verb:
  go: {do: [{needs: magic, gain: 1}, {gain: 2}, {if: x, then: [{needs: magic, gain: 3}, {needs: tile.mill, gain: 4}]}]}
"""


def test_what_needs_something_absent_is_dropped() -> None:
    made = correct(NEEDY)
    assert made.rules.root.plain() == {
        "kinds": {"tile": {"plural": "tiles"}},
        "state": {"table": {}},
        "tile": {
            "mill": {"age": 1, "own": {"b": {"modify": "y"}}},
            "road": {"age": 3},
            "ring": {"age": 3},
            "knot": {"age": 3},
        },
        "verb": {"go": {"do": [{"gain": 2}, {"if": "x", "then": [{"gain": 4}]}]}},
    }


@pytest.mark.parametrize("kind", ["variant", "edition", "module"])
def test_what_needs_something_present_stays(kind: str) -> None:
    texts = [f"{kind}: magic"] + (["variant: user\nincludes: [magic]"] if kind == "module" else [])
    made = correct(NEEDY, *texts, edition="magic" if kind == "edition" else None)
    assert made.plain("tile", "tower") == {"age": 2}
    assert made.plain("tile", "gate") == {"age": 3}
    assert made.plain("spell") == {"fire": {}}
    assert "needs" not in str(made.rules.root.plain())
