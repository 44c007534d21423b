"""Reading cues and prompts: what they ask for, and whether it is something remembered."""
