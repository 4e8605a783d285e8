"""Games that begin in the middle: ways to a named step, and the game from there on, for scenarios."""
