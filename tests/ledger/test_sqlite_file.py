"""The connections of a log's file: who holds one, and what becomes of it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from hypothesis import given, strategies as st

from mnemolog.ledger.connections import insert
from mnemolog.ledger.errors import ClosedHandle
from mnemolog.ledger.log import Durability
from mnemolog.ledger.sqlite_file import LedgerFile


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the file is."""
    return tmp_path / "ledger.db"


@pytest.fixture
def file(path: Path) -> Iterator[LedgerFile]:
    """A new file."""
    opened = LedgerFile(path, Durability.DURABLE)
    yield opened
    opened.close()


def answers(connection: apsw.Connection) -> bool:
    """Whether a connection is open."""
    try:
        return connection.execute("SELECT 1").get == 1
    except apsw.ConnectionClosedError:
        return False


def test_a_reader_is_one_threads_at_a_time(file: LedgerFile) -> None:
    """Who asks while another reads gets a connection of its own; afterwards both are kept."""
    with file.reading() as first, file.reading() as second:
        assert first is not second
        both = {id(first), id(second)}
    with file.reading() as third, file.reading() as fourth:
        assert {id(third), id(fourth)} == both


def test_a_reader_that_met_an_error_is_not_used_again(file: LedgerFile) -> None:
    """What a traceback may keep of it must not reach a connection that is in use."""
    with pytest.raises(ZeroDivisionError), file.reading() as failed:
        1 / 0  # noqa: B018
    assert not answers(failed)
    with file.reading() as next_one:
        assert next_one is not failed
        assert answers(next_one)


def test_a_reader_in_use_outlives_the_closing_but_not_its_block(file: LedgerFile) -> None:
    """Closing lets a question that is under way be answered, and leaves nothing open."""
    with file.reading() as reader:
        file.close()
        assert answers(reader)
    assert not answers(reader)
    with pytest.raises(ClosedHandle), file.reading():
        pass


def test_a_reader_of_a_replaced_file_is_not_used_again(
    file: LedgerFile, path: Path, tmp_path: Path
) -> None:
    """A connection that was in use while a restore took place still reads the old file."""
    copy = tmp_path / "copy.db"
    file.backup_to(copy)
    with file.reading() as old:
        shutil.move(path, tmp_path / "old.db")
        for suffix in ("-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        copy.replace(path)
        with file.reading() as new:
            assert new is not old
    with file.reading() as first, file.reading() as second:
        assert old not in (first, second)


@given(rows=st.lists(st.tuples(st.integers(0, 9), st.text(max_size=3)), max_size=45))
def test_any_number_of_rows_is_inserted_in_order(rows: list[tuple[int, str]]) -> None:
    """However many rows a statement takes, all of them arrive, and the last ones too."""
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE TABLE t (a, b, c)")
    insert(connection, "t", "(?, NULL, ?)", rows)
    found = connection.execute("SELECT a, b, c FROM t ORDER BY rowid").fetchall()
    assert found == [(number, None, text) for number, text in rows]


class _ClosedMeanwhile(list[apsw.Connection]):
    """A pool whose file is closed just before a connection comes back to it."""

    def __init__(self, file: LedgerFile) -> None:
        super().__init__()
        self._file = file

    def append(self, connection: apsw.Connection) -> None:
        """Close the file, then take the connection in."""
        self._file.close()
        super().append(connection)


def test_a_reader_that_comes_back_while_the_file_closes_is_closed(file: LedgerFile) -> None:
    """Whichever is first, the closing or the coming back."""
    file._readers = _ClosedMeanwhile(file)
    with file.reading() as reader:
        pass
    assert not answers(reader)
    assert not file._readers
