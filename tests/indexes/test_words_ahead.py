"""The words of memories may be known before their vectors, and no text is embedded twice."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from mnemolog import Memory, NewMemory
from mnemolog.indexes.vectors.vector_store import RecentVectors
from mnemolog.ledger.errors import InvalidField
from tests.application.storing.quarrels import PlainJudge
from tests.homes import BagOfWords, HandClock, open_home

TEXTS = [f"note {number} about harbours and ferries" for number in range(200)]


class Counting(BagOfWords):
    """An embedder that keeps in mind what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """The vectors of texts, each noted."""
        self.asked += texts
        return super().embed(texts)


def test_words_are_there_before_vectors(tmp_path: Path) -> None:
    """Postings cover the position asked for; vectors follow when a question needs them."""
    with open_home(tmp_path / "home") as memory:
        memory.remember_many(TEXTS, contradictions="off")
        index, head = memory._space.home.index("default"), memory._space.home.head()
        state = index.words_at(head, 10)
        assert (len(state.columns), len(state.vectors)) == (200, 0)
        assert len(state.postings.postings("harbour", 200)[0]) == 200
        memory.remember("one more about lighthouses", contradictions="off")
        head = memory._space.home.head()
        assert len(index.words_at(head, 200).vectors) == 0
        assert len(index.words_at(head, 201).vectors) == 201
        found = memory.recall("lighthouses and harbours", limit=50)
        memory.upkeep.rebuild()
        assert memory.recall("lighthouses and harbours", limit=50) == found


def test_a_base_is_written_with_all_vectors(tmp_path: Path) -> None:
    """What waits to be embedded is embedded before it is written down."""
    with open_home(tmp_path / "home") as memory:
        memory.remember_many(TEXTS, contradictions="off")
        index = memory._space.home.index("default")
        index.words_at(memory._space.home.head(), 0)
        index.write_base()
        found = memory.recall("note 7 about ferries")
    with open_home(tmp_path / "home") as again:
        assert again.recall("note 7 about ferries") == found


def test_what_is_checked_and_indexed_is_embedded_once(tmp_path: Path) -> None:
    """The vector made for the check is the one that the index takes over."""
    embedder = Counting()
    with Memory.open(
        tmp_path / "home", embedder=embedder, judge=PlainJudge(), clock=HandClock()
    ) as memory:
        for value in ("this", "that", "neither"):
            memory.remember(f"the truth is {value}")
        memory.upkeep.index()
        assert sorted(embedder.asked) == sorted(set(embedder.asked))
        assert len(embedder.asked) == 3


def test_an_append_that_fails_leaves_no_vector(tmp_path: Path) -> None:
    """What was embedded for a memory that is then refused is nowhere in the home."""
    with Memory.open(
        tmp_path / "home", embedder=BagOfWords(), judge=PlainJudge(), clock=HandClock()
    ) as memory:
        memory.remember("the truth is this", id="0a" * 16)
        with pytest.raises(InvalidField):
            memory.remember("the truth is that", source="user:dana", id="no id")
        with pytest.raises(LookupError):
            memory.remember_many(
                [
                    "the truth is that",
                    "the truth is neither",
                    NewMemory("the truth is both", supersedes=("ff" * 16,)),
                ]
            )
        memory.upkeep.index()
        assert memory._space.home.parts.store.count() == 1


def test_the_vectors_of_the_last_texts_are_kept() -> None:
    """They equal the embedder's own, in the order asked for, whatever was known."""
    embedder = Counting()
    recent = RecentVectors(embedder, bytes(32))
    first = recent.embed(["tea", "coffee", "tea"])
    again = recent.embed(["water", "coffee", "tea"])
    assert embedder.asked == ["tea", "coffee", "water"]
    assert np.array_equal(first, BagOfWords().embed(["tea", "coffee", "tea"]))
    assert np.array_equal(again, BagOfWords().embed(["water", "coffee", "tea"]))
    assert recent.embed([]).shape == (0, 64)
    assert (recent.name, recent.dimensions) == (embedder.name, 64)
    vectors, parts = recent.embed_parts(["milk"], [[(0, 4)]])
    assert np.array_equal(vectors, recent.embed(["milk"]))
    assert not parts.any()
    assert embedder.asked == ["tea", "coffee", "water", "milk"]
    recent.embed([f"text {number}" for number in range(9_000)])
    assert len(recent._known) <= 8_192
