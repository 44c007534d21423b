"""A home whose log was replaced by another valid log is named, until that is accepted."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from mnemolog import LogReplaced, LogShortened, Memory, StorageFailed, restore
from mnemolog.application.home.home import LEDGER
from tests.homes import open_home


def lived_in(home: Path, events: int, *, based: bool = False) -> Path:
    """A home that was asked, so that files are derived from its log; its closed log."""
    with open_home(home) as memory:
        memory.remember_many([f"tea number {number} of {home.name}" for number in range(events)])
        memory.recall("tea")
        if based:
            memory.upkeep.rebuild()
    return home / LEDGER


def put(log: Path, home: Path) -> None:
    """Put another file in the place of a home's log, as a copy by hand does."""
    for name in (f"{LEDGER}-wal", f"{LEDGER}-shm"):
        (home / name).unlink(missing_ok=True)
    partial = home / "copied"
    shutil.copyfile(log, partial)
    partial.replace(home / LEDGER)


@pytest.mark.parametrize("events", [1, 3, 5], ids=["shorter", "as long", "longer"])
@pytest.mark.parametrize("asked", [False, True], ids=["at once", "asked before"])
def test_another_homes_log_is_named(
    tmp_path: Path,
    events: int,
    asked: bool,  # noqa: FBT001 - a parameter
) -> None:
    """Verify raises `LogReplaced` with the position that differs; the log's own chain is sound."""
    home = tmp_path / "mine"
    lived_in(home, 3)
    put(lived_in(tmp_path / "other", events), home)
    if asked:
        with open_home(home) as memory:
            assert not memory.recall("tea number 0 of other").empty
    for _ in range(2):
        with open_home(home) as memory, pytest.raises(LogReplaced) as raised:
            memory.log.verify()
        assert (raised.value.known, raised.value.head) == (3, events)
    with open_home(home) as memory:
        levels = {one.subject: one.level for one in memory.upkeep.doctor().findings}
        assert (levels["log"], levels["history"]) == ("ok", "error")
        memory.log.accept_loss()
        assert memory.log.verify().events == events


def test_the_doctor_finds_it_by_itself(tmp_path: Path) -> None:
    """Nothing need be asked before."""
    home = tmp_path / "mine"
    lived_in(home, 3)
    put(lived_in(tmp_path / "other", 3), home)
    with open_home(home) as memory:
        (found,) = (one for one in memory.upkeep.doctor().findings if one.subject == "history")
    assert found.level == "error"
    assert "replaced by another one: position 3 holds another event" in found.text


def test_an_open_handle_names_it(tmp_path: Path) -> None:
    """What has been open since before refuses it; opened again, it is named as ever."""
    home = tmp_path / "mine"
    lived_in(home, 3)
    other = lived_in(tmp_path / "other", 3)
    with open_home(home) as memory:
        assert memory.log.verify()
        put(other, home)
        with pytest.raises(StorageFailed, match="the log of another home"):
            memory.log.verify()
    with open_home(home) as memory, pytest.raises(LogReplaced):
        memory.log.verify()


def test_a_log_that_is_put_back_is_missed_no_more(tmp_path: Path) -> None:
    """Nothing need be accepted: the evidence is of a log that is there."""
    home = tmp_path / "mine"
    mine = lived_in(home, 3)
    shutil.copyfile(mine, tmp_path / "kept")
    put(lived_in(tmp_path / "other", 5), home)
    with open_home(home) as memory, pytest.raises(LogReplaced):
        memory.log.verify()
    put(tmp_path / "kept", home)
    with open_home(home) as memory:
        assert memory.log.verify().events == 3


@pytest.mark.parametrize("grown", [0, 4], ids=["shorter", "longer"])
def test_an_older_copy_of_the_same_log_is_a_loss(tmp_path: Path, grown: int) -> None:
    """It has the same key: events were lost, and others may have come in their place."""
    home = tmp_path / "mine"
    shutil.copyfile(lived_in(home, 1), tmp_path / "kept")
    lived_in(home, 2)
    put(tmp_path / "kept", home)
    if grown:
        (tmp_path / "elsewhere").mkdir()
        put(tmp_path / "kept", tmp_path / "elsewhere")
        put(lived_in(tmp_path / "elsewhere", grown), home)
    with open_home(home) as memory, pytest.raises(LogShortened) as raised:
        memory.log.verify()
    assert (raised.value.known, raised.value.head) == (3, 1 + grown)
    assert ("holds another event" in str(raised.value)) == bool(grown)


def test_an_index_is_evidence_where_the_views_are_gone(tmp_path: Path) -> None:
    """The manifest says up to which event the index of each space goes."""
    home = tmp_path / "mine"
    lived_in(home, 3, based=True)
    put(lived_in(tmp_path / "other", 3), home)
    for path in home.glob("views-*"):
        path.unlink()
    with open_home(home) as memory:
        with pytest.raises(LogShortened):
            memory.log.verify()
        memory.log.accept_loss()
        assert memory.log.verify().events == 3


def test_a_copy_with_the_same_events_is_no_loss(tmp_path: Path) -> None:
    """An import into an empty home is bit-identical but for its key: said, and all is answered."""
    home = tmp_path / "mine"
    with open_home(home) as memory:
        memory.remember("green tea", tags=("drink",))
        memory.recall("tea")
        memory.log.export_events(tmp_path / "events.jsonl")
    with open_home(tmp_path / "other") as memory:
        memory.log.import_events(tmp_path / "events.jsonl")
    put(tmp_path / "other" / LEDGER, home)
    with open_home(home) as memory:
        assert memory.log.verify().events == 1
        assert any("key of another log" in notice for notice in memory.notices)
        assert [hit.content for hit in memory.recall("tea", tags=("drink",)).hits] == ["green tea"]


def test_a_restore_is_no_replacement(tmp_path: Path) -> None:
    """Its derived files are made anew."""
    home = tmp_path / "mine"
    lived_in(home, 3)
    with open_home(tmp_path / "other") as memory:
        memory.remember("tea")
        memory.log.backup(tmp_path / "backup.db")
    restore(tmp_path / "backup.db", home)
    with Memory.open(home) as memory:
        assert memory.log.verify().events == 1
        assert memory.notices == []
