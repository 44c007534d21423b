"""Admission: activation and placement of offered content."""
