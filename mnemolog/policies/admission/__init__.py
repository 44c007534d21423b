"""Admission: activation and placement of content that asks to be remembered."""
