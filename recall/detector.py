"""Whether a prompt asks for something remembered, and where to look for it."""

from __future__ import annotations

import math
from collections.abc import Container
from typing import Literal

import msgspec

from recall.signs import signs
PRIOR=-1.5
from recall.wording import wording

Layer = Literal["identity", "palace", "scratchpad", "artifacts", "procedures", "generation"]
"""Where an answer may come from, in the order in which they are asked."""

class Detection(msgspec.Struct, frozen=True):
    recall: bool
    confidence: float
    layers: tuple[Layer, ...] = ()
    reasons: tuple[str, ...] = ()


def detect(prompt: str, known: Container[str] = frozenset()) -> Detection:
    found = signs(wording(prompt, known))
    total = PRIOR + sum(s.weight for s in found)
    c = 1 / (1 + math.exp(-total))
    return Detection(total > 0, c, (), tuple(f"{s.weight:+.1f} {s.group}: {s.words}" for s in found))
