"""What both engines build on: plain forms of states, questions and codes of actions, and chance.

A mistake in here may be one of both engines, so there is little of it; `docs/explanation/engines.md` says why that is
safe.
"""
