"""Recall: cues, search, answers, context, layers and plans."""
