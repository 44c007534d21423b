"""Retention: ticks, uses, consolidation and maintenance."""
