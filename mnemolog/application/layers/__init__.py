"""Layers asked about a prompt: memory, notes, artifacts and procedures."""
