"""Redaction: content destroyed in the log and in everything derived from it."""
