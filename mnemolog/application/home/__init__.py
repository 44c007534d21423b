"""The home: its files, settings, references to memories, and session file."""
