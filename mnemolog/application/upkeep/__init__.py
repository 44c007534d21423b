"""Upkeep of a home: checks, differences, replays and metrics."""
