"""The fast engine: from checked rules through a plan to generated Python."""
