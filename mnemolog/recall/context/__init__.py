"""Context for a prompt: sections filled to a budget of tokens."""
