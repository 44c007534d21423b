"""Connections of a log's file: lending, giving back and closing."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest
from hypothesis import given, strategies as st

from mnemolog.ledger.errors import ClosedHandle
from mnemolog.ledger.log import Durability
from mnemolog.ledger.sqlite.connections import insert
from mnemolog.ledger.sqlite.database_files import LedgerFile, ReaderPool
from mnemolog.ledger.sqlite.sqlite_log import SqliteLog


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


def test_concurrent_reads_use_separate_connections(file: LedgerFile) -> None:
    """Two reads at once use two connections, and both are kept for later."""
    with file.reading() as first, file.reading() as second:
        assert first is not second
        both = {id(first), id(second)}
    with file.reading() as third, file.reading() as fourth:
        assert {id(third), id(fourth)} == both


def test_an_error_closes_the_reader(file: LedgerFile) -> None:
    """A traceback may keep a cursor of it, so the connection is closed."""
    with pytest.raises(ZeroDivisionError), file.reading() as failed:
        1 / 0  # noqa: B018
    assert not answers(failed)
    with file.reading() as next_one:
        assert next_one is not failed
        assert answers(next_one)


def test_closing_lets_a_read_finish(file: LedgerFile) -> None:
    """A read under way when the file is closed can finish; its connection is closed then."""
    with file.reading() as reader:
        file.close()
        assert answers(reader)
    assert not answers(reader)
    with pytest.raises(ClosedHandle), file.reading():
        pass


def test_a_reader_of_a_replaced_file_is_not_used_again(
    file: LedgerFile, path: Path, tmp_path: Path
) -> None:
    """A connection in use during a restore reads the old file, and is not lent again."""
    copy = tmp_path / "copy.db"
    with closing(SqliteLog(path)) as log:
        log.backup_to(copy)
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
    """Every row is inserted, also when the count is no multiple of the rows a statement takes."""
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE TABLE t (a, b, c)")
    insert(connection, "t", "(?, NULL, ?)", rows)
    found = connection.execute("SELECT a, b, c FROM t ORDER BY rowid").fetchall()
    assert found == [(number, None, text) for number, text in rows]


class _ClosedMeanwhile(ReaderPool):
    """Pool whose file is closed just before a connection is given back."""

    def __init__(self, file: LedgerFile) -> None:
        super().__init__()
        self._file = file

    def give(self, connection: apsw.Connection) -> None:
        """Close the file, then take the connection in."""
        self._file.close()
        super().give(connection)


def test_a_reader_given_back_during_closing_is_closed(file: LedgerFile) -> None:
    """The connection is closed whichever comes first, closing or giving back."""
    file._readers = _ClosedMeanwhile(file)
    with file.reading() as reader:
        pass
    assert not answers(reader)
    assert file._readers.take() is None
