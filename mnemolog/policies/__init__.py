"""Deciding: pure functions from state, settings and the instant to events."""
