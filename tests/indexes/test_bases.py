"""Base and tail of an index, and the files that they come from."""

from __future__ import annotations

import shutil
import threading
from typing import TYPE_CHECKING

import pytest
from hashed_words import HashedWords

from mnemolog import Memory
from mnemolog.indexes import space_index, space_state
from mnemolog.indexes.vectors.hnsw import HnswGraph
from mnemolog.indexes.vectors.vector_store import VectorStore, digest_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    import numpy.typing as npt

    from mnemolog import Hit

_TEXTS = [
    f"item-{number} the {thing} of room {number % 7} was {done}"
    for number, (thing, done) in enumerate(
        (thing, done)
        for thing in ("kettle", "ladder", "compass", "violin", "lantern", "orchard")
        for done in ("mended", "sold", "painted", "lost", "found", "measured")
    )
]
_CUES = ("the kettle was sold", "lanteern", "item-17", "who lost the violin in room 3?")


def _open(home: Path) -> Memory:
    return Memory.open(home, "home", actor="user:dana", run="one", embedder=HashedWords())


def _answers(memory: Memory) -> list[tuple[Hit, ...]]:
    return [memory.recall(cue).hits for cue in _CUES] + [
        memory.recall("kettle", tags=("odd",)).hits,
        memory.as_of(20).recall("the ladder").hits,
    ]


def _fill(memory: Memory, based: int | None) -> None:
    """Remember all texts and some changes; a base covers the first `based`."""
    ids = []
    for number, text in enumerate(_TEXTS):
        tags = ("odd",) if number % 2 else ()
        ids.append(memory.remember(text, tags=tags).memory_id or "")
        if number == based:
            memory._space.home.index("home").at(memory._space.home.head())
            memory._space.home.index("home").write_base()
    memory.supersede(ids[3], "item-3 the kettle is back")
    memory.withdraw(ids[9])


@pytest.mark.parametrize("based", [0, 17, 35])
def test_base_and_tail_answer_like_a_tail_alone(tmp_path: Path, based: int) -> None:
    """Wherever the base ends, a fresh handle gives the same answers to the last digit."""
    with _open(tmp_path / "based") as memory:
        _fill(memory, based)
    with _open(tmp_path / "based") as memory:
        with_base = _answers(memory)
        assert memory.notices == []
        for path in (tmp_path / "based").glob("indexes/*/*/*.bin"):
            path.unlink()
    with _open(tmp_path / "based") as memory:
        assert _answers(memory) == with_base
        assert any("is gone" in notice for notice in memory.notices)
        memory.upkeep.rebuild()
        assert _answers(memory) == with_base
    with _open(tmp_path / "based") as memory:
        assert _answers(memory) == with_base


def test_a_base_is_written_once_the_tail_is_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long tail becomes a base, behind the questions, and the answers stay the same."""
    monkeypatch.setattr(space_index, "_TAIL_LIMIT", 10)
    with _open(tmp_path) as memory:
        _fill(memory, None)
        before = _answers(memory)
    assert list(tmp_path.glob("indexes/*/*/arrays.bin"))
    with _open(tmp_path) as memory:
        assert _answers(memory) == before
        assert memory.notices == []


def test_one_handle_goes_on_while_another_writes_bases(tmp_path: Path) -> None:
    """A handle whose base was replaced and removed goes on, mistyped words included."""
    with _open(tmp_path) as memory:
        _fill(memory, 17)
        expected = _answers(memory)
    with _open(tmp_path) as memory, _open(tmp_path) as other:
        assert _answers(memory) == expected
        for _ in range(3):
            other._space.home.index("home").at(other._space.home.head())
            other._space.home.index("home").write_base()
            assert _answers(memory) == expected
        assert memory.notices == []


@pytest.mark.parametrize("name", ["dictionary", "arrays.bin", "lists.msgpack"])
def test_a_base_that_goes_while_it_is_read_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """What was there when its hash was taken need not be there when it is opened."""
    with _open(tmp_path) as memory:
        _fill(memory, 17)
        expected = _answers(memory)
    (base,) = tmp_path.glob("indexes/*/*/arrays.bin")
    gone = base.with_name(name)
    hashed = space_state._hash

    def going(path: Path) -> str:
        found = hashed(path)
        if path.name == "lists.msgpack":
            # The last in the order of names.
            shutil.rmtree(gone) if gone.is_dir() else gone.unlink()
        return found

    monkeypatch.setattr(space_state, "_hash", going)
    with _open(tmp_path) as memory:
        assert _answers(memory) == expected
        assert memory.notices == [f"the index of space 'home' is rebuilt: {name} is gone"]


def test_a_graph_that_is_gone_is_told_as_any_file(tmp_path: Path) -> None:
    """Whoever loads a base finds that out in one way."""
    with pytest.raises(FileNotFoundError):
        HnswGraph.load(tmp_path / "graph.hnsw", 8, 100)


def test_threads_ask_for_mistyped_words_at_once(tmp_path: Path) -> None:
    """Several threads correct words while others add some, and none is refused."""
    failures: list[str] = []

    def ask(memory: Memory, number: int) -> None:
        for turn in range(8):
            memory.remember(f"zanzibar{'abcdefgh'[number]}{'ijklmnop'[turn]} was seen")
            hits = memory.recall(f"zanzibbar{'abcdefgh'[number]}{'ijklmnop'[turn]}").hits
            if not hits:
                failures.append(f"{number} {turn}")

    with _open(tmp_path) as memory:
        threads = [threading.Thread(target=ask, args=(memory, number)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert failures == []


class _Failing(HashedWords):
    """An embedder that fails when told to."""

    failing = False
    asked = 0

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        if self.failing:
            raise OSError("the model is gone")
        self.asked += len(texts)
        return super().embed(texts)


def test_an_embedder_that_fails_once_leaves_no_doubles(tmp_path: Path) -> None:
    """After a failure half-way through indexing each memory is indexed once."""
    embedder = _Failing()
    with Memory.open(tmp_path, "home", embedder=embedder) as memory:
        memory.remember("The kettle boils")
        assert len(memory.recall("kettle", strategy="keyword").hits) == 1
        memory.remember_many([f"The lantern {number}" for number in range(100)])
        embedder.failing = True
        with pytest.raises(OSError, match="gone"):
            memory.recall("lantern", strategy="keyword")
        embedder.failing = False
        hits = memory.recall("lantern", strategy="keyword", limit=200).hits
        assert len(hits) == 100
        assert memory.upkeep.index() == 101


def test_rebuilding_embeds_nothing_twice(tmp_path: Path) -> None:
    """Vectors are kept by what was embedded: a rebuild, and a deleted index, need no model."""
    embedder = _Failing()
    with Memory.open(tmp_path, "home", embedder=embedder) as memory:
        memory.remember_many([*_TEXTS, _TEXTS[0]])
        memory.upkeep.index()
        assert embedder.asked == len(_TEXTS)
        embedder.failing = True
        memory.upkeep.rebuild()
        assert memory.upkeep.index() == len(_TEXTS) + 1


def test_vectors_are_kept_by_a_keyed_digest(tmp_path: Path) -> None:
    """The same text has another digest under another secret or model."""
    digests = {
        digest_of(secret, model, "text") for secret in (b"one", b"two") for model in ("a", "b")
    }
    assert len(digests) == 4
    store = VectorStore(tmp_path, 64, print)
    digest = digest_of(b"one", "a", "text")
    vector = HashedWords().embed(["text"])[0].astype("float16")
    store.put({digest: vector}, [(1, digest), (2, digest)], lambda: {1, 2})
    store.forget([1])
    assert store.get([digest])[digest].tolist() == vector.tolist()
    store.forget([2])
    assert store.get([digest]) == {}
    store.put({digest: vector}, [(3, digest)], set)
    assert store.count() == 0
    store.close()
