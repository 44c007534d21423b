"""Retention: strength, tiers, persistence, consolidation and the maintenance schedule."""
