"""Checks of a question's arguments: limits, shares, strategies, statuses and cues."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, get_args

from mnemolog.indexes.filters import STATUSES
from mnemolog.ledger.errors import InvalidField, InvalidNumber
from mnemolog.policies.memories import checked_length, checked_text, checked_texts

if TYPE_CHECKING:
    from mnemolog.projections.memory_queries import Status

# Ranking strategy: a blend of calibrated scores, reciprocal rank fusion, or one search alone.
Strategy = Literal["hybrid", "rrf", "semantic", "keyword"]
STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)
# Strategies with calibrated relevance; in the others, relevance is the score itself.
CALIBRATED = frozenset({"hybrid"})
# Decimals at which two scores count as equal: calibrated ones, and those of a single search.
_TOO_CLOSE, _EQUAL = 3, 6
# Statuses of memories that answer a plain question.
PLAIN_STATUSES: tuple[Status, ...] = ("active", "contested", "pending", "archived", "summarized")
LIMIT = 1_000  # Highest limit of hits
LONGEST_CUE = 100_000  # Characters: every run of its words is looked up as a possible name


def checked_limit(limit: int) -> int:
    """Limit of hits. Raises `InvalidNumber` unless it is from 1 to 1,000."""
    return checked_up_to(LIMIT, "limit", limit)


def checked_up_to(most: int, field: str, value: int) -> int:
    """Whole number in a range. Raises `InvalidNumber` unless it is from 1 to `most`."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise InvalidNumber(field, f"{value!r} is out of range", f"give 1 to {most}")
    return value


def checked_share(field: str, value: float) -> float:
    """Share as a float. Raises `InvalidNumber` unless it is from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InvalidNumber(field, f"{value!r} is out of range", "give 0 to 1")
    return float(value)


def checked_seed(seed: int) -> int:
    """Seed of random numbers. Raises `InvalidNumber` unless it is from 0 to 2**63 - 1."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 1 << 63:
        raise InvalidNumber("exploration", f"{seed!r} is no seed", "give a whole number from 0")
    return seed


def checked_count(field: str, value: int) -> int:
    """Count or ordinal number. Raises `InvalidNumber` if it is not an integer."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidNumber(field, f"{value!r} is no whole number", "give one")
    return value


def checked_statuses(statuses: Sequence[str]) -> tuple[str, ...]:
    """Statuses by name. Raises `InvalidField` for an unknown one."""
    named = checked_texts("statuses", statuses)
    for status in named:
        if status not in STATUSES:
            fix = f"use some of {', '.join(STATUSES)}"
            raise InvalidField("statuses", f"{status!r} is unknown", fix)
    return named


def checked_strategy(strategy: str) -> Strategy:
    """Strategy by name. Raises `InvalidField` for an unknown one."""
    for known in STRATEGIES:
        if strategy == known:
            return known
    fix = f"use one of {', '.join(STRATEGIES)}"
    raise InvalidField("strategy", f"{strategy!r} is unknown", fix)


def checked_cue(cue: str, field: str = "cue") -> str:
    """Cue, checked. Raises `InvalidField` if it is no text, empty or too long."""
    text = checked_text(field, cue)
    if text is None or not text.strip():
        raise InvalidField(field, "is empty", "say what to look for")
    return checked_length(LONGEST_CUE, field, text)


def decimals(strategy: Strategy) -> int:
    """Decimals at which two scores of a strategy count as equal."""
    return _TOO_CLOSE if strategy in CALIBRATED else _EQUAL
