"""Homes are exported, imported, backed up, restored, replayed, checked and mended."""

from __future__ import annotations

import io
import os
import shutil
import threading
import time
from pathlib import Path

import apsw
import msgspec
import pytest

from mnemolog import (
    CheckpointMismatch,
    ClosedHandle,
    CorruptLog,
    ForeignFormat,
    HomeNotEmpty,
    InvalidField,
    MalformedFile,
    Memory,
    MissingLog,
    Settings,
    UnknownPosition,
    parse_checkpoint,
    replay,
    restore,
)
from mnemolog.application.home.home import LEDGER
from mnemolog.application.transfer import backups
from mnemolog.indexes import space_index
from mnemolog.ledger.files import FileLock
from mnemolog.ledger.sqlite.sqlite_log import SqliteLog
from tests.files import holding
from tests.homes import HandClock, open_home
from tests.laws.life import answers, tables

ID, OLD = "0a" * 16, "0b" * 16


@pytest.fixture
def full(memory: Memory) -> Memory:
    """A home with something of everything."""
    memory.remember("Dana drinks coffee", id=OLD, tags=("drink",))
    memory.supersede(OLD, "Dana drinks tea", id=ID, reason="she said so")
    memory.remember("the door code is 4711081523", id="0c" * 16)
    memory.redact("0c")
    memory.pin(ID)
    memory.configure({"strategy": "rrf"})
    memory.undo()
    return memory


EVERY = Settings.__struct_fields__
"""Names of all settings."""


def exported(memory: Memory) -> bytes:
    """A home's events as JSON Lines."""
    file = io.BytesIO()
    memory.log.export_events(file)
    return file.getvalue()


class Pipe(io.RawIOBase):
    """Bytes that can be read but once, as from a pipe."""

    def __init__(self, data: bytes) -> None:
        self._data = io.BytesIO(data)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:
        return self._data.readinto(buffer)


# -- export and import -----------------------------------------------------------------


def test_an_empty_home_takes_an_export_bit_for_bit(full: Memory, tmp_path: Path) -> None:
    """Head, tables and answers are the same, and the redacted text is in neither."""
    told: list[tuple[str, int, int]] = []
    count = full.log.export_events(tmp_path / "events.jsonl", lambda *step: told.append(step))
    assert told[-1] == ("exporting", count, count)
    assert b"4711081523" not in (tmp_path / "events.jsonl").read_bytes()
    with open_home(tmp_path / "copy") as copy:
        imported = copy.log.import_events(tmp_path / "events.jsonl", settings=EVERY)
        assert (imported.events, imported.skipped) == (count, 0)
        assert copy.log.checkpoint() == full.log.checkpoint()
        assert tables(copy) == tables(full)
        asked = [{"cue": "what does Dana drink"}, {"cue": "coffee", "tags": ("drink",)}]
        assert answers(copy, asked) == answers(full, asked)


def test_a_home_with_events_takes_them_anew(full: Memory, tmp_path: Path) -> None:
    """They follow the head under their own ids; a second time all are known."""
    data = exported(full)
    with open_home(tmp_path / "other") as other:
        other.remember("mine")
        imported = other.log.import_events(io.BytesIO(data))
        assert imported.events + imported.skipped == full.log.checkpoint().position
        assert other.get("@1").content == "mine"
        assert other.get(OLD).superseded_by == (ID,)
        head = other.log.checkpoint()
        again = other.log.import_events(io.BytesIO(data))
        assert (again.events, again.skipped) == (0, full.log.checkpoint().position)
        assert other.log.checkpoint() == head
        assert other.log.verify()


def test_an_imported_redaction_reaches_its_own_memory_alone(memory: Memory, tmp_path: Path) -> None:
    """Elsewhere it destroys what it destroyed at home, whatever stands at its positions."""
    memory.remember("the door code is 4711081523", id=ID)
    before = exported(memory)
    memory.redact(ID)
    with open_home(tmp_path / "other") as other:
        kept = other.remember("mine").memory_id or ""
        other.log.import_events(io.BytesIO(before))
        assert other.get(ID).content == "the door code is 4711081523"
        other.log.import_events(io.BytesIO(exported(memory)), confirmed=True)
        assert other.get(kept).content == "mine"
        assert other.get(ID).content is None
        assert other.recall("door code", strategy="keyword").empty
        assert other.log.verify()


def test_what_comes_through_a_pipe_is_imported(full: Memory, tmp_path: Path) -> None:
    """A source that can be read but once is no other source."""
    with open_home(tmp_path / "copy") as copy:
        copy.log.import_events(Pipe(exported(full)), settings=EVERY)
        assert copy.log.checkpoint() == full.log.checkpoint()


def damaged(data: bytes) -> dict[str, bytes]:
    """An export with different things wrong with it."""
    lines = data.splitlines(keepends=True)
    return {
        "nothing": b"",
        "no header": b"".join(lines[1:]),
        "a later format": b'{"format":"mnemolog-events/4"}\n' + b"".join(lines[1:]),
        "a line after the end": data + lines[1],
        "another number of events": data.replace(b'{"end":{"events":', b'{"end":{"events":1'),
        "another head": data[:-6] + (b"00" if data[-6:-4] != b"00" else b"11") + data[-4:],
        **{f"cut off at line {n}": b"".join(lines[:n]) for n in range(1, len(lines))},
        "no JSON": data + b"{half",
        "a line cut off": data[:-20],
        "no event": data + b'{"position":1}\n',
        "an id that is none": data.replace(b"0a0a0a", b"zzzzzz"),
        "another text": data.replace(b"Dana drinks tea", b"Dana drinks gin"),
        "a missing line": b"".join(lines[:2] + lines[3:]),
        "a missing first line": lines[0] + b"".join(lines[2:]),
        "two lines swapped": b"".join([*lines[:2], lines[3], lines[2], *lines[4:]]),
        "a line twice": b"".join([*lines[:3], lines[2], *lines[3:]]),
    }


@pytest.mark.parametrize("empty", [True, False], ids=["into an empty home", "into a full one"])
def test_a_damaged_export_changes_nothing(full: Memory, tmp_path: Path, empty: bool) -> None:  # noqa: FBT001 - a parameter
    """Wherever the damage is, no event of the file comes in."""
    with open_home(tmp_path / "other") as other:
        if not empty:
            other.remember("mine")
        head = other.log.checkpoint()
        for what, data in damaged(exported(full)).items():
            with pytest.raises((ForeignFormat, MalformedFile)):
                pytest.fail(f"{what}: {other.log.import_events(io.BytesIO(data))}")
            assert other.log.checkpoint() == head, what


# -- backup, restore, replay -----------------------------------------------------------


def test_a_backup_restores_the_home(full: Memory, tmp_path: Path) -> None:
    """A backup of a live home is one verified file; restored, it answers as the home did."""
    checkpoint = full.log.backup(tmp_path / "kept" / "backup.db")
    assert checkpoint == full.log.checkpoint()
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["backup.db"]
    asked = [{"cue": "what does Dana drink"}]
    before, rows = answers(full, asked), tables(full)
    full.remember("later")
    full.close()
    verified = restore(tmp_path / "kept" / "backup.db", tmp_path / "home")
    assert verified.head_position == checkpoint.position
    with open_home(tmp_path / "home") as restored:
        assert restored.log.checkpoint() == checkpoint
        assert answers(restored, asked) == before
        assert tables(restored) == rows
        assert restored.log.verify()
    with open_home(tmp_path / "home.before-restore") as replaced:
        assert replaced.list()[0].content == "later"


def test_a_restore_is_seen_by_open_handles(memory: Memory, tmp_path: Path) -> None:
    """A handle that was open all the while answers from the restored log, and writes to it."""
    memory.remember("one tea")
    memory.log.backup(tmp_path / "backup.db")
    memory.remember_many(["two coffee", "three coffee"])
    assert len(memory.recall("coffee", strategy="keyword").hits) == 2
    restore(tmp_path / "backup.db", tmp_path / "home")
    with open_home(tmp_path / "home") as other:
        other.remember_many(["new harbour", "newer harbour", "newest harbour"])
        other.recall("harbour")
    assert memory.recall("coffee", strategy="keyword").empty
    assert len(memory.recall("harbour", strategy="keyword").hits) == 3
    assert memory.remember("last").position == 5


def test_a_second_restore_keeps_what_was_there(full: Memory, tmp_path: Path) -> None:
    """Each replaced log has a directory of its own beside the home."""
    full.log.backup(tmp_path / "backup.db")
    full.close()
    for _ in range(2):
        restore(tmp_path / "backup.db", tmp_path / "home")
    assert {path.name for path in tmp_path.glob("home.before-restore*")} == {
        "home.before-restore",
        "home.before-restore-2",
    }


def test_nothing_is_replaced_by_a_bad_backup(full: Memory, tmp_path: Path) -> None:
    """A file that is no ledger, or one that does not verify, leaves the home as it is."""
    (tmp_path / "notes.txt").write_text("no database" * 500)
    full.log.backup(tmp_path / "backup.db")
    raw = apsw.Connection(str(tmp_path / "backup.db"))
    raw.execute("DROP TRIGGER events_are_facts; UPDATE events SET actor = 'user:mallory'")
    raw.close()
    head = full.log.checkpoint()
    with pytest.raises(ForeignFormat):
        restore(tmp_path / "notes.txt", tmp_path / "home")
    with pytest.raises(CorruptLog):
        restore(tmp_path / "backup.db", tmp_path / "home")
    with pytest.raises(InvalidField) as raised:
        restore(tmp_path / "nowhere.db", tmp_path / "home")
    assert raised.value.field == "source"
    assert full.log.checkpoint() == head
    assert not list(tmp_path.glob("home.before*"))
    assert not list((tmp_path / "home").glob("*.partial*"))


def test_a_backup_overwrites_nothing(full: Memory, tmp_path: Path) -> None:
    """A target that exists is refused."""
    (tmp_path / "backup.db").write_text("mine")
    with pytest.raises(InvalidField) as raised:
        full.log.backup(tmp_path / "backup.db")
    assert raised.value.field == "target"
    assert (tmp_path / "backup.db").read_text() == "mine"


def test_a_restore_waits_for_nobody_forever(
    full: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While another process writes, the home is not taken."""
    full.log.backup(tmp_path / "backup.db")
    monkeypatch.setattr(backups, "_TAKE_HOME_S", 0.0)
    lock = FileLock(tmp_path / "home" / f"{LEDGER}.lock")
    with lock.held(), pytest.raises(TimeoutError):
        restore(tmp_path / "backup.db", tmp_path / "home")
    lock.close()
    assert full.log.verify()


def test_a_replay_tells_what_each_event_changed(full: Memory, tmp_path: Path) -> None:
    """Step by step, into a scratch home whose log is equal to the bit."""
    head = full.log.checkpoint()
    steps = list(replay(tmp_path / "home", tmp_path / "scratch"))
    assert [step.entry.position for step in steps] == list(range(1, head.position + 1))
    assert [(change.what, change.after) for change in steps[2].changes] == [
        ("status", "superseded"),
        ("superseded by", ID),
    ]
    with open_home(tmp_path / "scratch") as scratch:
        assert scratch.log.checkpoint() == head
    assert full.log.checkpoint() == head


def test_a_replay_goes_to_a_moment(full: Memory, tmp_path: Path) -> None:
    """Up to a position that the log holds, and only into an empty scratch home."""
    assert len(list(replay(tmp_path / "home", tmp_path / "scratch", to=2))) == 2
    with pytest.raises(HomeNotEmpty):
        list(replay(tmp_path / "home", tmp_path / "scratch"))
    with pytest.raises(UnknownPosition):
        list(replay(tmp_path / "home", to=99))
    assert len(list(replay(tmp_path / "home"))) == full.log.checkpoint().position


# -- checking and mending --------------------------------------------------------------


def test_verify_holds_the_log_to_a_checkpoint(full: Memory) -> None:
    """A checkpoint from earlier fits; one of another log does not."""
    kept = parse_checkpoint(msgspec.json.encode(full.log.checkpoint()), "kept.json")
    full.remember("later")
    assert full.log.verify(kept).checkpoint == kept
    with pytest.raises(CheckpointMismatch):
        full.log.verify(msgspec.structs.replace(kept, digest="00" * 32))


def test_the_doctor_finds_a_healthy_home_healthy(full: Memory, clock: HandClock) -> None:
    """Every part is looked at; a clock that is behind is a warning."""
    assert {finding.level for finding in full.upkeep.doctor().findings} == {"ok"}
    clock.move(-60_000_000)
    levels = {finding.subject: finding.level for finding in full.upkeep.doctor().findings}
    assert levels.pop("clock") == "warning"
    assert set(levels.values()) == {"ok"}


def test_the_doctor_finds_a_changed_view(full: Memory) -> None:
    """A table that says something else than the log is named, and a rebuild mends it."""
    full.recall("tea")
    (views,) = full.home.glob("views-*.db")
    raw = apsw.Connection(str(views))
    raw.execute("UPDATE memories SET status = 'active'")
    raw.close()
    (finding,) = [one for one in full.upkeep.doctor().findings if one.level == "error"]
    assert finding.subject == "views"
    assert "memories" in finding.text
    full.upkeep.rebuild()
    assert {one.level for one in full.upkeep.doctor().findings} <= {"ok", "warning"}
    assert full.get(OLD).status == "superseded"


def test_everything_derived_can_go(full: Memory) -> None:
    """Without anything but the log the next question answers the same."""
    asked = [{"cue": "what does Dana drink"}]
    before, rows = answers(full, asked), tables(full)
    full.upkeep.rebuild()
    full.close()
    for path in full.home.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif not path.name.startswith(LEDGER):
            path.unlink()
    with open_home(full.home) as again:
        assert answers(again, asked) == before
        assert tables(again) == rows


def test_a_home_without_its_log_is_not_begun_anew(full: Memory) -> None:
    """Derived files alone are no home: what is missing is named."""
    full.close()
    for path in full.home.glob(f"{LEDGER}*"):
        path.unlink()
    with pytest.raises(MissingLog):
        Memory.open(full.home)
    assert not (full.home / LEDGER).exists()


def test_an_unfinished_redaction_is_finished_at_the_next_opening(
    memory: Memory, tmp_path: Path
) -> None:
    """What readers of old pages held up is said, and gone once the home is opened again."""
    memory.remember("the door code is 4711081523", id=ID)
    memory.recall("code")
    reader = apsw.Connection(str(tmp_path / "home" / LEDGER))
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM events").fetchall()
    assert not memory.redact(ID, timeout_s=0.0).complete
    assert any(finding.subject == "erasures" for finding in memory.upkeep.doctor().findings)
    reader.execute("ROLLBACK")
    reader.close()
    memory.close()
    with open_home(tmp_path / "home") as again:
        assert SqliteLog.pending_erasures(again._space.home.log) == []
        assert holding(again.home, b"4711081523") == []


def test_an_index_that_cannot_be_saved_serves_on(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What goes wrong while a base is written in the background is told, and costs no answer."""
    monkeypatch.setattr(space_index, "_TAIL_LIMIT", 1)
    (memory.home / "indexes").write_text("no directory")
    memory.remember_many([f"tea {number}" for number in range(5)])
    assert len(memory.recall("tea").hits) == 5
    memory.close()
    assert any("not saved" in notice for notice in memory.notices)


# -- several at once -------------------------------------------------------------------


def test_threads_share_a_handle(memory: Memory) -> None:
    """Eight threads remember, correct, pin, recall and undo at once: nothing is lost."""
    start = threading.Barrier(8)
    failures: list[BaseException] = []

    def work(name: int) -> None:
        try:
            start.wait()
            for number in range(5):
                old = memory.remember(f"thread {name} says {number}").memory_id or ""
                new = memory.supersede(old, f"thread {name} means {number}").memory_id or ""
                memory.pin(new)
                assert memory.recall(f"thread {name} says {number}").hits
                memory.undo(memory.pin(old).events[0].event_id)
        except BaseException as error:  # noqa: BLE001 - told by the main thread
            failures.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    statuses = [item.status for item in memory.inspect.everything().values()]
    assert (statuses.count("active"), statuses.count("superseded")) == (40, 40)
    assert len(memory.list(by="pinned")) == 40
    assert memory.log.verify().events == memory.log.checkpoint().position == 8 * 5 * 7
    assert {finding.level for finding in memory.upkeep.doctor().findings} == {"ok"}


def test_a_lost_race_is_decided_again(memory: Memory, tmp_path: Path) -> None:
    """Many handles supersede one memory at once: none fails, and all stand in its story."""
    memory.remember("the code is 0", id=ID)
    handles = [open_home(tmp_path / "home") for _ in range(4)]
    start = threading.Barrier(4)
    failures: list[BaseException] = []

    def correct(handle: Memory, name: int) -> None:
        try:
            start.wait()
            handle.supersede(ID, f"the code is {name}")
        except BaseException as error:  # noqa: BLE001 - told by the main thread
            failures.append(error)

    threads = [
        threading.Thread(target=correct, args=(handle, name)) for name, handle in enumerate(handles)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for handle in handles:
        handle.close()
    assert failures == []
    assert len(memory.get(ID).superseded_by) == 4
    assert memory.log.verify().events == 9


def test_a_forked_child_goes_on_by_itself(memory: Memory) -> None:
    """Parent and child of a fork both remember and recall."""
    memory.remember("before the fork")
    memory.recall("fork")
    child = os.fork()
    if child == 0:
        code = 1
        try:
            memory.remember("in the child")
            code = 0 if memory.recall("child", strategy="keyword").hits else 2
        finally:
            os._exit(code)
    memory.remember("in the parent")
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert {item.content for item in memory.list()} == {
        "before the fork",
        "in the child",
        "in the parent",
    }
    assert memory.recall("child", strategy="keyword").hits[0].content == "in the child"


@pytest.mark.parametrize("run", ["a\ud800b", 5, b"talk"])
def test_a_run_that_is_no_text_is_refused(tmp_path: Path, run: object) -> None:
    """What no event could carry is refused when the home is opened."""
    with pytest.raises(InvalidField, match="run"):
        Memory.open(tmp_path, run=run)


def write_until_closed(memory: Memory, written: list[int], errors: list[Exception]) -> None:
    """Remember again and again, noting what was acknowledged and what ended it."""
    try:
        while True:
            written.append(memory.remember("tea again and again").position)
    except Exception as error:  # noqa: BLE001 - its class is what is asked about
        errors.append(error)


@pytest.mark.parametrize("attempt", range(5))
def test_a_handle_closes_while_its_threads_write(tmp_path: Path, attempt: int) -> None:
    """Who still writes is told that the handle is closed; what was acknowledged is there."""
    memory = open_home(tmp_path)
    written: list[int] = []
    errors: list[Exception] = []
    threads = [
        threading.Thread(target=write_until_closed, args=(memory, written, errors))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    while len(written) < 10 * (attempt + 1):
        time.sleep(0.001)
    memory.close()
    for thread in threads:
        thread.join()
    assert {type(error) for error in errors} == {ClosedHandle}, errors
    with open_home(tmp_path) as again:
        assert set(written) <= {entry.position for entry in again.log.events()}
        again.log.verify()


def test_sizes_are_told_while_files_come_and_go(tmp_path: Path) -> None:
    """An index that is replaced meanwhile ends no count of the bytes of a home."""
    done = threading.Event()
    directory = tmp_path / "home" / "indexes" / "square"

    def replace() -> None:
        while not done.is_set():
            directory.mkdir(parents=True)
            for number in range(20):
                (directory / f"{number}.tmp").write_bytes(b"x")
            shutil.rmtree(directory)

    with open_home(tmp_path / "home") as memory:
        memory.remember("Anna lives in Oslo")
        thread = threading.Thread(target=replace)
        thread.start()
        try:
            told = [memory.upkeep.stats().bytes for _ in range(300)]
        finally:
            done.set()
            thread.join()
    assert all(sizes[LEDGER] > 0 for sizes in told)
