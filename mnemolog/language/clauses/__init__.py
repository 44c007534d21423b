"""Clauses in a text: subjects, verbs, attributes and values that its sentences assert."""
