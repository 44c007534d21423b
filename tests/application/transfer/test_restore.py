"""A restore switches logs in one step: at every moment a home holds one of the two, whole."""

from __future__ import annotations

import errno
import multiprocessing
import os
import shutil
import signal
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from mnemolog import (
    CorruptLog,
    DiskFull,
    ForeignFormat,
    InvalidField,
    LogBusy,
    Memory,
    MissingLog,
    StorageFailed,
    counterfactual,
    replay,
    restore,
)
from mnemolog.application.home.home import LEDGER
from mnemolog.application.transfer import backups
from mnemolog.ledger.files import FileLock
from tests.homes import open_home

OLD = ("Dana drinks coffee", "the ladder stands in the orchard", "the boat is in the harbour")
NEW = ("Dana drinks tea", "the violin is in the attic")
_STEPS = (
    "open", "mkdir", "rmdir", "link", "unlink", "rename", "replace", "fsync", "chmod",
)  # fmt: skip
"""Calls of the system at which a restore is stopped; each has an equivalent in `os`."""

# A fork of this process would copy the loaded model, which takes longer than a restore.
_forked = multiprocessing.get_context("forkserver")
_forked.set_forkserver_preload([__name__])


def _in_child(work: Callable[..., None], *given: object) -> int | None:
    """Do `work` in a process of its own; how it ended."""
    child = _forked.Process(target=work, args=given)
    child.start()
    child.join()
    return child.exitcode


def _write(home: Path, texts: tuple[str, ...]) -> None:
    memory = open_home(home)
    memory.remember_many(list(texts), contradictions="off")
    memory.recall("harbour")
    os._exit(0)


def _texts(home: Path) -> tuple[set[str | None], list[str]]:
    """What a home remembers, by its log and its views, and its notices."""
    with open_home(home) as memory:
        texts = {item.content for item in memory.list(limit=100)}
        assert memory.log.verify().events == memory.log.checkpoint().position
        return texts, memory.notices


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup, and a home with its last events in a WAL that nobody closed."""
    place = tmp_path_factory.mktemp("prepared")
    with open_home(place / "source") as memory:
        memory.remember_many(list(NEW), contradictions="off")
        memory.log.backup(place / "backup.db")
    assert _in_child(_write, place / "with a WAL", OLD) == 0
    assert (place / "with a WAL" / f"{LEDGER}-wal").stat().st_size > 0
    shutil.copytree(place / "with a WAL", place / "closed")
    open_home(place / "closed").close()
    assert not (place / "closed" / f"{LEDGER}-wal").exists()
    shutil.copytree(place / "with a WAL", place / "without its log")
    (place / "without its log" / LEDGER).unlink()
    return place


class Stopping:
    """The functions of `os` that a restore uses, stopped at the call with a number (from 0)."""

    def __init__(self, at: int, failure: int | None) -> None:
        self._left = at
        self._failure = failure

    def install(self) -> None:
        """Patch `os` in this process, for good."""
        for name in _STEPS:
            setattr(os, name, self._stopped(getattr(os, name)))

    @property
    def reached(self) -> bool:
        """Whether there were so many calls."""
        return self._left < 0

    def _stopped(self, function: Callable[..., object]) -> Callable[..., object]:
        def stopped(*arguments: object, **named: object) -> object:
            self._left -= 1
            if self._left == -1 or (self._left < 0 and self._failure == errno.ENOSPC):
                if self._failure is None:
                    os.kill(os.getpid(), signal.SIGKILL)
                elif self._failure != errno.ENOSPC or function.__name__ in {"open", "mkdir"}:
                    raise OSError(self._failure or 0, os.strerror(self._failure or 0))
            return function(*arguments, **named)

        return stopped


_FAILED, _DONE, _NOT_REACHED = 7, 0, 3


def _restore_stopping(place: Path, at: int, failure: int | None) -> None:
    stopping = Stopping(at, failure)
    stopping.install()
    try:
        restore(place / "backup.db", place / "home")
    except StorageFailed:
        os._exit(_FAILED)
    os._exit(_DONE if stopping.reached else _NOT_REACHED)


def _stopped_restore(place: Path, at: int, failure: int | None) -> int | None:
    return _in_child(_restore_stopping, place, at, failure)


def _check_after(place: Path, kind: str) -> str:
    """Which log a home holds after a restore was stopped; it is whole, and said which."""
    home = place / "home"
    try:
        texts, notices = _texts(home)
    except MissingLog:
        assert kind == "without its log"
        return "none"
    assert not [path for path in home.iterdir() if ".partial" in path.name]
    assert not [path for path in home.iterdir() if path.suffix in {".new", ".switch"}]
    if texts == set(OLD):
        assert kind != "without its log"
        return "old"
    assert texts == set(NEW)
    # What probes whether files can be linked there may stay if it cannot be removed.
    kept = [path for path in place.glob("home.before-restore*") if path.suffix != ".partial"]
    assert kept
    if kind != "without its log":
        assert _texts(kept[0])[0] == set(OLD)
    if notices:
        assert any(str(kept[0]) in notice for notice in notices)
    return "new"


def _ways_to_stop(
    prepared: Path, tmp_path: Path, kind: str, failure: int | None, step: int = 1
) -> list[str]:
    """What a home holds after a restore that was stopped at each of its calls in turn."""
    held: list[str] = []
    for at in range(0, 10_000, step):
        place = tmp_path / str(at)
        place.mkdir()
        shutil.copytree(prepared / kind, place / "home")
        shutil.copy(prepared / "backup.db", place)
        ended = _stopped_restore(place, at, failure)
        held.append(_check_after(place, kind))
        restored = restore(place / "backup.db", place / "home")
        assert _texts(place / "home")[0] == set(NEW)
        if held[-1] == "old":
            assert restored.kept is not None
            assert _texts(restored.kept)[0] == set(OLD)
        shutil.rmtree(place)
        if ended == _NOT_REACHED:
            return held
        assert ended in ({-signal.SIGKILL} if failure is None else {_FAILED, _DONE}), at
        assert ended != _DONE or held[-1] == "new", at
    raise AssertionError("it never ends")


@pytest.mark.parametrize("kind", ["closed", "with a WAL", "without its log"])
def test_a_restore_killed_at_any_call_leaves_one_of_the_two_logs(
    prepared: Path, tmp_path: Path, kind: str
) -> None:
    """Up to one call the home holds the old log, from then on the new one, always whole."""
    held = _ways_to_stop(prepared, tmp_path, kind, None, 1 if kind == "with a WAL" else 3)
    before = "none" if kind == "without its log" else "old"
    switched = held.index("new")
    assert set(held[:switched]) == {before}
    assert set(held[switched:]) == {"new"}
    assert len(held) - switched > 3


def test_which_log_it_is_is_said_after_an_interruption(prepared: Path, tmp_path: Path) -> None:
    """The next opening says that a restore was taken back or finished, and where the old log is."""
    said = set()
    for at in range(0, 400, 4):
        place = tmp_path / str(at)
        place.mkdir()
        shutil.copytree(prepared / "with a WAL", place / "home")
        shutil.copy(prepared / "backup.db", place)
        if _stopped_restore(place, at, None) == _NOT_REACHED:
            break
        begun = [
            path for path in (place / "home").iterdir() if path.suffix in {".partial", ".switch"}
        ]
        texts, notices = _texts(place / "home")
        told = " ".join(notices)
        if texts == set(OLD) and begun:
            assert "interrupted before it changed anything: the log is as it was" in told
            said.add("old")
        if (place / "home.before-restore").exists() and begun and "finished" in told:
            assert "the log is the restored one" in told
            assert str(place / "home.before-restore") in told
            said.add("new")
    assert said == {"old", "new"}


@pytest.mark.parametrize("failure", [errno.EIO, errno.ENOSPC])
def test_a_restore_that_fails_at_any_call_can_be_repeated(
    prepared: Path, tmp_path: Path, failure: int
) -> None:
    """An I/O error or a full disk leaves one of the two logs, whole; the cause is reported."""
    held = _ways_to_stop(prepared, tmp_path, "with a WAL", failure, 3)
    assert set(held) == {"old", "new"}


# -- what may be restored, and where ------------------------------------------------------


@pytest.fixture
def place(prepared: Path, tmp_path: Path) -> Path:
    """A backup and a home, with a WAL, in a directory of their own."""
    shutil.copytree(prepared / "with a WAL", tmp_path / "home")
    shutil.copy(prepared / "backup.db", tmp_path)
    return tmp_path


def test_the_last_events_of_an_unclosed_log_are_kept(place: Path) -> None:
    """What stood in the WAL alone is in the log that was replaced, in a directory that is named.

    What is derived goes with it, and no file of others, whatever it is called.
    """
    (place / "home" / "vectors.db.bak").write_bytes(b"mine")
    restored = restore(place / "backup.db", place / "home")
    assert restored.kept == place / "home.before-restore"
    assert restored.events == len(NEW)
    assert (place / "home" / "vectors.db.bak").read_bytes() == b"mine"
    assert _texts(place / "home") == (set(NEW), [])
    assert _texts(restored.kept)[0] == set(OLD)


def test_the_old_log_is_copied_where_it_cannot_be_linked(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A home that is a mount of its own is restored as well, and its old log kept beside it."""

    def refused(source: str, target: str, **_: object) -> None:
        raise OSError(errno.EXDEV, os.strerror(errno.EXDEV), source, None, target)

    monkeypatch.setattr(os, "link", refused)
    restored = restore(place / "backup.db", place / "home")
    assert restored.kept is not None
    assert stat.S_IMODE(restored.kept.stat().st_mode) == 0o700
    assert _texts(place / "home") == (set(NEW), [])
    assert _texts(restored.kept)[0] == set(OLD)
    assert {path.name for path in place.iterdir()} == {"backup.db", "home", "home.before-restore"}


def test_a_restore_of_a_log_in_use_includes_its_wal(place: Path) -> None:
    """A raw copy of a live ledger, or the ledger of another home, comes with its last events."""
    restored = restore(place / "home" / LEDGER, place / "other")
    assert (restored.events, restored.kept) == (len(OLD), None)
    assert _texts(place / "other") == (set(OLD), [])
    assert _texts(place / "home") == (set(OLD), [])


def test_what_cannot_be_a_source_is_refused(place: Path) -> None:
    """A directory, a pipe, nothing, the home's own log, a file in the home: nothing changes."""
    os.mkfifo(place / "pipe")
    shutil.copy(place / "backup.db", place / "home")
    home = place / "home"
    for source in (
        place,
        place / "pipe",
        place / "nowhere.db",
        home / LEDGER,
        home / "backup.db",
    ):
        with pytest.raises(InvalidField) as raised:
            restore(source, home)
        assert raised.value.field == "source"
    (place / "empty.db").touch()
    with pytest.raises(ForeignFormat):
        restore(place / "empty.db", home)
    assert _texts(home) == (set(OLD), [])
    assert not (place / "home.before-restore").exists()


def test_restored_files_are_for_their_owner_alone(place: Path) -> None:
    """Neither the log nor a backup of it can be read by others, whatever the source was."""
    (place / "backup.db").chmod(0o644)
    before = os.umask(0)
    try:
        restored = restore(place / "backup.db", place / "new" / "home")
        with open_home(place / "new" / "home") as memory:
            memory.log.backup(place / "again.db")
    finally:
        os.umask(before)
    assert restored.kept is None
    assert stat.S_IMODE((place / "new" / "home" / LEDGER).stat().st_mode) == 0o600
    assert stat.S_IMODE((place / "again.db").stat().st_mode) == 0o600


@pytest.mark.parametrize("suffix", ["-wal", "-shm", "-journal"])
def test_side_files_of_a_log_that_is_gone_are_never_taken_up(place: Path, suffix: str) -> None:
    """No log is begun beside them: they are named, and a restore puts them where the old log is."""
    home = place / "home"
    for path in home.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    (home / f"{LEDGER}{suffix}").write_bytes(b"of another log" * 1000)
    with pytest.raises(MissingLog, match=f"ledger.db{suffix} of it is there"):
        open_home(home)
    assert [path.name for path in home.iterdir() if path.suffix != ".lock"] == [f"{LEDGER}{suffix}"]
    (home / LEDGER).touch()
    with pytest.raises(CorruptLog, match=f"ledger.db is empty, but ledger.db{suffix} is there"):
        open_home(home)
    assert (home / LEDGER).stat().st_size == 0
    (home / LEDGER).unlink()
    restored = restore(place / "backup.db", home)
    assert _texts(home) == (set(NEW), [])
    assert restored.kept is not None
    kept = {path.name for path in restored.kept.iterdir()}
    assert kept == (set() if suffix == "-shm" else {f"{LEDGER}{suffix}"})


def test_a_home_whose_creation_was_interrupted_can_be_begun(tmp_path: Path) -> None:
    """The journal of a database that had no pages yet is that of an interrupted creation."""
    (tmp_path / LEDGER).touch()
    header = bytes.fromhex("d9d505f920a163d7") + bytes(20)
    (tmp_path / f"{LEDGER}-journal").write_bytes(header.ljust(512, b"\0"))
    with open_home(tmp_path) as memory:
        memory.remember("tea")


def _killed_once_decided(backup: Path, home: Path) -> None:
    unlinked = os.unlink

    def killed(path: str, **named: int) -> None:
        if str(path).endswith("-wal"):
            os.kill(os.getpid(), signal.SIGKILL)
        unlinked(path, **named)

    os.unlink = killed  # type: ignore[assignment]
    restore(backup, home)


def _restore_and_be_killed(backup: Path, home: Path) -> None:
    """Restore in a process of its own that is killed once the switch is decided on."""
    assert _in_child(_killed_once_decided, backup, home) == -signal.SIGKILL
    assert (home / f"{LEDGER}.switch").exists()


def test_an_open_handle_writes_to_the_new_log_after_an_interrupted_switch(place: Path) -> None:
    """Once it is decided, a process that had the home open finishes it first, and says so."""
    home = place / "home"
    with open_home(home) as memory:
        memory.log.backup(place / "own.db")
        assert memory.remember("before").position == len(OLD) + 1
        _restore_and_be_killed(place / "own.db", home)
        assert memory.remember("after").position == len(OLD) + 1
        assert {item.content for item in memory.list()} == {*OLD, "after"}
        assert memory.log.verify().events == len(OLD) + 1
        (notice,) = memory.notices
        assert f"the log that was there is in {place / 'home.before-restore'}" in notice
    assert _texts(home)[0] == {*OLD, "after"}
    assert _texts(place / "home.before-restore")[0] == {*OLD, "before"}


@pytest.mark.parametrize("killed", [False, True], ids=["whole", "killed"])
def test_an_open_handle_refuses_the_log_of_another_home(
    place: Path,
    killed: bool,  # noqa: FBT001 - a parameter
) -> None:
    """What it would derive has the key of the old log: it asks to be opened again."""
    home = place / "home"
    with open_home(home) as memory:
        assert not memory.recall("coffee").empty
        (_restore_and_be_killed if killed else restore)(place / "backup.db", home)
        for ask in (lambda: memory.remember("lost"), memory.list, memory.log.verify) * 2:
            with pytest.raises(StorageFailed, match="another home; open the home again"):
                ask()
    assert _texts(home) == (set(NEW), [])
    assert _texts(place / "home.before-restore")[0] == set(OLD)


def test_a_home_that_is_written_to_is_not_replaced(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While another process holds the log, the restore gives up and leaves nothing behind."""
    monkeypatch.setattr(backups, "_TAKE_HOME_S", 0.0)
    lock = FileLock(place / "home" / f"{LEDGER}.lock")
    with lock.held(), pytest.raises(LogBusy):
        restore(place / "backup.db", place / "home")
    lock.close()
    assert _texts(place / "home") == (set(OLD), [])
    assert {path.name for path in place.iterdir()} == {"backup.db", "home"}


# -- backups ------------------------------------------------------------------------------


def _killed_backing_up(home: Path, target: Path) -> None:
    os.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)  # type: ignore[assignment]
    with open_home(home) as mine:
        mine.log.backup(target)


def test_a_backup_that_was_killed_is_taken_away_by_the_next(place: Path) -> None:
    """What it leaves beside its target is named after that, and private."""
    with open_home(place / "home") as memory:
        killed = _in_child(_killed_backing_up, place / "home", place / "kept.db")
        assert killed == -signal.SIGKILL
        (left,) = [path for path in place.iterdir() if path.name.startswith("kept.db.")]
        assert left.suffix == ".partial"
        assert stat.S_IMODE(left.stat().st_mode) == 0o700
        memory.log.backup(place / "kept.db")
    assert [path.name for path in place.iterdir() if path.name.startswith("kept")] == ["kept.db"]


def test_a_backup_that_fails_leaves_nothing(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a full disk it says so, and neither the target nor a partial file is there."""
    with open_home(place / "home") as memory:

        def full(*_: object, **__: object) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        with monkeypatch.context() as patched:
            patched.setattr(os, "fsync", full)
            with pytest.raises(DiskFull):
                memory.log.backup(place / "kept.db")
        assert not list(place.glob("kept*"))
        with pytest.raises(InvalidField, match="lies in the home"):
            memory.log.backup(place / "home" / "kept.db")


def test_a_question_names_the_write_ahead_log_that_is_left(tmp_path: Path) -> None:
    """Where only a log's last events are left, there is no missing home, and nothing to create."""
    (tmp_path / "ledger.db-wal").write_bytes(b"frames")
    with pytest.raises(MissingLog, match=r"ledger\.db-wal of it is there"):
        Memory.open(tmp_path, missing="refuse")
    assert (tmp_path / "ledger.db-wal").read_bytes() == b"frames"


@pytest.mark.parametrize("copy", ["kept.jsonl", "deep/kept.jsonl"])
def test_no_copy_of_the_log_goes_into_the_home(tmp_path: Path, copy: str) -> None:
    """A redaction would not reach an export or a scratch home there."""
    home = tmp_path / "home"
    with Memory.open(home) as memory, pytest.raises(InvalidField, match="lies in the home"):
        memory.log.export_events(home / copy)
    with pytest.raises(InvalidField, match="lies in the home"):
        next(replay(home, home / copy))
    with pytest.raises(InvalidField, match="lies in the home"):
        counterfactual(home, {"strategy": "rrf"}, scratch=home / copy)
