"""Corrections in words: the reading of a sentence, its target, and the successor's text."""
