"""Where agents and programs reach the memory: the hook for prompts."""
