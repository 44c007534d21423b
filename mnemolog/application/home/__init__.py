"""Home of a ledger: its files, settings, references to memories and session file."""
