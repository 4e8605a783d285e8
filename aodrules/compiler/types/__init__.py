"""The types of a plan: inferred, and verified. Nothing here is needed to play."""
