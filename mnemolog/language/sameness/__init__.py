"""Comparison of texts that may say the same."""
