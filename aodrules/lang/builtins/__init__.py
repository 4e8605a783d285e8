"""Builtins: one entry each, and the table of all."""
