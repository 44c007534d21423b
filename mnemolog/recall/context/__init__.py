"""Context for a prompt: sections filled to a token budget."""
