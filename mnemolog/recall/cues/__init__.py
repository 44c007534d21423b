"""Cues: the parts of a question, and the answers that they seek."""
