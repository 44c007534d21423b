"""A year in a household: default settings, ticks every ten days, recall as the only use."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal

from mnemolog import Memory
from tests.homes import DAY, HandClock
from tests.household import memories, other_memories
from tests.household.memories import lines
from tests.serve.mcp.clients import offered

SOAK = os.environ.get("MNEMOLOG_SOAK") == "1"
TICKS, BETWEEN = 40, 10 * DAY
ASKED_BETWEEN_TICKS = 12 if SOAK else 2
Ask = Callable[[str], str]
"""The id of the first hit of a question."""


@pytest.fixture
def clock() -> HandClock:
    """The clock of the household."""
    return HandClock()


@pytest.fixture
def memory(tmp_path: Path, clock: HandClock) -> Iterator[Memory]:
    """An empty home with the built-in embedder."""
    with Memory.open(tmp_path / "home", clock=clock, actor="user:anna") as opened:
        yield opened


@pytest.fixture
def portal() -> Iterator[BlockingPortal]:
    """A loop in a thread of its own, for clients."""
    with start_blocking_portal() as opened:
        yield opened


class Household(NamedTuple):
    """What a household tells its memory, and asks it."""

    lasting: list[str]
    passing: list[str]
    questions: list[str]


HOUSEHOLDS = [
    Household(lines(told.LASTING), lines(told.PASSING), lines(told.QUESTIONS))
    for told in (memories, other_memories)
]


def live_a_year(memory: Memory, clock: HandClock, ask: Ask, household: Household) -> None:
    """Store, ask and tick for 400 days, and check that nothing is lost."""
    told = [*household.lasting, *household.passing]
    receipts = memory.remember_many(told)
    ids = {text: str(receipt.memory_id) for text, receipt in zip(told, receipts, strict=True)}
    questions = household.questions if SOAK else household.questions[::2]
    first = {question: ask(question) for question in questions}
    asked = cycle(questions)
    for _ in range(TICKS):
        clock.move(BETWEEN)
        for question in islice(asked, ASKED_BETWEEN_TICKS):
            ask(question)
        # Raises where it would have to be confirmed.
        memory.upkeep.tick()
    assert {question: ask(question) for question in questions} == first
    health = memory.upkeep.health()
    assert (health.destroyed, health.deletions) == ((), 0)
    items = {text: memory.get(one) for text, one in ids.items()}
    assert [text for text in household.lasting if items[text].status != "active"] == []
    assert {item.tier for item in items.values()} == {"active", "archived"}
    assert all(item.content == text for text, item in items.items())
    memory.log.verify()


@pytest.mark.parametrize("household", HOUSEHOLDS)
def test_a_household_year_loses_nothing(
    memory: Memory, clock: HandClock, household: Household
) -> None:
    """No memory is destroyed, no lasting fact falls, every question is answered as at first."""
    live_a_year(
        memory, clock, lambda question: memory.recall(question).hits[0].memory_id, household
    )
    assert memory.upkeep.health().uses_ever.recalls == 0


@pytest.mark.parametrize("household", HOUSEHOLDS)
def test_a_household_year_through_mcp_loses_nothing(
    memory: Memory, clock: HandClock, portal: BlockingPortal, household: Household
) -> None:
    """The same where an agent asks through the MCP server, whose recalls count as uses."""
    with offered(portal, memory) as client:

        def ask(question: str) -> str:
            hits = client.call("recall", cue=question)["hits"]
            assert isinstance(hits, list)
            return str(hits[0]["memory_id"])

        live_a_year(memory, clock, ask, household)
    assert memory.upkeep.health().uses_ever.recalls > 0
