"""SQLite as the store of a log: connections, tables, writing, restores, derived files."""
