"""Lasting facts: statements that a memory must never let fade.

A birthday, a blood type, an address or a standing instruction is requested once in years,
so its use does not show its value. Such statements are recognised by their similarity to
labelled ones (see `policies.constraints.likeness`); `python -m benchmarks.lasting` fits the
weights. The thresholds are low on purpose: a statement kept without need costs little
space, a missed one costs a birthday.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from mnemolog.policies.constraints.likeness import (
    Floats,
    LikenessWeights,
    likeness,
    unpacked,
    word_likeness,
)
from mnemolog.policies.constraints.recognition import SAFETY

LASTS = -0.6
"""The likeness to lasting facts over which a statement counts as one, by words and meaning."""

LASTS_BY_WORDS = -0.3
"""The same where words alone are known."""

MAY_LAST = -0.7
"""The likeness by words under which meaning is not looked at: no vector is made for it."""

LASTING_CATEGORIES = frozenset({"user_identity"})
"""Categories of memories that always last."""

LASTING_CONSTRAINTS = frozenset({SAFETY})
"""Classes of constraints that always last."""


def may_last(text: str) -> bool:
    """True if the words of a sentence do not rule out that it states a lasting fact."""
    return not text.endswith("?") and word_likeness(text, fitted_weights()) > MAY_LAST


def lasts(text: str, vector: Floats) -> bool:
    """True if a sentence states a lasting fact; `vector` is its unit vector by `FITTED_TO`."""
    return float(likeness(text, vector, fitted_weights())[0]) > LASTS


def lasts_by_words(text: str) -> bool:
    """True if a sentence states a lasting fact, by words alone; for other embedders."""
    return not text.endswith("?") and word_likeness(text, fitted_weights()) > LASTS_BY_WORDS


@cache
def fitted_weights() -> LikenessWeights:
    """Fitted weights that are shipped with the package."""
    return unpacked(files("mnemolog.policies.retention").joinpath("lasting.npz").read_bytes())
