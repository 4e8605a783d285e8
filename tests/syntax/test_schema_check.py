from __future__ import annotations

import pytest

from tests.syntax.texts import RULES, VARIANT, codes, report_of


@pytest.mark.parametrize("text", [RULES, VARIANT])
def test_right_documents_have_no_problems(text: str) -> None:
    assert codes(text) == []


@pytest.mark.parametrize(
    "text, code, place",
    [
        ("verb: {go: {do: [{move: a, form: b, to: c}]}}", "unknown-key", (1, 28)),
        ("verb: {go: {do: [{draw: 1, from: b}]}}", "missing-key", (1, 19)),
        ("verb: {go: {}}", "missing-key", (1, 8)),
        ("verb: {go: {do: [[a]]}}", "wrong-shape", (1, 18)),
        ("verb: {go: {do: [{}]}}", "wrong-shape", (1, 18)),
        ("verb: {go: {do: [{end_game: now}]}}", "wrong-shape", (1, 29)),
        ("verb: {go: {do: [{let: two words, be: 1}]}}", "malformed-name", (1, 24)),
        ("verb: {go: {main: {a: number, b: number}, do: []}}", "wrong-shape", (1, 20)),
        ("tile: {mill: {every_turn: [{move: a, from: b, too: c}]}}", "unknown-key", (1, 47)),
        ("tile: {mill: {own: {x: {modify: price, ad: 1}}}}", "unknown-key", (1, 40)),
        ("tile: {mill: }", "missing-value", (1, 14)),
        ("value: {a: {is: 1, table: {1: 2}}}", "conflicting-keys", (1, 20)),
        ("value: {a: {by: x}}", "missing-key", (1, 9)),
        ("value: {a: {table: {1: 2}}}", "missing-key", (1, 13)),
        ("graph: {a: {of: b, links: [[c, d, e]]}}", "wrong-shape", (1, 28)),
        ("grid: {a: {plural: b, cells: circles, columns: 1, rows: 1}}", "wrong-shape", (1, 30)),
        ("grid: {a: {plural: b, cells: squares, columns: 0, rows: 1}}", "wrong-shape", (1, 48)),
        ("property: {a: {whenever: b}}", "missing-key", (1, 16)),
        ("scenario: {a: {when: [{red: a, blue: b, refused: c}]}}", "wrong-shape", (1, 24)),
        ("text: {decision.a: {EN: b}}", "malformed-name", (1, 21)),
        ("clause: {a: {says: b, kind: rul}}", "wrong-shape", (1, 29)),
        ("variant: a\nremove: []", "wrong-shape", (2, 9)),
        ("variant: a\ninsert: [{before: a, after: b, do: []}]", "conflicting-keys", (2, 22)),
        ("variant: a\ninsert: [{do: []}]", "missing-key", (2, 11)),
        ("variant: a\nwith: {b: {changes: {}}}", "unknown-key", (2, 12)),
        ("variant: a\neffects: {b: {offer: c, do: [], instaed: true}}", "unknown-key", (2, 33)),
    ],
)
def test_one_mistake_gives_one_message_at_its_place(text: str, code: str, place: tuple[int, int]) -> None:
    [found] = report_of(text)
    assert (found.code, (found.line, found.column)) == (code, place)


def test_a_misspelt_key_is_not_also_missing() -> None:
    [found] = report_of("verb: {go: {do: [{move: a, form: b, to: c}]}}\n")
    assert (found.code, found.help, found.notes) == ("unknown-key", "did you mean `from`?", ())


def test_what_is_missing_beside_an_unknown_key_is_proposed() -> None:
    [found] = report_of("graph: {a: {of: b, edges: []}}\n")
    assert (found.code, found.help) == ("unknown-key", "write `links` instead")


def test_calls_of_a_games_verbs_are_free() -> None:
    assert codes("verb: {go: {do: [pay, {pay: 3, player: x}, {battle: , attacker: x}]}}\n") == []


def test_arguments_of_choices_events_and_hooks_are_free() -> None:
    assert codes("verb: {go: {do: [{choose: a, by: p, box: b}, {happen: c, d: e}, {run: x.y, z: 1}]}}\n") == []


def test_a_fix_keeps_what_is_there() -> None:
    [found] = report_of("verb: {go: {do: [{move: a, from: b, form: c, to: d}]}}\n")
    assert found.code == "unknown-key"
    assert found.fix is None


def test_a_hundred_mistakes_are_a_hundred_messages() -> None:
    text = "verb:\n" + "".join(f"  v{i}: {{do: [{{move: a, form: b, to: c}}]}}\n" for i in range(150))
    assert codes(text) == ["unknown-key"] * 150
