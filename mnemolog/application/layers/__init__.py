"""Layers searched for a prompt: memory, notes, artifacts and procedures."""
