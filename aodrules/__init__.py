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
        SecretError,
        UndoError,
        UnknownNameError,
    )
    from aodrules.game import Action, Decision, Game, Learned, WhatIf
    from aodrules.games import CatalogueEntry, CatalogueGame, CatalogueRuling, catalogue
    from aodrules.play.choices import Candidate, Choices
    from aodrules.play.components import Clause, Component
    from aodrules.play.events import Event
    from aodrules.play.going_back import UndoNeeds
    from aodrules.play.reason import Reason
    from aodrules.play.scores import Score, ScoreLine, Share, Standing
    from aodrules.play.settings import Setting
    from aodrules.play.states import Hidden, State
    from aodrules.play.surroundings import Around, Surroundings
    from aodrules.play.texts import Text
    from aodrules.play.views import Played, View
    from aodrules.records import open_game, replay
    from aodrules.rulebook import Rules, load
    from aodrules.source.diagnostics import Diagnostic, Report

__all__ = [
    "Action",
    "ActionError",
    "AmbiguousActionError",
    "AodrulesError",
    "ArgumentError",
    "Around",
    "CacheWarning",
    "Candidate",
    "CatalogueEntry",
    "CatalogueGame",
    "CatalogueRuling",
    "Choices",
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
    "SecretError",
    "Setting",
    "Share",
    "Standing",
    "State",
    "Surroundings",
    "Text",
    "UndoError",
    "UndoNeeds",
    "UnknownNameError",
    "View",
    "WhatIf",
    "catalogue",
    "load",
    "open_game",
    "replay",
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
    "Clause": "play.components",
    "Component": "play.components",
    "Decision": "game",
    "Diagnostic": "source.diagnostics",
    "Event": "play.events",
    "Game": "game",
    "Hidden": "play.states",
    "Learned": "game",
    "Played": "play.views",
    "Reason": "play.reason",
    "Report": "source.diagnostics",
    "Rules": "rulebook",
    "Score": "play.scores",
    "ScoreLine": "play.scores",
    "Setting": "play.settings",
    "Share": "play.scores",
    "Standing": "play.scores",
    "State": "play.states",
    "Surroundings": "play.surroundings",
    "UndoNeeds": "play.going_back",
    "Text": "play.texts",
    "View": "play.views",
    "catalogue": "games",
    "WhatIf": "game",
    "load": "rulebook",
    "open_game": "records",
    "replay": "records",
}

if not typing.TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = globals()[name] = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
        return found

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
