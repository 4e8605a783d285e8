"""A game on the terminal: the position in tables, actions by number or by their words."""
