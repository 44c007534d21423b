"""Reading of corrections: what a text takes back, and what it puts in its place."""
