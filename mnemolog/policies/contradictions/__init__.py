"""Contradictions: the judge of two memories, and the settlement of a conflict."""
