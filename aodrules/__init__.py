"""A board game's rules as data: load a game, compose its variants, play it.

Every public name is imported from its module when it is first used: a program that only loads rules does not wait for
what plays them.
"""

import importlib
import typing

if typing.TYPE_CHECKING:
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
        UndoError,
        UnknownNameError,
    )
    from aodrules.exchange.value_schema import json_schema
    from aodrules.exchange.values import from_json, to_json, to_plain
    from aodrules.game import Action, Decision, Game, Learned
    from aodrules.play.components import Clause, Component
    from aodrules.play.events import Event
    from aodrules.play.scores import Score, ScoreLine, Share, Standing
    from aodrules.play.settings import Setting
    from aodrules.play.states import Hidden, State
    from aodrules.play.views import Played, Snapshot, View
    from aodrules.reasons import Reason
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
    "CacheWarning",
    "Clause",
    "Component",
    "Decision",
    "Diagnostic",
    "Event",
    "Game",
    "Hidden",
    "IllegalActionError",
    "InternalError",
    "InvalidActionError",
    "Learned",
    "NotationError",
    "Played",
    "Reason",
    "Report",
    "Rules",
    "RulesError",
    "SampleError",
    "Score",
    "ScoreLine",
    "Setting",
    "Share",
    "Snapshot",
    "Standing",
    "State",
    "UndoError",
    "UnknownNameError",
    "View",
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
    "Clause": "play.components",
    "Component": "play.components",
    "Decision": "game",
    "Diagnostic": "source.diagnostics",
    "Event": "play.events",
    "Game": "game",
    "Hidden": "play.states",
    "Learned": "game",
    "Played": "play.views",
    "Reason": "reasons",
    "Report": "source.diagnostics",
    "Rules": "rulebook",
    "Score": "play.scores",
    "ScoreLine": "play.scores",
    "Setting": "play.settings",
    "Share": "play.scores",
    "Snapshot": "play.views",
    "Standing": "play.scores",
    "State": "play.states",
    "View": "play.views",
    "from_json": "exchange.values",
    "json_schema": "exchange.value_schema",
    "load": "rulebook",
    "open_game": "records",
    "replay": "records",
    "to_json": "exchange.values",
    "to_plain": "exchange.values",
}

if not typing.TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name == "__version__":
            from importlib.metadata import version

            return version("aodrules")
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = globals()[name] = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
        return found

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__, "__version__"})
