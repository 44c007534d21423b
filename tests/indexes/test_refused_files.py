"""Derived files that the system refuses: kept as they are, and answered without."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from mnemolog import Memory
from mnemolog.indexes.near_words import WordIndex
from mnemolog.indexes.space_state import Bases
from mnemolog.ledger.errors import StorageFailed
from tests.failing_files import FailingFiles
from tests.homes import open_home

TEXTS = ("The kettle is on the stove", "The ladder stands in the barn", "The violin was sold")
CUE = "where is the ladder"


@pytest.fixture
def home(files: FailingFiles, tmp_path: Path) -> Path:
    """A home of three memories, indexed."""
    del files
    with open_home(tmp_path) as memory:
        memory.remember_many(TEXTS)
        memory.upkeep.index()
    return tmp_path


def best(memory: Memory) -> str:
    """The first answer to the cue."""
    return memory.recall(CUE).hits[0].content


def vectors(memory: Memory) -> int:
    """How many vectors are kept on disk."""
    return memory.upkeep.stats().vectors


@pytest.mark.parametrize("call", ["read", "write", "sync"])
def test_vectors_outlive_an_error_of_their_disk(home: Path, files: FailingFiles, call: str) -> None:
    """An I/O error on vectors.db is said and answered without; no vector is discarded."""
    with open_home(home) as memory:
        with files.failing(call, "vectors.db", apsw.SQLITE_IOERR_READ):
            memory.remember("The umbrella is behind the door")
            assert best(memory) == TEXTS[1]
        assert not any("anew" in notice for notice in memory.notices)
        if call == "read":
            (notice,) = memory.notices
            assert notice.startswith("vectors are kept in memory")
            assert "SQLITE_IOERR_READ" in notice
    with open_home(home) as memory:
        assert best(memory) == TEXTS[1]
        assert vectors(memory) >= len(TEXTS)
        assert memory.notices == []


def test_vectors_that_could_not_be_kept_are_answered_from(home: Path, files: FailingFiles) -> None:
    """On a full disk a new memory is found by its vector, which this process keeps."""
    with open_home(home) as memory:
        with files.failing("write", "vectors.db-wal", apsw.SQLITE_FULL):
            memory.remember("The umbrella is behind the door")
            (hit,) = memory.recall("umbrella door", strategy="semantic", limit=1).hits
            assert hit.content == "The umbrella is behind the door"
        assert vectors(memory) == len(TEXTS)
        (notice,) = memory.notices
        assert "no space is left" in notice


def test_damaged_vectors_are_made_again(home: Path) -> None:
    """A file that is not as it was written is still begun anew, and said so."""
    (home / "vectors.db").write_bytes(b"nothing of ours " * 1000)
    with open_home(home) as memory:
        assert best(memory) == TEXTS[1]
        assert vectors(memory) == len(TEXTS)
        assert any("begun anew" in notice for notice in memory.notices)


def test_what_holds_a_redacted_memory_must_be_written(home: Path, files: FailingFiles) -> None:
    """Vectors that cannot be removed are not passed over: the redaction does not complete."""
    with open_home(home) as memory:
        name = memory.list(limit=1)[0].memory_id
        with files.failing("write", "vectors.db-wal", apsw.SQLITE_IOERR_WRITE):
            try:
                complete = memory.redact(name, timeout_s=0.1).complete
            except StorageFailed:
                complete = False
            assert not complete
    with open_home(home) as memory:
        assert vectors(memory) == len(TEXTS) - 1


def test_an_index_that_cannot_be_read_is_kept(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A base that the system refuses is neither dropped nor written over, and said."""
    with open_home(home) as memory:
        memory.upkeep.rebuild()
    (graph,) = home.glob("indexes/*/*/lists.msgpack")
    base = graph.parent

    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied", str(graph))

    monkeypatch.setattr("mnemolog.indexes.space_state._hash", refused)
    with open_home(home) as memory:
        assert best(memory) == TEXTS[1]
        (notice,) = memory.notices
        assert "Permission denied" in notice
        assert str(graph) in notice
    monkeypatch.undo()
    assert [*home.glob("indexes/*/*/lists.msgpack")] == [graph]
    with open_home(home) as memory:
        memory.notices.clear()
        entry = Bases.entry(memory._space.home.parts.bases, "default")
        assert entry is not None
        assert entry.generation == base.name
        assert best(memory) == TEXTS[1]
        assert memory.notices == []


def test_words_that_cannot_be_written_are_refused(tmp_path: Path) -> None:
    """Where Tantivy cannot write, the error is one of storage and names the path."""
    target = tmp_path / "words"
    target.symlink_to("/proc/self/nowhere")
    with pytest.raises(OSError, match="words"):
        WordIndex.write(target, [("kettle", 1)])


def test_views_are_answered_from_memory_while_their_file_is_refused(
    home: Path, files: FailingFiles
) -> None:
    """What is remembered meanwhile is acknowledged and answered; the file follows later."""
    (views,) = home.glob("views-*.db")
    with open_home(home) as memory:
        with files.failing("read", views.name, apsw.SQLITE_IOERR_READ):
            receipt = memory.remember("The umbrella is behind the door")
            assert memory.recall("umbrella").hits[0].memory_id == receipt.memory_id
            assert memory.get(receipt.memory_id or "").status == "active"
            assert len(memory.list()) == len(TEXTS) + 1
        assert any(notice.startswith("views are kept in memory") for notice in memory.notices)
        memory.remember("The saddle is in the attic")
        assert len(memory.list()) == len(TEXTS) + 2
    assert [*home.glob("views-*.db")] == [views]
    with open_home(home) as memory:
        assert len(memory.list()) == len(TEXTS) + 2
        assert all(finding.level == "ok" for finding in memory.upkeep.doctor().findings)
