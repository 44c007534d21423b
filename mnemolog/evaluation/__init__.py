"""Evaluation of recall on labelled sets."""
