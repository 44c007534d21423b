"""Which answers are the same, and what never stands before what."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np
import pytest
from hashed_words import HashedWords
from hypothesis import HealthCheck, given, settings, strategies as st

from mnemolog import Memory, NewEvent
from mnemolog.indexes.columns import Columns
from mnemolog.ledger.ids import Position
from mnemolog.projections.memory_queries import SupersessionRow
from mnemolog.recall.search.space_search import Chains
from tests.homes import draft

if TYPE_CHECKING:
    from conftest import SetClock

_CUES = ("kettle and ladder", "lanteern", "who tuned the violin?", "when did Mara buy the saddle?")
_WORDS = ("kettle", "ladder", "compass", "violin", "lantern", "orchard", "saddle", "anchor")
_ASK = """
import sys
from pathlib import Path
import msgspec
from hashed_words import HashedWords
from mnemolog import Memory
from test_laws_of_order import answers
with Memory.open(Path(sys.argv[1]), "home", embedder=HashedWords()) as memory:
    sys.stdout.buffer.write(answers(memory, int(sys.argv[2])))
"""


def answers(memory: Memory, position: int) -> bytes:
    """Everything that a moment answers, in every way of asking, as bytes."""
    then = memory.as_of(position)
    ways: list[dict[str, object]] = [
        {},
        {"strategy": "rrf"},
        {"exploration": 7},
        {"spaces": ("home", "shed")},
        {"statuses": ("active", "superseded"), "min_relevance": 0.1},
    ]
    return msgspec.json.encode([then.recall(cue, **way) for cue in _CUES for way in ways])  # type: ignore[arg-type]


def _said(chance: random.Random, number: int) -> str:
    words = " ".join(chance.choices(_WORDS, k=chance.randrange(1, 6)))
    return f"{chance.choice(('Mara: ', 'Ivo: ', ''))}item-{number} {words}"


def _fill(memory: Memory, chance: random.Random) -> None:
    ids: list[str] = []
    for number in range(30):
        if ids and chance.random() < 0.3:
            receipt = memory.supersede(chance.choice(ids), _said(chance, number))
        else:
            receipt = memory.remember(_said(chance, number))
        ids.append(receipt.memory_id or "")
        if chance.random() < 0.2:
            memory.log.append([NewEvent("weakened", {"factor": 0.5}, memory_id=chance.choice(ids))])
    memory.graph.link(ids[0], "RELATED_TO", ids[-1])


@pytest.mark.reads_notes
def test_another_process_gives_the_same_answers(
    memory: Memory, clock: SetClock, tmp_path: Path
) -> None:
    """The same question at the same position and instant has one answer, in any process."""
    with Memory.open(tmp_path / "home", "shed", clock=clock, embedder=HashedWords()) as shed:
        _fill(memory, random.Random(3))
        _fill(shed, random.Random(4))
    memory.configure({"reranker": "phrases"})
    head = memory.log.checkpoint().position
    places = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "faults"), *sys.path]
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(places)}
        command = [sys.executable, "-c", _ASK, str(tmp_path / "home"), str(head)]
        there = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE).stdout
        assert there == answers(memory, head)


def test_another_space_changes_nothing(memory: Memory, clock: SetClock, tmp_path: Path) -> None:
    """What is stored in another space changes no answer, neither now nor of the past."""
    _fill(memory, random.Random(5))
    head = memory.log.checkpoint().position

    def present() -> list[object]:
        return [memory.recall(cue, exploration=2).hits for cue in _CUES]

    then, now = answers(memory, head), present()
    with Memory.open(tmp_path / "home", "other", clock=clock, embedder=HashedWords()) as other:
        _fill(other, random.Random(6))
    assert answers(memory, head) == then
    assert present() == now


@settings(
    max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(seed=st.integers(0, 2**32))
def test_the_order_of_insertion_decides_ties_alone(
    tmp_path_factory: pytest.TempPathFactory, clock: SetClock, seed: int
) -> None:
    """Memories of one time, told in no talk, get the same scores in whatever order they came."""
    chance = random.Random(seed)
    texts = [_said(chance, number) for number in range(12)]
    found = []
    for order in (texts, chance.sample(texts, len(texts))):
        root = tmp_path_factory.mktemp("order")
        with Memory.open(root, "home", clock=clock, embedder=HashedWords()) as memory:
            drafts = [
                msgspec.structs.replace(draft(text, space="home"), correlation_id=None)
                for text in order
            ]
            memory._space.home.log.append(drafts)
            found.append(
                [
                    {
                        hit.content: [*hit.explanation.scores.values()]
                        for hit in memory.recall(
                            cue, limit=50, min_relevance=0, strategy=strategy
                        ).hits
                    }
                    for cue in _CUES
                    for strategy in ("hybrid", "semantic", "keyword")
                ]
            )
    for one, other in zip(*found, strict=True):
        assert one.keys() == other.keys()
        for content, scores in one.items():
            # Means over all memories are added up in the order in which they came.
            assert np.allclose(scores, other[content], atol=2e-4), content


# -- superseded and successor ----------------------------------------------------------


def _chain(memory: Memory) -> list[str]:
    """A memory, what superseded it and was withdrawn, and what superseded that."""
    first = memory.remember("the kettle and the ladder of the orchard").memory_id or ""
    second = memory.supersede(first, "a saddle").memory_id or ""
    third = memory.supersede(second, "violin lessons in the orchard of a compass").memory_id or ""
    memory.withdraw(second)
    memory.remember("the kettle in the orchard")
    return [first, third]


@pytest.mark.parametrize("reranker", ["off", "phrases"])
@pytest.mark.parametrize("exploration", [None, 1, 2, 3])
def test_a_successor_through_others_stands_first(
    memory: Memory, reranker: str, exploration: int | None
) -> None:
    """What was superseded through a memory that is not shown follows its successor all the same."""
    memory.configure({"reranker": reranker})
    first, third = _chain(memory)
    recalled = memory.recall(
        "the kettle and the ladder of the orchard",
        statuses=["active", "superseded"],
        spaces=["home", "shed"],
        exploration=exploration,
        min_relevance=0,
    )
    shown = [hit.memory_id for hit in recalled.hits]
    assert shown.index(third) == shown.index(first) - 1
    relevance = [hit.relevance for hit in recalled.hits]
    assert relevance == sorted(relevance, reverse=True)


def test_a_weak_successor_does_not_end_the_list(memory: Memory) -> None:
    """A successor that matches little takes the place of the best of its chain, and its relevance.

    The list goes on behind it.
    """
    first, third = _chain(memory)
    asked = {"statuses": ("active", "superseded"), "min_relevance": 0.5}
    hits = memory.recall("the kettle and the ladder of the orchard", **asked).hits
    assert [hit.memory_id for hit in hits][:2] == [third, first]
    assert hits[0].relevance == hits[1].relevance


def test_a_chain_may_be_as_long_as_it_likes() -> None:
    """What supersedes a memory is found through thousands of others, the last of them first."""
    columns, length = Columns(), 5_000
    columns.supersede(
        SupersessionRow(Position(one), Position(one + 1), Position(one), None, 0)
        for one in range(1, length)
    )
    chains = Chains(columns, Position(length), 0, 0, None)
    met: set[Position] = set()
    assert chains.upwards(Position(1), met) == list(range(length, 0, -1))
    assert chains.upwards(Position(2), met) == []


# -- strength --------------------------------------------------------------------------


def test_recency_counts_by_the_strength_of_then(
    memory: Memory, clock: SetClock, tmp_path: Path
) -> None:
    """The temporal component is recency times strength, as of any position and after a rebuild."""
    one = memory.remember("the kettle of mara").memory_id or ""
    memory.remember("the ladder of ivo")
    whole = memory.log.checkpoint().position
    clock.pass_days(3)

    def temporal(position: int | None = None) -> float:
        asked = memory if position is None else memory.as_of(position)
        (hit,) = [hit for hit in asked.recall("kettle of mara").hits if hit.memory_id == one]
        return hit.explanation.scores["temporal"]

    first = temporal()
    assert 0.85 < first < 0.95
    memory.log.append([NewEvent("weakened", {"factor": 0.5}, memory_id=one)])
    half = memory.log.checkpoint().position
    assert temporal() == pytest.approx(first / 2, abs=1e-4)
    memory.log.append([NewEvent("weakened", {"factor": 0.5}, memory_id=one)])
    quarter = memory.log.checkpoint().position
    assert temporal() == pytest.approx(first / 4, abs=1e-4)
    memory.log.append([NewEvent("strengthened", {"strength": 1.0}, memory_id=one)])
    head = memory.log.checkpoint().position

    def through_time() -> list[float]:
        return [temporal(position) for position in (whole, half, quarter, head)]

    before = through_time()
    whole_again = first / (1 - 3 * 0.005)
    assert before == pytest.approx([1.0, first / 2, first / 4, whole_again], abs=1e-4)
    memory.upkeep.rebuild()
    assert through_time() == before
    for position in (whole, half, quarter, head):
        with Memory.open(
            tmp_path / f"cut-{position}", "home", clock=clock, embedder=HashedWords()
        ) as cut:
            cut._space.home.log.adopt(memory._space.home.log.read(Position(0), position))
            then = memory.as_of(position).recall("kettle of mara")
            assert cut.as_of(position).recall("kettle of mara") == then
