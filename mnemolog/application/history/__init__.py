"""History: events for readers, with descriptions in words."""
