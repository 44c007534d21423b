"""Retention: strength, tiers, persistence, consolidation and the schedule of upkeep."""
