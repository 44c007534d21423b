"""History: events as readers see them, with descriptions in words."""
