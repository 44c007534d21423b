"""Artifact sources: forges over HTTP, local git checkouts, and their names in settings."""
