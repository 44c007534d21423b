"""English words by kind, and their forms."""
