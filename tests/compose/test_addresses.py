from __future__ import annotations

import pytest

from aodrules.compose.addresses import MissingAddress, TreePlace, resolve
from tests.compose.texts import tree

GAME = tree(
    """
    verb:
      refresh:
        do:
          - if: turn < 8
            then:
              - step: goods
                do: [{draw: 4}, tidy]
              - step: outer
                do:
                  - {step: inner, do: [{gain: 1}]}
          - placement
          - {income: }
          - twice
          - {if: x, then: [twice]}
          - shared
          - {step: shared, do: []}
          - choose: fight
            options: {hit: {do: [{step: blow, do: []}]}}
    unit:
      tank:
        when_built: [{step: pay, do: [{gain: 2}]}]
        own: {drive: {offer: x, do: [{step: start, do: []}]}}
    decision:
      land:
        otherwise: [{step: none_left, do: []}]
        options: {leave: {where: [ready], do: [{step: farewell, do: []}]}}
    clause:
      dock.first: {says: {en: One}}
      dock.first.three: {says: {en: Three}}
    state: {player: {cash: {is: number 0..9, start: 3}}}
    """
)


def found(address: str) -> TreePlace:
    place = resolve(GAME, address)
    assert isinstance(place, TreePlace), address
    return place


@pytest.mark.parametrize(
    "address",
    [
        "verb.refresh",
        "verb.refresh.do",
        "verb.refresh.goods",
        "verb.refresh.goods.do",
        "verb.refresh.inner",
        "verb.refresh.tidy",
        "verb.refresh.placement",
        "verb.refresh.income",
        "verb.refresh.blow",
        "unit.tank.when_built",
        "unit.tank.when_built.pay.do",
        "unit.tank.own.drive.start",
        "decision.land.options.leave.farewell",
        "decision.land.otherwise.none_left",
        "state.player.cash.start",
    ],
)
def test_an_address_leads_to_its_place(address: str) -> None:
    assert found(address).address == address


def test_a_name_given_to_a_step_is_not_that_of_a_bare_verb() -> None:
    assert found("verb.refresh.shared").node.plain() == {"step": "shared", "do": []}


@pytest.mark.parametrize(
    "address,deepest,missing",
    [
        ("verb.refresh.twice", "verb.refresh", "twice"),
        ("verb.refresh.outer.inner", "verb.refresh.outer", "inner"),
        ("verb.refresh.do.goods", "verb.refresh.do", "goods"),
        ("decision.land.farewell", "decision.land", "farewell"),
        ("decision.land.options.leave.ready", "decision.land.options.leave", "ready"),
        ("verb.refesh.goods", "verb", "refesh"),
        ("state.player.cash.start.more", "state.player.cash.start", "more"),
        ("vreb.refresh", "", "vreb"),
    ],
)
def test_what_does_not_exist_is_named_with_what_does(address: str, deepest: str, missing: str) -> None:
    lost = resolve(GAME, address)
    assert isinstance(lost, MissingAddress)
    assert (lost.deepest.address, lost.rest[0]) == (deepest, missing)
    assert address[lost.start :].startswith(missing)


def test_the_longest_existing_id_counts() -> None:
    assert found("clause.dock.first.three").parts == ("clause", "dock.first.three")
    assert found("clause.dock.first.says").parts == ("clause", "dock.first", "says")


def test_a_new_id_with_dots_is_taken_whole() -> None:
    lost = resolve(GAME, "clause.dock.second.more")
    assert isinstance(lost, MissingAddress)
    assert lost.rest == ("dock.second.more",)


def test_a_step_inside_another_has_the_longer_chain() -> None:
    outer, inner = found("verb.refresh.outer").chain, found("verb.refresh.inner").chain
    assert inner[: len(outer)] == outer
