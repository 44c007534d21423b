"""What an agent is shown with high relevance counts as used."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from anyio.from_thread import BlockingPortal

from mnemolog import Memory
from tests.serve.mcp.clients import connected, offered, over_stdio

FERRY = "The ferry to Elba leaves at eight from pier four"
CUE = "when does the ferry to Elba leave?"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """An empty home with the built-in embedder."""
    with Memory.open(tmp_path / "home") as opened:
        yield opened


@pytest.fixture
def ferry(memory: Memory) -> str:
    """The id of a memory that answers the cue."""
    memory.remember("Grandmother's piano is out of tune")
    return str(memory.remember(FERRY).memory_id)


def uses(memory: Memory) -> list[list[str]]:
    """The memories of each use that is written."""
    memory.upkeep.write_uses()
    return [list(entry.structure["memories"]) for entry in memory.log.events(kinds=("recalled",))]


def test_a_recall_by_an_agent_is_a_use_of_what_answers(
    portal: BlockingPortal, memory: Memory, ferry: str
) -> None:
    """The hit of high relevance is used, others are not; the cue is not kept."""
    with offered(portal, memory) as client:
        hits = client.call("recall", cue=CUE)["hits"]
        assert isinstance(hits, list)
        used = [hit["memory_id"] for hit in hits if hit["relevance"] > 0.5]
        assert used[0] == ferry
        # The server's own handle writes them, a second later at most.
        while not uses(memory):
            time.sleep(0.05)
    assert uses(memory) == [used]
    assert all(entry.content is None for entry in memory.log.events(kinds=("recalled",)))


def test_a_past_moment_and_a_person_leave_no_use(
    portal: BlockingPortal, memory: Memory, ferry: str
) -> None:
    """A recall as of a moment, and one by the library, change nothing."""
    with offered(portal, memory) as client:
        assert client.call("recall", cue=CUE, as_of=memory.log.checkpoint().position)["hits"]
    assert memory.recall(CUE).hits[0].memory_id == ferry
    assert uses(memory) == []


def test_hits_of_low_relevance_are_no_uses(memory: Memory, ferry: str) -> None:
    """What an agent is shown beside the answer is not reported."""
    hits = memory.recall("piano ferry", min_relevance=0.0).hits
    memory.upkeep.use_shown([hit for hit in hits if hit.relevance <= 0.5])
    assert uses(memory) == []
    assert memory.get(ferry).accesses == 0


def test_uses_survive_the_end_of_a_server(tmp_path: Path, portal: BlockingPortal) -> None:
    """A server whose client goes at once after a recall has written the use."""
    home = tmp_path / "home"
    with Memory.open(home) as memory:
        one = str(memory.remember(FERRY).memory_id)
    with connected(portal, over_stdio(home)) as client:
        assert client.call("recall", cue=CUE)["hits"]
    with Memory.open(home) as memory:
        assert memory.get(one).accesses == 1
        (used,) = memory.log.events(kinds=("recalled",))
        assert (used.actor, used.content) == ("agent:tester", None)
