"""A game on the terminal: the position in tables, actions by number or by their words.

`session` asks, `lines` reads what is typed, `board`, `grid_map` and `describing` show, `console` is where all of it is
printed.
"""
