"""Transfer of events between homes: export, import, backup and restore."""
