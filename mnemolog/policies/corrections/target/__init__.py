"""Targets of corrections: the memories that say what a correction takes back."""
