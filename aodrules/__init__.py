"""A board game's rules as data: load a game, compose its variants, play it."""
