"""Whether a prompt asks for something remembered, and where to look for it."""

from __future__ import annotations

from collections.abc import Container
from typing import Literal

import msgspec

Layer = Literal["identity", "palace", "scratchpad", "artifacts", "procedures", "generation"]
"""Where an answer may come from, in the order in which they are asked."""


class Detection(msgspec.Struct, frozen=True):
    """What a prompt asks for: whether it is recall, how surely, and where to look."""

    recall: bool
    confidence: float
    layers: tuple[Layer, ...] = ()
    reasons: tuple[str, ...] = ()


def detect(prompt: str, known: Container[str] = frozenset()) -> Detection:
    """Whether a prompt asks for something remembered; `known` holds names, case-folded."""
    recall = bool(prompt.strip()) and prompt.casefold() not in known
    return Detection(recall, 0.5, ("palace", "scratchpad", "artifacts", "procedures"))
