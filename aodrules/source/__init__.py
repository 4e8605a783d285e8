"""Files, positions in them, and what we have to say about them."""
