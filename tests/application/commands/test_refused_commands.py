"""Commands that the disk refuses half-way, and commands that are tried again."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import apsw
import pytest

from mnemolog import EventIdTaken, StorageFailed
from mnemolog.application.home.home import Home
from mnemolog.application.home.uses import Gathering, Use
from tests.failing_files import FailingFiles
from tests.homes import open_home

TEXT = "The umbrella is behind the door"
GIVEN_ID = "0193e0f0a1b27c3d8e4f5a6b7c8d9e0f"


@pytest.fixture
def home(files: FailingFiles, tmp_path: Path) -> Path:
    """A home of two memories on such files, closed."""
    del files
    with open_home(tmp_path) as memory:
        memory.remember_many(["The kettle is on the stove", "The deploy runs on Fridays"])
        memory.upkeep.index()
    return tmp_path


def test_what_is_stored_is_acknowledged_whatever_fails_then(
    home: Path, files: FailingFiles
) -> None:
    """If the log cannot be read behind an append, the receipt says that it is stored."""
    with open_home(home) as memory:
        with files.failing("read", "ledger.db-wal", apsw.SQLITE_IOERR_READ):
            receipt = memory.remember(TEXT, contradictions="off")
        assert files.failed
        (warning,) = receipt.warnings
        assert warning.startswith("it is stored in the log")
        assert "SQLITE_IOERR_READ" in warning
        assert memory.recall("umbrella").hits[0].memory_id == receipt.memory_id
        assert memory.log.verify().events == receipt.position == 3


@pytest.mark.parametrize("text", [TEXT, "Actually, the deploy runs on Mondays"])
def test_a_memory_that_is_remembered_again_under_its_id_is_stored_once(
    home: Path, files: FailingFiles, text: str
) -> None:
    """After a refusal, or none, the same call stores it once; another text is refused."""
    with open_home(home) as memory:
        with (
            files.failing("sync", "ledger.db-wal", apsw.SQLITE_IOERR_FSYNC),
            pytest.raises(StorageFailed),
        ):
            memory.remember(text, id=GIVEN_ID)
        first = memory.remember(text, id=GIVEN_ID)
        head = memory.log.checkpoint()
    with open_home(home) as memory:
        again = memory.remember(text, id=GIVEN_ID)
        assert again.events == first.events
        assert memory.log.checkpoint() == head
        with pytest.raises(EventIdTaken):
            memory.remember(f"{text}, or so", id=GIVEN_ID)


def test_uses_that_cannot_be_written_are_told_at_closing(home: Path, files: FailingFiles) -> None:
    """What an answer reported as used is lost with the home, said so, and fails no question."""
    memory = open_home(home)
    hit = memory.recall("kettle").hits[0]
    with files.failing("write", "ledger.db-wal", apsw.SQLITE_FULL):
        memory.use(hit.memory_id)
        memory.close()
    assert any(
        notice.startswith("uses that are lost: 1") and "no space is left" in notice
        for notice in memory.notices
    )


def test_uses_that_a_refused_writer_holds_are_counted_at_closing(tmp_path: Path) -> None:
    """What its thread took and cannot write is tried once more, and told with the rest."""
    began, goes_on = threading.Event(), threading.Event()

    def refused(uses: Sequence[Use]) -> None:
        began.set()
        goes_on.wait()
        raise PermissionError(f"{len(uses)} refused")

    home = Home(tmp_path)
    gathering = Gathering(refused, home)
    gathering.add(Use((), 0, None))
    assert began.wait(10)
    gathering.add(Use((), 0, None))
    threading.Timer(0.1, goes_on.set).start()
    gathering.close()
    assert home.notices[-1] == "uses that are lost: 2; 2 refused"
    home.close()


def test_a_session_that_cannot_be_kept_is_refused(home: Path, files: FailingFiles) -> None:
    """Sessions that are under way outlive an error of their disk."""
    with open_home(home) as memory:
        session = memory.sessions.start("kettle")
        shown = session.memories[0].memory_id
        with (
            files.failing("write", "sessions.db-wal", apsw.SQLITE_IOERR_WRITE),
            pytest.raises(StorageFailed, match="SQLITE_IOERR_WRITE"),
        ):
            memory.sessions.vote(session.session_id, {shown: "hot"})
        assert memory.sessions.vote(session.session_id, {shown: "hot"}).round == 1
        assert memory.notices == []
