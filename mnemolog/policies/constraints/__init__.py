"""Constraints: their recognition in texts, and options ranked against them."""
