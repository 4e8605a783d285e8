"""A board game's rules as data: load a game, compose its variants, play it."""

from aodrules.errors import (
    ActionError,
    AmbiguousActionError,
    AodrulesError,
    IllegalActionError,
    InternalError,
    InvalidActionError,
    NotationError,
    RulesError,
)
from aodrules.game import Action, Decision, Game, Learned
from aodrules.play.events import Event
from aodrules.play.readers import Hidden
from aodrules.play.scores import Score, ScoreLine, Share, Standing
from aodrules.play.states import State
from aodrules.play.views import Played, View
from aodrules.reasons import Reason
from aodrules.records import open_game, replay
from aodrules.rulebook import Clause, Component, Rules, load
from aodrules.source.diagnostics import Diagnostic, Report

__all__ = [
    "Action",
    "ActionError",
    "AmbiguousActionError",
    "AodrulesError",
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
    "Score",
    "ScoreLine",
    "Share",
    "Standing",
    "State",
    "View",
    "load",
    "open_game",
    "replay",
]
