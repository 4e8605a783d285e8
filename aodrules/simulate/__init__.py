"""Bots, whole runs of games, and what they tell about the rules."""
