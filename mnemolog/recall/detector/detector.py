"""Detector of prompts that ask for something remembered, and of the layers to ask.

Rules, no model: signs in the words speak for recall or against it, and their
weights add up to log-odds. What a prompt is about does not matter, only whether
it asks for what someone did, said, has or likes, for the state of some work, or
for earlier talk, rather than for general knowledge, a task or a service's help.
"""

from __future__ import annotations

import math
from collections.abc import Container, Sequence
from typing import Literal

from mnemolog.language.lists import word_set
from mnemolog.recall.detector.phrases import LISTS, Group
from mnemolog.recall.detector.signs import Sign, signs
from mnemolog.recall.detector.wording import wording
from mnemolog.results import Value

Layer = Literal["identity", "palace", "scratchpad", "artifacts", "procedures", "generation"]
"""Layers that may answer, in the order in which they are asked."""

PRIOR = -1.5
"""The log-odds of recall before any sign: most prompts ask for something else."""


class Detection(Value, frozen=True):
    """Detection of what a prompt asks for.

    `confidence` is the chance, in [0, 1], that it asks for something remembered:
    the logistic of the prior and the weights of all signs. `recall` says whether
    it is over one half. `layers` are those of palace, scratchpad, artifacts and
    procedures that are worth asking, always in that order; none for a prompt that
    is not recall. `reasons` are the signs with their weights, the heaviest first.
    """

    recall: bool
    confidence: float
    layers: tuple[Layer, ...] = ()
    reasons: tuple[str, ...] = ()


def detect(prompt: str, known: Container[str] = frozenset()) -> Detection:
    """Detection of a prompt that asks for something remembered.

    `known` holds names of people and projects that the memory knows, case-folded:
    a prompt that names one asks for it more likely than not. English only: of
    another language it says no, unless a known name is in it.
    """
    worded = wording(prompt, known)
    found = signs(worded)
    log_odds = PRIOR + sum(sign.weight for sign in found)
    recall = log_odds > 0
    return Detection(
        recall=recall,
        confidence=1 / (1 + math.exp(-log_odds)),
        layers=_layers(worded.words, found) if recall else (),
        reasons=tuple(f"{sign.weight:+g} {sign.group}: {sign.words}" for sign in found),
    )


_OF_PEOPLE: frozenset[Group] = frozenset(
    ("the asker's own", "the asker's doings", "a person", "private life")
)
_OF_WORK: frozenset[Group] = frozenset(("work at hand", "earlier talk", "what was said"))
_LONG_AGO = word_set("month months year years")


def _layers(said: frozenset[str], found: Sequence[Sign]) -> tuple[Layer, ...]:
    """The layers worth asking; one is left out only where nothing speaks for it."""
    groups = {sign.group for sign in found if sign.weight > 0}
    layers: list[Layer] = ["palace"]
    if said.isdisjoint(_LONG_AGO) or "this" in said:
        layers.append("scratchpad")  # which holds a day at most
    if groups & _OF_WORK or not groups & _OF_PEOPLE or said & LISTS.words("work_words"):
        layers.append("artifacts")
    if said & LISTS.words("ways"):
        layers.append("procedures")
    return tuple(layers)
