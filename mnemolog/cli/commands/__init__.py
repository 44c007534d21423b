"""The commands, one module a subject; each loads when it is called."""
