"""Upkeep of a home: checks, diffs, replays and metrics."""
