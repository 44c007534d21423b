"""Recall sessions: rounds of votes, and their outcome."""
