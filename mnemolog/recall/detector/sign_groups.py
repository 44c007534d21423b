"""What the signs in a prompt are about."""

from __future__ import annotations

from typing import Literal

Group = Literal[
    "earlier talk",
    "the asker's doings",
    "the asker's own",
    "a person",
    "what was said",
    "work at hand",
    "private life",
    "a time",
    "a task",
    "how to",
    "a service",
    "general knowledge",
    "telling",
]
"""What a sign is about; the last five speak against recall."""

Row = tuple[Group, Literal["whole", "asked"], float, str, tuple[str, ...]]
"""A phrase as it is written down: its group, the part of a prompt in which it is looked
for, its weight, words of which one must be in the prompt, and alternative patterns."""
