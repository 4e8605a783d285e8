"""Passes over plans: each makes a plan cheaper and changes nothing that it does."""
