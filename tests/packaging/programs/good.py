"""Program of a user that both type checkers accept, and that runs as it is checked."""

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, assert_type

from ledger.module import NAME as OWN_LEDGER
from policies.module import NAME as OWN_POLICIES

from mnemolog import (
    AsOf,
    AsyncMemory,
    Listing,
    Asked,
    Change,
    Checkpoint,
    Conflict,
    Context,
    Correction,
    Diff,
    Edge,
    Entry,
    Explanation,
    FoundConflict,
    Hit,
    Item,
    Memory,
    Moment,
    NewMemory,
    Option,
    Plan,
    RankedOption,
    Recall,
    Receipt,
    ReceiptEvent,
    Session,
    Settings,
    Stats,
    Tick,
    TrailEntry,
    UnknownMemory,
    Verified,
)


def remember(memory: Memory) -> Receipt:
    """Store memories in several ways."""
    receipt = memory.remember(
        "Dana prefers green tea", source="user:dana", kind="semantic", tags=("drinks",)
    )
    assert_type(receipt, Receipt)
    assert_type(receipt.events, tuple[ReceiptEvent, ...])
    assert_type(receipt.conflicts, tuple[FoundConflict, ...])
    assert_type(receipt.recorded_at, datetime)
    many = memory.remember_many(["The boiler is serviced in May", NewMemory("Leo has a dog")])
    assert_type(many, Listing[Receipt])
    assert_type(memory.correct("Dana prefers black tea, not green tea"), Correction)
    return receipt


def read(memory: Memory) -> None:
    """Read answers down to their plain values."""
    recall = memory.recall("what does Dana drink?", limit=5)
    assert_type(recall, Recall)
    assert_type(recall.hits, tuple[Hit, ...])
    assert_type(recall.as_of, AsOf)
    assert_type(recall.support, Literal["strong", "weak", "none"])
    hit = recall.hits[0]
    assert_type(hit.content, str)
    assert_type(hit.relevance, float)
    assert_type(hit.explanation, Explanation)
    assert_type(hit.explanation.scores, dict[str, float])
    assert_type(hit.trail, tuple[TrailEntry, ...])
    if hit.status == "contested":
        assert_type(hit.valid_from, datetime | None)
    assert_type(memory.ask("What did Dana say she drinks?"), Asked)
    assert_type(memory.context("What does Dana drink?"), Context)
    plan = memory.plan("Buy a drink for Dana", [Option("green tea"), "coffee"])
    assert_type(plan, Plan)
    assert_type(plan.options, tuple[RankedOption, ...])
    assert_type(memory.get(hit.memory_id), Item)
    assert_type(memory.list(), Listing[Item])
    assert_type(memory.history(hit.memory_id), Listing[Entry])
    assert_type(memory.graph.links(), Listing[Edge])
    assert_type(memory.conflicts.list(), Listing[Conflict])
    assert_type(memory.settings(), Settings)


def look_back(memory: Memory, receipt: Receipt) -> None:
    """Ask about the past and as another actor."""
    moment = memory.as_of(receipt.position)
    assert_type(moment, Moment)
    assert_type(moment.recall("tea").hits, tuple[Hit, ...])
    assert_type(moment.instant, datetime)
    assert_type(memory.as_of(datetime.now(UTC)).space, str)
    assert_type(moment.log.events(), Iterator[Entry])
    with memory.acting("work", actor="agent:planner") as acting:
        assert_type(acting, Memory)
        assert_type(acting.remember("The planner starts at nine").warnings, tuple[str, ...])
    diff = memory.diff(0, receipt.position)
    assert_type(diff, Diff)
    assert_type(diff.changes, tuple[Change, ...])


def check(memory: Memory) -> None:
    """Verify the log, and meet an error with its facts."""
    checkpoint = memory.log.checkpoint()
    assert_type(checkpoint, Checkpoint)
    assert_type(memory.log.verify(checkpoint), Verified)
    assert_type(memory.upkeep.stats(), Stats)
    assert_type(memory.home, Path)
    assert_type(memory.notices, list[str])
    try:
        memory.get("00000000-0000-7000-8000-000000000000")
    except UnknownMemory as error:
        assert_type(error.reference, str)


def search(memory: Memory) -> None:
    """Find something in rounds, and let time pass."""
    session = memory.sessions.start("what Dana drinks")
    assert_type(session, Session)
    shown = session.memories
    session = memory.sessions.vote(session.session_id, {hit.memory_id: "hot" for hit in shown})
    assert_type(session.memories, tuple[Hit, ...])
    assert_type(memory.upkeep.tick(), Tick)


async def wait() -> None:
    """Use the same methods as coroutines."""
    async with AsyncMemory.open("home", actor="user:dana") as memory:
        assert_type(memory, AsyncMemory)
        receipt = await memory.remember("Leo walks the dog at seven", kind="episodic")
        assert_type(receipt, Receipt)
        assert_type((await memory.recall("dog")).hits, tuple[Hit, ...])
        moment = await memory.as_of(receipt.position)
        assert_type(await moment.list(), Listing[Item])
        task = asyncio.create_task(memory.get(receipt.memory_id or ""))
        assert_type(await task, Item)
        async for entry in memory.log.events():
            assert_type(entry, Entry)


def main() -> None:
    """Use the library beside packages of the user's own with the same names as its parts."""
    with Memory.open("home", missing="create", actor="user:dana") as memory:
        receipt = remember(memory)
        read(memory)
        look_back(memory, receipt)
        search(memory)
        check(memory)
    asyncio.run(wait())
    print(f"{OWN_LEDGER} and {OWN_POLICIES} are the user's")


main()
