"""Time in a cue: the period that it names is almost a filter, and its words are no topic."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from mnemolog import Memory
from mnemolog.ledger.clock import Micros
from mnemolog.policies.contradictions.rules import RuleJudge
from tests.homes import HandClock

TOLD = {
    "2025-03-04": "The chimney sweep was here today and found a cracked pipe.",
    "2025-04-15": "The chimney sweep cleaned the stove yesterday, all in order.",
    "2025-06-10": "The chimney sweep came last Friday and swept both flues.",
    "2025-09-02": "The chimney sweep will come on the 9th for the new stove.",
    "2025-11-20": "The chimney sweep said this afternoon that the flue is too narrow.",
}
TODAY = "2025-12-01"


def instant(day: str) -> Micros:
    """Noon of a day."""
    at = datetime.fromisoformat(day).replace(hour=12, tzinfo=UTC)
    return Micros(int(at.timestamp()) * 1_000_000)


@pytest.fixture
def told(tmp_path: Path) -> Memory:
    """A home whose memories were said on the days above, asked on 1 December."""
    clock = HandClock(instant("2025-01-01"))
    memory = Memory.open(tmp_path / "home", clock=clock, judge=RuleJudge())
    for day, text in TOLD.items():
        clock.time = instant(day)
        memory.remember(text)
    clock.time = instant(TODAY)
    return memory


@pytest.mark.parametrize(
    ("cue", "said"),
    [
        ("What did the chimney sweep find in March?", "2025-03-04"),
        ("What did the chimney sweep do on 14 April?", "2025-04-15"),
        ("what did the chimney sweep do on the first Friday of June", "2025-06-10"),
        ("Was the chimney sweep due on 9 September?", "2025-09-02"),
        ("What did the chimney sweep say eleven days ago?", "2025-11-20"),
        ("What did the chimney sweep find on the first visit?", "2025-03-04"),
        ("What did the chimney sweep do the day after 13 April?", "2025-04-15"),
        ("What did the chimney sweep do on 2 March?", "2025-03-04"),
        ("What did the chimney sweep say on 16 November?", "2025-11-20"),
        ("What was my first news of the chimney sweep?", "2025-03-04"),
        ("What was my latest news of the chimney sweep?", "2025-11-20"),
        ("What was my second news of the chimney sweep?", "2025-04-15"),
    ],
)
def test_the_memory_of_the_period_ranks_first(told: Memory, cue: str, said: str) -> None:
    """Of memories on one subject, that whose own time lies in the cue's period comes first."""
    assert told.recall(cue).hits[0].content == TOLD[said]


def test_a_cue_of_nothing_but_a_time_finds_what_is_of_it(told: Memory) -> None:
    """A memory of the period counts as found, even if the cue shares no word with it."""
    assert told.recall("What was on 14 April?").hits[0].content == TOLD["2025-04-15"]


def test_a_time_near_which_nothing_was_told_is_left_out(told: Memory) -> None:
    """If no memory is of the period or of the days around it, the cue is asked without it."""
    timed = told.recall("What did the chimney sweep say is too narrow, on 1 August?")
    assert timed.hits[0].content == TOLD["2025-11-20"]
