"""Answers: hits with their texts, explanations, trails and conflicts."""
