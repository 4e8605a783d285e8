"""The JSON Schema of all public values."""

from __future__ import annotations

from typing import get_args

from aodrules.bots.playing import Hint
from aodrules.exchange.value_schema import VERSION, JsonSchema, SchemaMaker, document
from aodrules.game import WhatIf
from aodrules.games import CatalogueEntry, CatalogueRuling
from aodrules.play.actions import Action
from aodrules.play.components import Clause, Component
from aodrules.play.event_types import Event, EventCause, EventPiece, EventPlace
from aodrules.play.events import Learned
from aodrules.play.game_log import LogGroup, LogTurn
from aodrules.play.going_back import UndoNeeds
from aodrules.play.reason import Reason
from aodrules.play.scores import Score, ScoreLine, Share, Standing
from aodrules.play.settings import Setting
from aodrules.play.states import Hidden
from aodrules.play.surroundings import Around, Surroundings
from aodrules.play.views import Decision, Played, Snapshot
from aodrules.source.diagnostics import Diagnostic, Report

VALUES: tuple[type, ...] = (
    Action,
    Around,
    CatalogueEntry,
    CatalogueRuling,
    Clause,
    Component,
    Decision,
    Diagnostic,
    EventCause,
    EventPiece,
    EventPlace,
    Hidden,
    Hint,
    Learned,
    LogGroup,
    LogTurn,
    Played,
    Reason,
    Report,
    Score,
    ScoreLine,
    Setting,
    Share,
    Snapshot,
    Standing,
    Surroundings,
    UndoNeeds,
    WhatIf,
    *get_args(Event),
)
"""The classes that `to_json` writes; a view is written as a snapshot, words in a language as a text."""


def json_schema() -> JsonSchema:
    """Return the JSON Schema (draft 2020-12) of all values that `to_json` writes, each under `$defs`.

    Examples:
        >>> import aodrules
        >>> schema = aodrules.json_schema()
        >>> schema["$id"], sorted(schema["$defs"]["Played"]["properties"])
        ('urn:aodrules:values:1', ['player', 'text'])
    """
    maker = SchemaMaker()
    for value in VALUES:
        maker.of(value)
    return document(f"urn:aodrules:values:{VERSION}", "Values of aodrules", maker.defs)
