"""Quantities in a text: numbers, amounts, units, bounds, versions and times of day."""
