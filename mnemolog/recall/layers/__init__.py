"""Layers that may answer a prompt, in order, and artifacts as one of them."""
