"""What of the sketches is not collected by itself."""

collect_ignore = ["tempus/laws.yaml"]
"""The interpreter takes seconds for a game of Tempus: `test_tempus.py` plays one of them, and more in the soak."""
