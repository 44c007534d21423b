"""A restore names the source where that is no whole backup, and changes nothing."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from mnemolog import CorruptBackup, ForeignFormat, StorageFailed, restore
from mnemolog.ledger.sqlite import switching
from mnemolog.ledger.sqlite.switching import Switch, decide_switch, finish_switch
from tests.cli.conftest import CommandLine
from tests.homes import open_home


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home, with a backup of it beside."""
    with open_home(tmp_path / "home") as memory:
        memory.remember_many([f"tea number {number}" for number in range(3)])
        memory.log.backup(tmp_path / "backup.db")
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
        assert memory.log.verify().events == 3
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
    """It is no other program's database, and no home is made for it."""
    home.with_name("empty.db").touch()
    with pytest.raises(ForeignFormat, match=r"empty\.db is empty"):
        restore(home.with_name("empty.db"), home)
    with pytest.raises(ForeignFormat):
        restore(home.with_name("empty.db"), home.with_name("new") / "home")
    assert not home.with_name("new").exists()


def test_what_was_left_of_a_log_is_said(home: Path) -> None:
    """Where the log was gone, only its write-ahead log is kept."""
    source = home.with_name("backup.db")
    (home / "ledger.db").unlink()
    (home / "ledger.db-wal").write_bytes(b"x" * 100)
    command = CommandLine(home)
    said = command("restore", source, "--yes").stdout
    assert "the write-ahead log of a log that was gone is in" in said
    assert "the log that was there is in" in command("restore", source, "--yes").stdout


def test_a_restore_that_cannot_be_finished_is_named(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Decided on, on a disk that became read-only: questions say so, not what they met first."""
    with monkeypatch.context() as patched:
        patched.setattr(switching, "finish_switch", _stop)
        restore(home.with_name("backup.db"), home)
    with monkeypatch.context() as patched:
        opened = os.open

        def refused(path: str | os.PathLike[str], flags: int, *rest: int) -> int:
            if os.fspath(path).endswith(".lock"):
                raise OSError(errno.EROFS, os.strerror(errno.EROFS), os.fspath(path))
            return opened(path, flags, *rest)

        patched.setattr(os, "open", refused)
        with pytest.raises(StorageFailed, match="a restore was begun and cannot be finished") as no:
            open_home(home)
        assert "ledger.db.lock: Read-only file system" in str(no.value)
    with open_home(home) as memory:
        assert memory.log.verify().events == 3


def test_a_finished_restore_is_told_where_the_old_log_was_moved_away(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where the home was copied without what stands beside it."""
    with monkeypatch.context() as patched:
        patched.setattr(switching, "decide_switch", _decide_without_old_log)
        patched.setattr(switching, "finish_switch", _stop)
        restore(home.with_name("backup.db"), home)
    with open_home(home) as memory:
        assert memory.log.verify().events == 3
        (notice,) = memory.notices
        assert "the log is the restored one" in notice
        assert "since moved away" in notice


def _stop(_: Path) -> None:
    """Stop where a switch is decided."""


def _decide_without_old_log(ledger: Path, switch: Switch) -> None:
    """Decide on a switch whose old log needs no linking."""
    assert switch == Switch(switch.size, "home.before-restore", to_link=True)
    decide_switch(ledger, Switch(switch.size, switch.kept, to_link=False))


def test_a_log_that_may_not_be_linked_is_named(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not only the place that it was to be linked to."""

    def refused(source: str | os.PathLike[str], target: str | os.PathLike[str]) -> None:
        said = os.strerror(errno.EPERM)
        raise OSError(errno.EPERM, said, os.fspath(source), None, os.fspath(target))

    monkeypatch.setattr(os, "link", refused)
    with pytest.raises(StorageFailed) as raised:
        _switch_to_backup(home)
    assert raised.value.path == home / "ledger.db"
    assert "before-restore/ledger.db" in raised.value.problem


def _switch_to_backup(home: Path) -> None:
    """Put the home's own backup in the place of its log."""
    shutil.copyfile(home.with_name("backup.db"), home / "ledger.db.new")
    size = (home / "ledger.db.new").stat().st_size
    decide_switch(home / "ledger.db", Switch(size, "home.before-restore", to_link=True))
    finish_switch(home / "ledger.db")
