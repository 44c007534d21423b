"""Storing memories: drafts, recognition, contradiction checks and corrections."""
