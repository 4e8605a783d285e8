"""Bots, whole runs of games, and what they tell about the rules.

`turns` (what a bot is given), `bots` and `searching` (who plays), `matches` and `runs` (what is played and kept),
`balance` and `statistics` (what it tells), `balance_page` (how that is shown).
"""
