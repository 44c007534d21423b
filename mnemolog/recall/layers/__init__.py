"""Layers that may answer a prompt, in order; artifacts are one of them."""
