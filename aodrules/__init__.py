"""A board game's rules as data: load a game, compose its variants, play it.

Every public name is imported from its module when it is first used: a program that only loads rules does not wait for
what plays them.
"""

import importlib
import typing

if typing.TYPE_CHECKING:
    from aodrules import bots as bots
    from aodrules import svg as svg
    from aodrules.errors import (
        ActionError,
        AmbiguousActionError,
        AodrulesError,
        ArgumentError,
        CacheWarning,
        IllegalActionError,
        InternalError,
        InvalidActionError,
        NotationError,
        RulesError,
        SampleError,
        SecretError,
        UndoError,
        UnknownNameError,
    )
    from aodrules.exchange.public_schema import json_schema
    from aodrules.exchange.values import from_json, to_json, to_plain
    from aodrules.game import Action, Decision, Game, Learned, WhatIf
    from aodrules.games import CatalogueEntry, CatalogueGame, CatalogueRuling, catalogue
    from aodrules.play.choices import Candidate, Choices
    from aodrules.play.components import Clause, Component
    from aodrules.play.event_types import (
        BoundEvent,
        CutEvent,
        Event,
        EventCause,
        EventPiece,
        EventPlace,
        HappenEvent,
        LeftEvent,
        MoveEvent,
        OverEvent,
        RevealEvent,
        RollEvent,
        SetEvent,
        ShuffleEvent,
        SortEvent,
        StepEvent,
        StuckEvent,
        TellEvent,
    )
    from aodrules.play.game_log import LogGroup, LogTurn
    from aodrules.play.going_back import UndoNeeds
    from aodrules.play.reason import Reason
    from aodrules.play.scores import Score, ScoreLine, Share, Standing
    from aodrules.play.settings import Setting
    from aodrules.play.states import Hidden, State
    from aodrules.play.surroundings import Around, Surroundings
    from aodrules.play.texts import Text
    from aodrules.play.views import Played, Snapshot, View
    from aodrules.records import open_game, replay
    from aodrules.rulebook import Rules, load
    from aodrules.source.diagnostics import Diagnostic, Report

    __version__: str
    """The version of the package."""

__all__ = [
    "Action",
    "ActionError",
    "AmbiguousActionError",
    "AodrulesError",
    "ArgumentError",
    "Around",
    "BoundEvent",
    "CacheWarning",
    "Candidate",
    "CatalogueEntry",
    "CatalogueGame",
    "CatalogueRuling",
    "Choices",
    "Clause",
    "Component",
    "CutEvent",
    "Decision",
    "Diagnostic",
    "Event",
    "EventCause",
    "EventPiece",
    "EventPlace",
    "Game",
    "HappenEvent",
    "Hidden",
    "IllegalActionError",
    "InternalError",
    "InvalidActionError",
    "Learned",
    "LeftEvent",
    "LogGroup",
    "LogTurn",
    "MoveEvent",
    "NotationError",
    "OverEvent",
    "Played",
    "Reason",
    "Report",
    "RevealEvent",
    "RollEvent",
    "Rules",
    "RulesError",
    "SampleError",
    "Score",
    "ScoreLine",
    "SecretError",
    "SetEvent",
    "Setting",
    "Share",
    "ShuffleEvent",
    "Snapshot",
    "SortEvent",
    "Standing",
    "State",
    "StepEvent",
    "StuckEvent",
    "Surroundings",
    "TellEvent",
    "Text",
    "UndoError",
    "UndoNeeds",
    "UnknownNameError",
    "View",
    "WhatIf",
    "catalogue",
    "from_json",
    "json_schema",
    "load",
    "open_game",
    "replay",
    "to_json",
    "to_plain",
]

# Where each public name is at home, for those who do not check types; all that is raised or warned of is in `errors`.
_HOMES = {name: "errors" for name in __all__ if name.endswith(("Error", "Warning"))} | {
    "Action": "game",
    "CatalogueEntry": "games",
    "CatalogueGame": "games",
    "CatalogueRuling": "games",
    "Around": "play.surroundings",
    "Candidate": "play.choices",
    "Choices": "play.choices",
    "BoundEvent": "play.event_types",
    "Clause": "play.components",
    "Component": "play.components",
    "CutEvent": "play.event_types",
    "Decision": "game",
    "Diagnostic": "source.diagnostics",
    "Event": "play.event_types",
    "EventCause": "play.event_types",
    "EventPiece": "play.event_types",
    "EventPlace": "play.event_types",
    "Game": "game",
    "HappenEvent": "play.event_types",
    "Hidden": "play.states",
    "Learned": "game",
    "LeftEvent": "play.event_types",
    "LogGroup": "play.game_log",
    "LogTurn": "play.game_log",
    "MoveEvent": "play.event_types",
    "OverEvent": "play.event_types",
    "Played": "play.views",
    "Reason": "play.reason",
    "Report": "source.diagnostics",
    "RevealEvent": "play.event_types",
    "RollEvent": "play.event_types",
    "Rules": "rulebook",
    "Score": "play.scores",
    "ScoreLine": "play.scores",
    "SetEvent": "play.event_types",
    "Setting": "play.settings",
    "Share": "play.scores",
    "ShuffleEvent": "play.event_types",
    "SortEvent": "play.event_types",
    "Snapshot": "play.views",
    "Standing": "play.scores",
    "State": "play.states",
    "Surroundings": "play.surroundings",
    "UndoNeeds": "play.going_back",
    "Text": "play.texts",
    "StepEvent": "play.event_types",
    "StuckEvent": "play.event_types",
    "TellEvent": "play.event_types",
    "View": "play.views",
    "catalogue": "games",
    "WhatIf": "game",
    "from_json": "exchange.values",
    "json_schema": "exchange.public_schema",
    "load": "rulebook",
    "open_game": "records",
    "replay": "records",
    "to_json": "exchange.values",
    "to_plain": "exchange.values",
}

# Public modules that are imported when they are first used.
_MODULES = ("bots", "svg")

if not typing.TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name == "__version__":
            from importlib.metadata import version

            return version("aodrules")
        if name in _MODULES:
            return importlib.import_module(f"{__name__}.{name}")
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = globals()[name] = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
        return found

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__, *_MODULES, "__version__"})
