"""Reranking: the best hits in the order of the search and of a reranker together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hashed_words import HashedWords

from mnemolog import Hit, InvalidField, InvalidNumber, Memory, NewMemory
from mnemolog.recall.search.reranking import PhraseReranker

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from conftest import SetClock

READ = 20


class Given:
    """Scores texts by a function of each."""

    name = "given"

    def __init__(self, score: Callable[[str], float]) -> None:
        self._score = score
        self.read = 0

    def scores(self, cue: str, texts: Sequence[str]) -> list[float]:
        """One score a text."""
        self.read = len(texts)
        return [self._score(text) for text in texts]


def opened(home: Path, clock: SetClock, reranker: Given | None) -> Memory:
    """A memory that is recalled with this reranker."""
    return Memory.open(home, clock=clock, embedder=HashedWords(), reranker=reranker)


def test_a_reranker_reads_the_best_twenty(tmp_path: Path, clock: SetClock) -> None:
    """The best 20 are read, whatever the limit; each has its score and its rank among them."""
    reranker = Given(lambda text: len(text) / 1_000)
    with opened(tmp_path, clock, reranker) as memory:
        memory.remember_many([f"kettle {'again ' * number}" for number in range(60)])
        answer = memory.recall("kettle", limit=60, min_relevance=0)
        assert answer.reranker == "given"
        assert reranker.read == READ
        for hit in answer.hits[:READ]:
            assert hit.explanation.scores["rerank"] == pytest.approx(len(hit.content) / 1_000)
        assert {hit.explanation.ranks["rerank"] for hit in answer.hits[:READ]} == {
            *range(1, READ + 1)
        }
        assert not any("rerank" in hit.explanation.ranks for hit in answer.hits[READ:])
        for limit in (1, 10, 45):
            shorter = memory.recall("kettle", limit=limit, min_relevance=0)
            assert reranker.read == READ
            assert shorter.hits == answer.hits[:limit]


def asked(memory: Memory, cue: str) -> list[Hit]:
    """All that is found for a cue; of a named status, so that the newer is not put first."""
    return [*memory.recall(cue, limit=30, statuses=["active"], min_relevance=0).hits]


def remember_apart(memory: Memory, texts: Sequence[str]) -> None:
    """Remember texts that belong to no common conversation."""
    for number, text in enumerate(texts):
        with memory.acting(run=f"run-{number}") as apart:
            apart.remember(text)


def test_both_orders_count(tmp_path: Path, clock: SetClock) -> None:
    """What the reranker prefers rises, and the others keep their order.

    The relevance of each place stays, so that a list ends where it ends without a reranker.
    """
    places = ("harbour", "orchard", "stove with the brass lid", "barn", "yard of my old school")
    with opened(tmp_path, clock, None) as memory:
        kettles = [
            f"a kettle, {size} cups large, from the {one}" for size, one in enumerate(places)
        ]
        remember_apart(memory, kettles)
        plain = asked(memory, "which kettle is large")
    for preferred in (plain[0].content, plain[-1].content):
        with opened(
            tmp_path, clock, Given(lambda text, one=preferred: float(text == one))
        ) as memory:
            hits = asked(memory, "which kettle is large")
        order = [hit.content for hit in hits]
        assert order[0] == preferred
        assert order[1:] == [hit.content for hit in plain if hit.content != preferred]
        assert [hit.relevance for hit in hits] == [hit.relevance for hit in plain]


def test_an_answer_is_lent_the_score_of_its_question(tmp_path: Path, clock: SetClock) -> None:
    """What answers a question that the reranker prefers rises with it, as it lends words."""
    question, answer = "Where did you buy the red kettle?", "In Bergen, near the large harbour."
    with opened(tmp_path, clock, None) as memory:
        talk = (question, answer, "It was the last one they had.")
        memory.remember_many([NewMemory(one, source="user:ada") for one in talk])
        remember_apart(
            memory, [f"kettle {number} stands by the large harbour hall" for number in range(9)]
        )

    def place(liked: float) -> int:
        with opened(tmp_path, clock, Given(lambda text: liked if text == question else 0.0)) as one:
            hits = asked(one, "which kettle by the harbour stands in Bergen")
            return [hit.content for hit in hits].index(answer)

    assert place(1.0) < place(0.0)


def test_a_reranker_puts_nothing_before_its_successor(tmp_path: Path, clock: SetClock) -> None:
    """However a reranker judges, a superseded memory stays behind what replaced it."""
    with opened(tmp_path, clock, Given(lambda text: float("nine" in text))) as memory:
        old = memory.remember("The standup is at nine in the large room upstairs").memory_id or ""
        new = memory.supersede(old, "The standup is at ten").memory_id
        hits = memory.recall("standup", statuses=("active", "superseded"), min_relevance=0).hits
        assert [hit.memory_id for hit in hits] == [new, old]


@pytest.mark.parametrize("score", [-0.1, 1.1, float("nan"), float("inf")])
def test_a_score_outside_its_range_is_refused(
    tmp_path: Path, clock: SetClock, score: float
) -> None:
    """A reranker that gives a score outside [0, 1] breaks its contract, which the error says."""
    with opened(tmp_path, clock, Given(lambda _: score)) as memory:
        memory.remember("a red kettle")
        with pytest.raises(InvalidNumber, match=r"^reranker: 'given' gave the score .*; give 0 to"):
            memory.recall("kettle")


def test_a_reranker_gives_a_score_to_each_text(tmp_path: Path, clock: SetClock) -> None:
    """Fewer scores than texts are refused."""
    reranker = Given(lambda _: 0.5)
    reranker.scores = lambda cue, texts: [0.5]  # type: ignore[method-assign]
    with opened(tmp_path, clock, reranker) as memory:
        memory.remember_many(["a red kettle", "a blue kettle"])
        with pytest.raises(InvalidField, match="gave 1 scores for 2 texts; give one per text"):
            memory.recall("kettle")


def test_the_phrase_reranker_is_a_setting(memory: Memory) -> None:
    """Off by default; set, it prefers the text in which the cue's words stand together."""
    together = "the red kettle stands here and boats are in the harbour today"
    apart = "the red boats are in the harbour today and here stands the kettle"
    memory.remember_many([together, "nothing of note", apart])
    assert memory.recall("red kettle").reranker is None
    memory.configure({"reranker": "phrases"})
    answer = memory.recall("red kettle")
    assert answer.reranker == "phrases"
    ranks = {hit.content: hit.explanation.ranks["rerank"] for hit in answer.hits}
    assert (ranks[together], ranks[apart]) == (1, 2)


@pytest.mark.parametrize(
    ("cue", "text", "score"),
    [
        ("red kettle", "a red kettle", 1.0),
        ("red kettle", "a kettle, red", 1.0),
        ("red kettle", "red and kettle", 0.5),
        ("red kettle", "kettle", 0.0),
        ("kettle", "a kettle", 1.0),
        ("kettle", "a pan", 0.0),
    ],
)
def test_closeness_is_the_inverse_of_distance(cue: str, text: str, score: float) -> None:
    """Words side by side count 1, one word between them a half, missing ones nothing."""
    assert PhraseReranker().scores(cue, [text]) == [score]
