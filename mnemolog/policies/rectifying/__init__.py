"""Corrections in words: reading them, finding what they mean, and what they leave remembered."""
