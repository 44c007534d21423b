"""Events in and out of a home: export, import, backup and restore."""
