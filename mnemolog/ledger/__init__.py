"""Ledger: events, the log that keeps them, and the proofs that nothing changed."""
