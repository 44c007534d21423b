"""Program with mistakes: each line marked `# wrong` is one, and nothing else is."""

import asyncio

import mnemolog
from mnemolog import AsyncMemory, Hit, Memory, NewMemory


def main() -> None:
    """Mistakes in literals, attributes, types of arguments, and keywords."""
    mnemolog.Recal  # wrong
    memory = Memory.open("home", missing="creat")  # wrong
    memory.remember("Dana likes tea", kind="semantik")  # wrong
    memory.remember("Dana likes tea", sorce="user:dana")  # wrong
    memory.remember(3)  # wrong
    memory.remember()  # wrong
    memory.remember("Dana likes tea", contradictions="maybe")  # wrong
    NewMemory("Dana likes tea", kind="semantik")  # wrong
    recall = memory.recall("tea", limit="five")  # wrong
    memory.recall("tea", strategy="keywords")  # wrong
    memory.recall("tea", statuses=["actve"])  # wrong
    memory.recal("tea")  # wrong
    recall.hitz  # wrong
    hit: Hit = recall.hits[0]
    print(hit.contnt)  # wrong
    print(hit.relevance + "x")  # wrong
    print(hit.status == "actve")  # wrong
    hit.content = "changed"  # wrong
    memory.remember("tea").positon  # wrong
    memory.as_of(2.5)  # wrong
    memory.as_of(2).remember("the past does not change")  # wrong
    memory.as_of(2).recall("tea", limits=3)  # wrong
    memory.acting(actor=3)  # wrong
    memory.acting("work").get("x").contents  # wrong
    memory.pin(["a", 1])  # wrong
    memory.graph.link("a", "IS_A", "b", by="c")  # wrong
    with memory as opened:
        opened.forget("tea")  # wrong
    memory.log.verify("checkpoint")  # wrong
    memory.log.verfy()  # wrong
    memory.sessions.start("tea", limit="five")  # wrong
    memory.sessions.vote("session", {"id": "hotter"})  # wrong
    memory.graph.link("a", "IS_A", "b", origin="verifed")  # wrong


async def wait() -> None:
    """Mistakes in coroutines."""
    async with AsyncMemory.open("home", missing="creat") as memory:  # wrong
        (await memory.remember("tea", kind="semantik")).position  # wrong
        memory.recall("tea").hits  # wrong
        memory.remember("never awaited")  # wrong
        (await memory.recall("tea")).hitz  # wrong


main()
asyncio.run(wait())
