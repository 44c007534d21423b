"""What mnemolog writes, its owner alone can read."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemolog import Memory, restore
from mnemolog.serve.mcp.http import kept_token
from tests.homes import open_home


@pytest.fixture(autouse=True)
def _open_umask() -> Iterator[None]:
    """Files are made for all, unless their maker says otherwise."""
    before = os.umask(0)
    yield
    os.umask(before)


def wide(path: Path) -> list[str]:
    """What below a path others can read, write or enter."""
    return [
        f"{found} {stat.S_IMODE(found.lstat().st_mode):o}"
        for found in sorted(path.rglob("*"))
        if stat.S_IMODE(found.lstat().st_mode) & 0o077
    ]


def use_for_everything(memory: Memory, beside: Path) -> None:
    """Let a home make every file that it can make, with copies of it in `beside`."""
    told = memory.remember("Dana drinks tea", tags=("drink",))
    memory.remember_many([f"note {number} of the plan" for number in range(50)])
    memory.upkeep.rebuild()
    memory.recall("teas that Dana drinks")
    memory.sessions.start("what does Dana drink")
    memory.redact(told.memory_id or "")
    memory.upkeep.rebuild()
    memory.log.export_events(beside / "events.jsonl")
    memory.log.backup(beside / "log.db")
    kept_token(memory.home)


@pytest.mark.parametrize("existing", [False, True], ids=["a new home", "an existing folder"])
def test_every_file_of_a_home_is_for_its_owner_alone(tmp_path: Path, existing: bool) -> None:  # noqa: FBT001 - a parameter
    """With no umask and in a folder that all can enter: log, views, indexes, locks, copies."""
    home, beside = tmp_path / "home", tmp_path / "beside"
    beside.mkdir()
    if existing:
        home.mkdir()
    with open_home(home) as memory:
        use_for_everything(memory, beside)
        assert (home / "ledger.db-wal").exists()
        assert list(home.glob("indexes/*/*/dictionary/*"))
        assert wide(home) == []
    assert wide(home) == []
    assert wide(beside) == []
    assert stat.S_IMODE(home.stat().st_mode) == (0o777 if existing else 0o700)


def test_files_that_were_open_to_others_are_closed_at_opening(tmp_path: Path) -> None:
    """Our own files alone: what else is in the folder stays as it is."""
    home, beside = tmp_path / "home", tmp_path / "beside"
    beside.mkdir()
    with open_home(home) as memory:
        use_for_everything(memory, beside)
    (home / "mine.txt").write_text("shared")
    (home / "poetry.lock").write_text("shared")
    # Of a token that others could read, nobody knows who has it: the server refuses it.
    (home / "mcp-token").unlink()
    for path in home.rglob("*"):
        path.chmod(0o777 if path.is_dir() else 0o666)
    with open_home(home) as memory:
        memory.recall("plan")
        assert wide(home) == [f"{home / name} 666" for name in ("mine.txt", "poetry.lock")]


def test_a_restored_log_is_for_its_owner_alone(tmp_path: Path) -> None:
    """A backup that others could read does not open the home to them."""
    with open_home(tmp_path / "home") as memory:
        memory.remember("Dana drinks tea")
        memory.log.backup(tmp_path / "log.db")
    (tmp_path / "log.db").chmod(0o644)
    restore(tmp_path / "log.db", tmp_path / "home")
    with open_home(tmp_path / "home") as memory:
        assert memory.recall("tea").hits
        assert wide(tmp_path / "home") == []
