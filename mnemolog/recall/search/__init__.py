"""Search: candidates, scores, chains and order."""
