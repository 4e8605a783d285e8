"""Scenarios, properties, clauses and mutations: rules text held against rules data."""
