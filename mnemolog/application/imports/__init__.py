"""Importers: readers that turn files, histories and transcripts into memories to store."""
