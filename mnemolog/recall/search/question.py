"""What is asked: a cue, what it is asked of, and how it is to be answered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

import msgspec
import numpy as np
import numpy.typing as npt

from mnemolog.indexes.filters import STATUSES, Filter
from mnemolog.ledger.clock import Micros
from mnemolog.ledger.errors import InvalidField, InvalidNumber
from mnemolog.ledger.ids import Position
from mnemolog.policies.memories import checked_length, checked_text, checked_texts
from mnemolog.recall.cues.cues import CueReading
from mnemolog.recall.search.candidates import DEFAULT_FUSION, Fusion
from mnemolog.recall.search.relevance import MEAN, Blend
from mnemolog.recall.search.steering import Steering

Strategy = Literal["hybrid", "rrf", "semantic", "keyword"]
"""How candidates are ranked: a blend of calibrated scores (the default), weighted
reciprocal rank fusion, or one search alone."""

STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)
CALIBRATED = frozenset({"hybrid"})
"""The strategies whose relevance is calibrated; of the others it is the score as it is."""

PLAIN_STATUSES = ("active", "contested", "pending", "archived", "summarized")
"""The statuses that a plain question is answered with."""

LIMIT = 1_000
"""The most hits that may be asked for."""

LONGEST_CUE = 100_000
"""Characters that a cue may have: every run of its words is looked up, as a name it may hold."""


PLAIN = CueReading("hybrid", "the cue is searched for as it stands", "fact")
"""How a cue is read that nothing is read into."""


class Question(msgspec.Struct, frozen=True):
    """A cue and everything that narrows it.

    `position` fixes what was known, `instant` what is 'now', `present` the instant up to
    which time has passed for what fades, and `valid_at` when it must have been true.
    `statuses` names statuses to answer with as they stand; empty asks for a plain answer.
    `pinned` are the memories in working memory, by space. `vector` is the cue's unit vector
    if the caller has it, of shape (dimensions,), `centroid` that of what the caller
    attends to. `blend` weighs the components of relevance, `fusion` the searches
    where their ranks are fused, `reading` says what the cue asks for. What is
    less relevant than `min_relevance` is left out. `subjects` are keyed hashes of what
    the cue may be about; `steering` is what votes on earlier hits made of it.
    """

    cue: str
    position: Position
    instant: Micros
    present: Micros
    limit: int = 10
    filters: dict[str, Filter] = {}
    pinned: dict[str, frozenset[Position]] = {}
    statuses: tuple[str, ...] = ()
    valid_at: Micros | None = None
    strategy: Strategy = "hybrid"
    vector: npt.NDArray[np.float32] | None = None
    centroid: npt.NDArray[np.float32] | None = None
    blend: Blend = MEAN
    fusion: Fusion = DEFAULT_FUSION
    reading: CueReading = PLAIN
    min_relevance: float = 0.0
    subjects: frozenset[bytes] = frozenset()
    steering: Steering | None = None

    @property
    def narrowed(self) -> bool:
        """Whether only some memories are asked for."""
        filtered = any(one != Filter() for one in self.filters.values())
        return filtered or bool(self.statuses) or self.valid_at is not None


def checked_limit(limit: int) -> int:
    """A number of hits. Raises `InvalidNumber` unless it is from 1 to 1,000."""
    return checked_up_to(LIMIT, "limit", limit)


def checked_up_to(most: int, field: str, value: int) -> int:
    """A whole number. Raises `InvalidNumber` unless it is from 1 to `most`."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise InvalidNumber(field, f"{value!r} is out of range", f"give 1 to {most}")
    return value


def checked_share(field: str, value: float) -> float:
    """A share. Raises `InvalidNumber` unless it is from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InvalidNumber(field, f"{value!r} is out of range", "give 0 to 1")
    return float(value)


def checked_seed(seed: int) -> int:
    """A seed of random numbers. Raises `InvalidNumber` unless it is from 0 to 2**63 - 1."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 1 << 63:
        raise InvalidNumber("exploration", f"{seed!r} is no seed", "give a whole number from 0")
    return seed


def checked_count(field: str, value: int) -> int:
    """A number of things, or of one of them. Raises `InvalidNumber` for what is no integer."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidNumber(field, f"{value!r} is no whole number", "give one")
    return value


def checked_statuses(statuses: Sequence[str]) -> tuple[str, ...]:
    """Statuses asked for by name. Raises `InvalidField` for one that does not exist."""
    named = checked_texts("statuses", statuses)
    for status in named:
        if status not in STATUSES:
            raise InvalidField(
                "statuses", f"{status!r} is unknown", f"use some of {', '.join(STATUSES)}"
            )
    return named


def checked_strategy(strategy: str) -> Strategy:
    """A strategy by name. Raises `InvalidField` for one that does not exist."""
    for known in STRATEGIES:
        if strategy == known:
            return known
    raise InvalidField(
        "strategy", f"{strategy!r} is unknown", f"use one of {', '.join(STRATEGIES)}"
    )


def checked_cue(cue: str, field: str = "cue") -> str:
    """A cue with something to look for. Raises `InvalidField` for an empty or too long one."""
    if not isinstance(cue, str) or not cue.strip():
        raise InvalidField(field, "is empty", "say what to look for")
    checked_length(LONGEST_CUE, field, cue)
    checked_text(field, cue)
    return cue


def checked_vector(vector: npt.ArrayLike | None, dimensions: int) -> npt.NDArray[np.float32] | None:
    """A cue's vector as a unit vector. Raises `InvalidField` for a wrong shape, NaN or zero."""
    if vector is None:
        return None
    try:
        array = np.asarray(vector, np.float32)
    except (TypeError, ValueError):
        raise InvalidField("vector", "is no list of numbers", "give the embedder's own") from None
    if array.shape != (dimensions,) or not np.isfinite(array).all() or not array.any():
        raise InvalidField(
            "vector",
            f"has shape {array.shape}, or holds NaN or only zeros",
            f"give {dimensions} finite numbers",
        )
    unit: npt.NDArray[np.float32] = array / np.linalg.norm(array)
    return unit
