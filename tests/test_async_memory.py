"""The memory by coroutines: the same methods, in threads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from inspect import isawaitable, signature
from pathlib import Path

import pytest

from mnemolog import AsyncMemory, Memory, NewMemory, UnknownMemory
from tests.homes import BagOfWords

_Test = Callable[[AsyncMemory], Coroutine[object, object, None]]


def _with_memory(home: Path, test: _Test) -> None:
    async def run() -> None:
        async with AsyncMemory.open(home, embedder=BagOfWords()) as memory:
            await test(memory)

    asyncio.run(run())


def test_commands_and_questions_are_awaited(tmp_path: Path) -> None:
    """What a coroutine stores, another finds; groups and past moments are awaited as well."""

    async def test(memory: AsyncMemory) -> None:
        stored = await memory.remember("Dana prefers green tea", source="user:dana")
        await memory.supersede(stored.memory_id or "", "Dana prefers black tea")
        assert (await memory.recall("green tea")).hits[0].content == "Dana prefers black tea"
        past = await memory.as_of(stored.position)
        assert (await past.recall("green tea")).hits[0].content == "Dana prefers green tea"
        assert (await memory.log.verify()).events == 3
        kinds = [entry.kind async for entry in memory.log.events()]
        assert kinds == ["remembered", "remembered", "superseded"]

    _with_memory(tmp_path, test)


def test_calls_run_side_by_side(tmp_path: Path) -> None:
    """Many commands at once are all stored, and the loop goes on meanwhile."""

    async def test(memory: AsyncMemory) -> None:
        texts = [f"the shelf has number {number}" for number in range(20)]
        beats = 0

        async def beat() -> None:
            nonlocal beats
            while True:
                beats += 1
                await asyncio.sleep(0)

        beating = asyncio.create_task(beat())
        storing = (memory.remember(text, contradictions="off") for text in texts)
        receipts = await asyncio.gather(*storing)
        beating.cancel()
        assert {receipt.position for receipt in receipts} == set(range(1, 21))
        assert beats > len(texts)

    _with_memory(tmp_path, test)


def test_errors_are_raised_where_they_are_awaited(tmp_path: Path) -> None:
    """A coroutine raises what the method raises."""

    async def test(memory: AsyncMemory) -> None:
        with pytest.raises(UnknownMemory):
            await memory.get("0190a1b2")

    _with_memory(tmp_path, test)


def test_an_opened_memory_can_be_awaited_and_closed(tmp_path: Path) -> None:
    """`await AsyncMemory.open(…)` gives a memory to be closed by hand."""

    async def run() -> None:
        memory = await AsyncMemory.open(tmp_path, embedder=BagOfWords())
        await memory.remember_many([NewMemory("one"), NewMemory("two")])
        assert repr(memory) == f"AsyncMemory({str(tmp_path)!r}, space='default')"
        await memory.close()

    asyncio.run(run())
    with Memory.open(tmp_path, embedder=BagOfWords()) as memory:
        assert len(memory.list()) == 2


GROUPS = ("log", "graph", "conflicts", "sessions", "admission", "inspect", "upkeep")


def test_both_memories_have_the_same_methods(tmp_path: Path) -> None:
    """Each public method of a memory and its groups is there as a coroutine, with its arguments."""

    def methods(face: object) -> dict[str, str]:
        names = [name for name in dir(face) if not name.startswith("_")]
        found = {name: getattr(face, name) for name in names}
        return {name: str(signature(one)) for name, one in found.items() if callable(one)}

    async def test(memory: AsyncMemory) -> None:
        same = memory._memory
        assert set(methods(memory)) == set(methods(same)) - {"acting"}
        for group in GROUPS:
            assert methods(getattr(memory, group)) == methods(getattr(same, group))
        pending = memory.inspect.counts()
        assert isawaitable(pending)
        await pending

    _with_memory(tmp_path, test)
