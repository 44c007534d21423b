"""Endpoints that settings name: models asked over HTTP, within limits of time and size."""
