"""Constraints: recognising and reading them, and holding options against them."""
