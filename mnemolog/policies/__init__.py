"""Pure decision functions: from state, settings and the current time to events."""
