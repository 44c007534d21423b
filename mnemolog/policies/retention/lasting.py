"""Lasting facts: whether a statement is one that a memory must never let fade.

A birthday, a blood type, an address or a standing instruction is asked for once in
years, so that its use says nothing of its worth. Such statements are recognised by
their likeness to labelled ones (`policies.constraints.likeness` says how); the weights are
fitted by `python -m benchmarks.lasting`. The limits are low on purpose: a statement
that is kept without need costs a little room, one that is missed costs a birthday.
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
    """Whether the words of a sentence leave it open that it states a lasting fact."""
    return not text.endswith("?") and word_likeness(text, fitted_weights()) > MAY_LAST


def lasts(text: str, vector: Floats) -> bool:
    """Whether a sentence states a lasting fact; `vector` is its unit vector by `FITTED_TO`."""
    return float(likeness(text, vector, fitted_weights())[0]) > LASTS


def lasts_by_words(text: str) -> bool:
    """The same by words alone, for texts whose vectors another embedder makes."""
    return not text.endswith("?") and word_likeness(text, fitted_weights()) > LASTS_BY_WORDS


@cache
def fitted_weights() -> LikenessWeights:
    """The weights that come with the program."""
    return unpacked(files("mnemolog.policies.retention").joinpath("lasting.npz").read_bytes())
