"""Detector of prompts that ask for something remembered."""
