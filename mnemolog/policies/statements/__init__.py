"""Statements in texts: clauses, what they say of what, and where two of them disagree."""
