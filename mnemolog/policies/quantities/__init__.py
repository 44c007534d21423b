"""Quantities in texts, the bounds that words put on them, and how they compare."""
