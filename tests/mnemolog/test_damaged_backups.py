"""A restore names the source where that is no whole backup, and changes nothing."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from mnemolog import CorruptBackup, ForeignFormat, restore
from tests.cli.conftest import CommandLine
from tests.homes import open_home


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home, with a backup of it beside."""
    with open_home(tmp_path / "home") as memory:
        memory.remember_many([f"tea number {number}" for number in range(3)])
        memory.backup(tmp_path / "backup.db")
    return tmp_path / "home"


@pytest.mark.parametrize("size", [1, 10, 50, 100, 3000, 4096, 20_000])
def test_a_backup_that_is_cut_off_is_named(home: Path, size: int) -> None:
    """It is the backup that is damaged, not the home's log."""
    whole = home.with_name("backup.db")
    cut = home.with_name("cut.db")
    cut.write_bytes(whole.read_bytes()[:size])
    with pytest.raises(CorruptBackup) as raised:
        restore(cut, home)
    assert str(raised.value).startswith(f"the backup {cut} is damaged")
    assert "cut off" in str(raised.value)
    with open_home(home) as memory:
        assert memory.verify().events == 3
        assert memory.notices == []


def test_a_backup_that_was_changed_is_named(home: Path) -> None:
    """With the last position that verifies."""
    changed = home.with_name("backup.db")
    with closing(sqlite3.connect(changed)) as database:
        database.execute("DROP TRIGGER events_are_facts")
        database.execute("UPDATE events SET actor = 'user:eve' WHERE position = 2")
        database.commit()
    with pytest.raises(CorruptBackup, match=r"backup\.db is damaged after position 1"):
        restore(changed, home)


def test_an_empty_file_is_said_to_be_empty(home: Path) -> None:
    """It is no other program's database."""
    home.with_name("empty.db").touch()
    with pytest.raises(ForeignFormat, match=r"empty\.db is empty"):
        restore(home.with_name("empty.db"), home)


def test_what_was_left_of_a_log_is_said(home: Path) -> None:
    """Where the log was gone, only its write-ahead log is kept."""
    source = home.with_name("backup.db")
    (home / "ledger.db").unlink()
    (home / "ledger.db-wal").write_bytes(b"x" * 100)
    command = CommandLine(home)
    said = command("restore", source, "--yes").stdout
    assert "the write-ahead log of a log that was gone is in" in said
    assert "the log that was there is in" in command("restore", source, "--yes").stdout
