"""Persistence of a memory: how much it deserves to be kept, and its components."""

from __future__ import annotations

import math

import msgspec

from mnemolog.results import Value

_FREQUENCY, _EMPHASIS, _CENTRALITY, _RECENCY, _IMPORTANCE = 0.25, 0.20, 0.25, 0.15, 0.15
_USES = 0.3
_RECENT_DAYS = 30.0
_TALK = 10.0
"""So many other memories of its run make a talk long to 63 %."""
_PINNED, _FOR_A_GOAL = 1.0, 0.8


class Signs(msgspec.Struct, frozen=True):
    """Evidence for a memory's persistence, as of one instant.

    - `accesses` counts its successful recalls.
    - `idle_days` is the number of days since the last recall, or else since it was
      remembered.
    - `emphasised`, `corrects_error` and `serves_goal` are its marks, or the equivalent in
      its category and edges.
    - `talk` counts the other memories of its run.
    - `confirmed` is True if a conflict was settled in its favour, or a verified edge
      supports it.
    - `degree` and `rank` are those of `indexes.centrality`, each relative to the largest of
      the space, in [0, 1].
    """

    accesses: int = 0
    idle_days: float = 0.0
    emphasised: bool = False
    corrects_error: bool = False
    serves_goal: bool = False
    confirmed: bool = False
    talk: int = 0
    degree: float = 0.0
    rank: float = 0.0
    pinned: bool = False


class Persistence(Value, frozen=True):
    """Persistence of a memory in [0, 1], and its five components, each in [0, 1].

    `value` is 0.25 frequency + 0.20 emphasis + 0.25 centrality + 0.15 recency + 0.15
    importance.
    """

    value: float
    frequency: float
    emphasis: float
    centrality: float
    recency: float
    importance: float


def persistence(signs: Signs) -> Persistence:
    """Persistence of a memory from its evidence.

    - frequency: 1 - e^(-0.3 accesses)
    - emphasis: 0.3 emphasised + 0.2 corrects an error + 0.25 serves a goal + 0.15 length of
      talk + 0.1 confirmed, where n other memories of the run give a length of 1 - e^(-n/10)
    - centrality: min(1, 0.4 degree + 0.6 rank)
    - recency: e^(-idle days / 30)
    - importance: 1 if pinned, 0.8 if it serves a goal, else 0
    """
    frequency = -math.expm1(-_USES * signs.accesses)
    emphasis = (
        0.3 * signs.emphasised
        + 0.2 * signs.corrects_error
        + 0.25 * signs.serves_goal
        + 0.15 * -math.expm1(-signs.talk / _TALK)
        + 0.1 * signs.confirmed
    )
    centrality = min(1.0, 0.4 * signs.degree + 0.6 * signs.rank)
    # A clock that was set back must not make a memory more recent than now.
    recency = math.exp(-max(0.0, signs.idle_days) / _RECENT_DAYS)
    importance = _PINNED if signs.pinned else _FOR_A_GOAL if signs.serves_goal else 0.0
    value = (
        _FREQUENCY * frequency
        + _EMPHASIS * emphasis
        + _CENTRALITY * centrality
        + _RECENCY * recency
        + _IMPORTANCE * importance
    )
    return Persistence(value, frequency, emphasis, centrality, recency, importance)
