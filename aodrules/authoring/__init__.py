"""Tools for those who write house rules: starters, fixes, differences, rule texts."""
