"""Whole runs of games by bots, and what they tell about the rules.

`matches` and `runs` (what is played and kept), `balance` and `statistics` (what it tells), `balance_page` (how that is
shown).
"""
