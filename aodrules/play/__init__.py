"""The friendly face of a running game: names instead of numbers, secrets kept, scores told."""
