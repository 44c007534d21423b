"""Clauses of a text: the subjects, verbs, attributes and values that its sentences assert."""
