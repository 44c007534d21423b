"""Readers that turn what exists already (files, histories, transcripts) into memories to store."""
