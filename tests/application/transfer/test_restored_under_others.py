"""A restore while other processes have the home open: what they write is of no other log."""

from __future__ import annotations

import multiprocessing
import os
import time
from pathlib import Path

import pytest

from mnemolog import LogBusy, Memory, restore
from mnemolog.application.transfer import backups
from mnemolog.indexes import space_state
from mnemolog.ledger.files import FileLock
from mnemolog.projections.manifest import ManifestFile
from tests.homes import open_home

_spawned = multiprocessing.get_context("fork")
_PATIENCE_S = 60


def _wait_for(path: Path) -> None:
    until = time.monotonic() + _PATIENCE_S
    while not path.exists():
        assert time.monotonic() < until
        time.sleep(0.005)


def _held_up(home: Path, module: object, name: str) -> None:
    """Write a base, and wait for `go` behind one step of it."""
    step = getattr(module, name)

    def waiting(*given: object) -> object:
        done = step(*given)
        home.with_name("reached").touch()
        _wait_for(home.with_name("go"))
        return done

    with open_home(home) as memory:
        setattr(module, name, waiting)
        memory._space.home.index(memory.space).write_base()
        memory.recall("tea")
    os._exit(0)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home that went on since its backup."""
    with open_home(tmp_path / "home") as memory:
        memory.remember("green tea")
        memory.log.backup(tmp_path / "backup.db")
        memory.remember_many([f"tea number {number}" for number in range(5)])
    return tmp_path / "home"


def _restored_meanwhile(home: Path, module: object, name: str) -> None:
    """Restore while another process is behind a step of writing a base; let it go on then."""
    child = _spawned.Process(target=_held_up, args=(home, module, name))
    child.start()
    _wait_for(home.with_name("reached"))
    restore(home.with_name("backup.db"), home)
    home.with_name("go").touch()
    child.join(_PATIENCE_S)
    assert child.exitcode == 0


def test_a_base_of_the_old_log_is_no_evidence_of_lost_events(home: Path) -> None:
    """Written while the log was replaced, it is not listed, and its files go."""
    _restored_meanwhile(home, space_state, "_written")
    with Memory.open(home) as memory:
        assert memory.log.verify().events == 1
        assert memory._space.home.views.manifest.read().bases == {}
    assert list(home.glob("indexes/*/*/")) == []


def test_a_manifest_that_is_written_back_is_no_evidence(home: Path) -> None:
    """It lists bases that the restore removed."""
    with open_home(home) as memory:
        memory.upkeep.rebuild()
    listed = ManifestFile(home).read()
    assert listed.bases
    restore(home.with_name("backup.db"), home)
    ManifestFile(home).update(lambda _: listed)
    with Memory.open(home) as memory:
        assert memory.log.verify().events == 1


def test_a_restore_waits_for_who_writes_the_manifest(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What that read before would else come back behind the restore."""
    monkeypatch.setattr(backups, "_TAKE_HOME_S", 0.05)
    lock = FileLock(home / "manifest.lock")
    with lock.held(), pytest.raises(LogBusy, match="manifest"):
        restore(home.with_name("backup.db"), home)
    lock.close()
