"""Vectors lie once in a home: no base refers to another's row, and none outlives its text."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import apsw
import numpy as np
import pytest

from mnemolog import Memory, restore
from mnemolog.indexes import space_index
from mnemolog.indexes.vectors.vector_store import NOT_KEPT, VectorStore
from tests.homes import open_home

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import numpy.typing as npt

# Without a word in common, so that none seems to outdate another.
TEXTS = [" ".join(f"w{number}x{part}" for part in range(4)) for number in range(60)]


class NumberedVectors:
    """An embedder by which every text has a vector of its own, whatever its words."""

    name = "numbered-64"
    dimensions = 64

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """One unit vector a text."""
        vectors = np.empty((len(texts), self.dimensions), np.float32)
        for row, text in enumerate(texts):
            chance = np.random.default_rng(list(text.encode()))
            vectors[row] = chance.standard_normal(self.dimensions)
        unit: npt.NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return unit


def opened(home: Path, space: str = "default") -> Memory:
    return Memory.open(home, space, embedder=NumberedVectors())


def wrong(memory: Memory, texts: Sequence[str]) -> list[str]:
    """Those of the texts that are not the nearest to themselves."""
    nearest = (memory.recall(text, strategy="semantic", limit=1).hits for text in texts)
    return [
        text
        for text, hits in zip(texts, nearest, strict=True)
        if not hits or hits[0].content != text or hits[0].relevance < 0.99
    ]


@pytest.fixture(autouse=True)
def _short_tails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(space_index, "_TAIL_LIMIT", 10)


def _remove_listing(home: Path) -> None:
    for path in home.glob("vectors.db*"):
        path.unlink()


def _remove_all(home: Path) -> None:
    for path in home.glob("vectors*"):
        path.unlink()


@pytest.mark.parametrize("remove", [_remove_listing, _remove_all])
def test_a_process_goes_on_where_vectors_are_begun_anew(
    tmp_path: Path, remove: Callable[[Path], None]
) -> None:
    """Its next base refers to the new file alone, and every memory is found by its meaning."""
    with opened(tmp_path) as memory:
        memory.remember_many(TEXTS[:30], contradictions="off")
        memory.upkeep.index()
        remove(tmp_path)
        for text in TEXTS[30:]:
            memory.remember(text, contradictions="off")
            memory.recall("heron")
        memory.upkeep.index()
        assert wrong(memory, TEXTS) == []
    with opened(tmp_path) as memory:
        assert wrong(memory, TEXTS) == []
        memory.upkeep.index()
    with opened(tmp_path) as memory:
        assert memory.notices == []
        assert wrong(memory, TEXTS) == []


def test_a_process_whose_home_was_restored_writes_sound_bases(tmp_path: Path) -> None:
    """The rows that it knew are those of files that are gone."""
    home = tmp_path / "home"
    with opened(home) as memory:
        memory.remember_many(TEXTS[:30], contradictions="off")
        memory.upkeep.index()
        memory.log.backup(tmp_path / "backup")
        restore(tmp_path / "backup", home)
        memory.remember_many(TEXTS[30:], contradictions="off")
        memory.upkeep.index()
        assert wrong(memory, TEXTS) == []
    with opened(home) as memory:
        assert wrong(memory, TEXTS) == []


def test_a_base_beyond_what_is_listed_is_not_used(tmp_path: Path) -> None:
    """After a loss of power vectors.db may be older than a base: others get the same rows."""
    with opened(tmp_path) as memory:
        memory.remember_many(TEXTS[:20], contradictions="off")
        memory.upkeep.index()
    older = {path: path.read_bytes() for path in tmp_path.glob("vectors.db*")}
    with opened(tmp_path) as memory:
        memory.remember_many(TEXTS[20:50], contradictions="off")
        memory.upkeep.index()
    for path in tmp_path.glob("vectors.db*"):
        path.unlink()
    for path, content in older.items():
        path.write_bytes(content)
    with opened(tmp_path) as memory:
        memory.remember_many(TEXTS[50:], contradictions="off")
        assert wrong(memory, TEXTS) == []


def test_a_waiting_memory_that_is_withdrawn_disturbs_no_question(tmp_path: Path) -> None:
    """It is not embedded yet, and must not be found."""
    with Memory.open(tmp_path, embedder=Closed(), indexing="background") as memory:
        receipts = memory.remember_many(TEXTS, contradictions="off")
        memory.withdraw(receipts[-1].memory_id or "")
        hits = memory.recall(TEXTS[-1], strategy="hybrid", min_relevance=0).hits
        assert TEXTS[-1] not in [hit.content for hit in hits]
        assert memory.recall("heron", strategy="semantic").hits == ()


class Closed(NumberedVectors):
    """An embedder that embeds cues alone."""

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        if len(texts) > 1:
            raise OSError("not now")
        return super().embed(texts)


class Interrupting(NumberedVectors):
    """An embedder that does something else in the middle of embedding several texts."""

    def __init__(self) -> None:
        self.then: Callable[[], object] | None = None

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        then = self.then
        if then is not None and len(texts) > 1:
            self.then = None
            then()
        return super().embed(texts)


def test_a_vector_that_goes_while_others_are_embedded_is_kept_again(tmp_path: Path) -> None:
    """The same text is in two spaces, and is redacted in one of them meanwhile."""
    embedder = Interrupting()
    with (
        Memory.open(tmp_path, "one", embedder=embedder) as one,
        opened(tmp_path, "two") as two,
    ):
        gone = two.remember(TEXTS[0], contradictions="off").memory_id
        two.recall("heron")
        one.remember_many(TEXTS, contradictions="off")
        embedder.then = lambda: two.redact(gone or "")
        one.upkeep.index()
        assert embedder.then is None
    with opened(tmp_path, "one") as one:
        assert wrong(one, TEXTS) == []


def _store(home: Path, dimensions: int = 8) -> VectorStore:
    return VectorStore(home, dimensions, print)


def _vector(number: float, dimensions: int = 8) -> npt.NDArray[np.float16]:
    return np.full(dimensions, number, np.float16)


def _bytes(home: Path) -> bytes:
    return b"".join(path.read_bytes() for path in home.glob("vectors-*.f16"))


def _put(store: VectorStore, number: int, dimensions: int = 8) -> bytes:
    digest = bytes([number]) * 16
    store.put({digest: _vector(number, dimensions)}, [(number, digest)], lambda: {number})
    return digest


def test_a_removal_erases_every_row_that_nobody_holds(tmp_path: Path) -> None:
    """Also where the listing of the removed one is damaged, and those of others stay."""
    store = _store(tmp_path)
    digests = [_put(store, number) for number in (1, 2, 3)]
    with apsw.Connection(str(tmp_path / "vectors.db")) as db:
        db.execute("UPDATE vectors SET row = 1 WHERE digest = ?", (digests[0],))
    store.forget([1])
    assert _vector(1).tobytes() not in _bytes(tmp_path)
    found = store.get(digests)
    assert {digest: found[digest].tolist() for digest in found} == {
        digests[1]: _vector(2).tolist(),
        digests[2]: _vector(3).tolist(),
    }
    store.close()


@pytest.mark.parametrize("row", [-1, 2**62])
def test_a_row_that_cannot_be_is_damaged(tmp_path: Path, row: int) -> None:
    """Others are found, and a removal completes."""
    store = _store(tmp_path)
    one, two = _put(store, 1), _put(store, 2)
    with apsw.Connection(str(tmp_path / "vectors.db")) as db:
        db.execute("UPDATE vectors SET row = ? WHERE digest = ?", (row, one))
    assert list(store.get([one, two])) == [two]
    assert store.stored().damaged == {one}
    store.forget([1])
    assert _vector(1).tobytes() not in _bytes(tmp_path)
    store.close()


def test_vectors_of_two_lengths_under_one_digest_both_go(tmp_path: Path) -> None:
    """An embedder may change its dimensions and keep its name."""
    shorter, longer = _store(tmp_path), _store(tmp_path, 16)
    digest = _put(shorter, 1)
    _put(longer, 1, 16)
    assert shorter.get([digest])[digest].shape == (8,)
    assert longer.get([digest])[digest].shape == (16,)
    longer.forget([1])
    assert not any(_bytes(tmp_path))
    shorter.close()
    longer.close()


def test_what_a_killed_process_wrote_goes_with_the_next_removal(tmp_path: Path) -> None:
    """Behind the listed rows lie bytes that nobody listed."""
    store = _store(tmp_path)
    _put(store, 1)
    (file,) = tmp_path.glob("vectors-*.f16")
    with file.open("ab") as appended:
        appended.write(_vector(9).tobytes())
    stale = file.with_name("vectors-0a0b0c0d0e0f0a0b.f16")
    stale.write_bytes(_vector(8).tobytes())
    store.forget([5])
    assert _bytes(tmp_path) == _vector(1).tobytes()
    store.close()


def test_rows_are_those_of_the_positions_that_hold_them(tmp_path: Path) -> None:
    """Positions without a vector have none."""
    store = _store(tmp_path)
    for number in (2, 7, 5):
        _put(store, number)
    file, rows = store.rows_of(np.array([1, 2, 5, 7, 9]))
    assert rows.tolist() == [NOT_KEPT, 0, 2, 1, NOT_KEPT]
    assert file is not None
    assert file.mapped(3)[rows[1:4], 0].tolist() == [2, 5, 7]
    assert file.mapped(4) is None
    store.close()


def test_a_fork_asks_while_its_parent_embeds(tmp_path: Path) -> None:
    """The child has none of the parent's threads, and waits for no lock that they hold."""
    embedder = Interrupting()
    with Memory.open(tmp_path, embedder=embedder) as memory:
        memory.remember_many(TEXTS, contradictions="off")
        children: list[int] = []

        def fork() -> None:
            child = os.fork()
            if child == 0:
                try:
                    index = memory._space.home.index("default")
                    index.at(memory._space.home.head())
                    index.close()
                    os._exit(0)
                finally:
                    os._exit(1)
            children.append(child)

        embedder.then = fork
        memory.upkeep.index()
        _, status = os.waitpid(children[0], 0)
        assert os.waitstatus_to_exitcode(status) == 0


def test_a_graph_over_an_empty_space_is_none(tmp_path: Path) -> None:
    """The setting may come before the first memory, and the graph finds what there is later."""
    with open_home(tmp_path) as memory:
        memory.configure({"vector_search": "graph"})
        assert memory.upkeep.index() == 0
    with Memory.open(tmp_path, embedder=NumberedVectors()) as memory:
        memory.remember_many(TEXTS, contradictions="off")
        memory.upkeep.index()
        assert list(tmp_path.glob("indexes/*/*/graph.hnsw"))
    with opened(tmp_path) as memory:
        assert wrong(memory, TEXTS) == []
        memory.configure({"vector_search": None})
        memory.remember_many(
            [text.upper().replace("W", "V") for text in TEXTS], contradictions="off"
        )
        memory.upkeep.index()
        assert not list(tmp_path.glob("indexes/*/*/graph.hnsw"))
        assert wrong(memory, TEXTS) == []
