"""Dates in a text: days, periods, and words that tell of a change in time."""
