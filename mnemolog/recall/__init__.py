"""Answering: what a cue brings back, in which order, and why."""
