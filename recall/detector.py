"""Whether a prompt asks for something remembered, and where to look for it."""

from __future__ import annotations

from collections.abc import Container
from typing import Literal

import msgspec

Layer = Literal["identity", "palace", "scratchpad", "artifacts", "procedures", "generation"]
"""Where an answer may come from, in the order in which they are asked."""


class Detection(msgspec.Struct, frozen=True):
    """What a prompt asks for.

    `confidence` is the chance, in [0, 1], that it asks for something remembered;
    `recall` says whether that is at least one half. `layers` are those of palace,
    scratchpad, artifacts and procedures that are worth asking, always in that
    order; none for a prompt that is not recall. `reasons` name the signs that
    spoke for it and against it, the strongest first.
    """

    recall: bool
    confidence: float
    layers: tuple[Layer, ...] = ()
    reasons: tuple[str, ...] = ()


def detect(prompt: str, known: Container[str] = frozenset()) -> Detection:
    """Whether a prompt asks for something remembered.

    `known` holds names of people and projects that the memory knows, case-folded.
    """
    recall = bool(prompt.strip()) and prompt.casefold() not in known
    return Detection(recall, 0.5, ("palace", "scratchpad", "artifacts", "procedures"))
