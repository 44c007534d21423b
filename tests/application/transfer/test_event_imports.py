"""Imports of events: checked whole, repeatable, and without the settings of the file."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import apsw
import msgspec
import pytest

from mnemolog import DiskFull, LogBusy, Memory, OutcomeUnknown, Settings, StorageFailed
from mnemolog.application.transfer.exports import LastLine
from mnemolog.ledger.digests import EMPTY, chain, content_hash, leaf, row_of
from mnemolog.ledger.errors import (
    EventIdTaken,
    ForeignFormat,
    ImportNotConfirmed,
    InvalidField,
    MalformedFile,
)
from mnemolog.ledger.events import Draft, Event
from mnemolog.ledger.ids import Position
from mnemolog.ledger.log import Appended
from tests.failing_files import FailingFiles
from tests.homes import DAY, HandClock, open_home
from tests.laws.life import tables

EVERY = Settings.__struct_fields__


def exported(memory: Memory) -> bytes:
    """A home's events as JSON Lines."""
    file = io.BytesIO()
    memory.log.export_events(file)
    return file.getvalue()


def forged(memory: Memory, change: Callable[[Event], Event]) -> bytes:
    """An export in which each event is what `change` makes of it, and which chains well."""
    lines = exported(memory).splitlines()
    written, digest = [lines[0]], EMPTY.digest
    events = memory._space.home.log.read(Position(0), 1000)
    for event, line in zip(events, lines[1:-1], strict=True):
        changed = change(event)
        if changed.content is not None and changed.salt is not None:
            hashed = content_hash(changed.salt, changed.content)
            changed = msgspec.structs.replace(changed, content_hash=hashed)
        covered = leaf(row_of(changed)[:10], changed.structure, changed.content_hash)
        digest = chain(digest, covered)
        fields = json.loads(line) | {
            "event_id": changed.event_id,
            "memory_id": changed.memory_id,
            "kind": changed.kind,
            "space": changed.space,
            "actor": changed.actor,
            "structure": changed.structure.decode(),
            "content": None if changed.content is None else changed.content.decode(),
            "salt": None if changed.salt is None else changed.salt.hex(),
            "content_hash": None if changed.content_hash is None else changed.content_hash.hex(),
            "digest": digest.hex(),
        }
        written.append(json.dumps(fields).encode())
    end = msgspec.json.decode(lines[-1], type=LastLine).end
    last = LastLine(msgspec.structs.replace(end, digest=digest.hex()))
    return b"\n".join([*written, msgspec.json.encode(last), b""])


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with thirty memories, some of them superseded, and no settings."""
    with open_home(tmp_path / "home") as memory:
        told = [memory.remember(f"Dana counted {number} ferrets") for number in range(30)]
        for one in told[::5]:
            memory.supersede(one.memory_id or "", f"in place of {one.memory_id}", reason="late")
    return tmp_path / "home"


# -- settings --------------------------------------------------------------------------


@pytest.fixture
def configured(tmp_path: Path) -> bytes:
    """An export that would let agents redact, and put a file of this machine into contexts."""
    with open_home(tmp_path / "configured") as memory:
        memory.configure({"agents_may_redact": True, "identity": "/etc/passwd"})
        memory.remember("Dana drinks tea")
        memory.acting("work").configure({"strategy": "rrf"})
        return exported(memory)


def test_settings_of_a_file_are_never_in_force(configured: bytes, tmp_path: Path) -> None:
    """Neither now nor as of the past: the events are there, and the report names what is not."""
    with open_home(tmp_path / "empty") as memory:
        imported = memory.log.import_events(io.BytesIO(configured))
        assert imported.settings_ignored == ("agents_may_redact", "identity", "strategy")
        count = memory.log.checkpoint().position
        for moment in (memory, *(memory.as_of(position) for position in range(count + 1))):
            assert moment.settings() == Settings()
            assert moment.ask("tea", layers=["palace"]).identity is None
        assert memory.acting("work").settings() == Settings()
        assert (
            exported(memory).splitlines()[1 : imported.events + 1]
            == (configured.splitlines()[1:-1])
        )
        assert memory.log.verify()
        memory.upkeep.rebuild()
        assert memory.settings() == Settings()


def test_settings_are_taken_by_name(configured: bytes, tmp_path: Path) -> None:
    """What is asked for holds, in an empty home and in another, and the rest does not."""
    for name in ("empty", "used"):
        with open_home(tmp_path / name) as memory:
            if name == "used":
                memory.remember("mine")
                memory.configure({"min_relevance": 0.5, "identity": "/mine.md"})
            before = memory.settings()
            imported = memory.log.import_events(io.BytesIO(configured), settings=["strategy"])
            assert imported.settings_ignored == ("agents_may_redact", "identity")
            assert memory.settings() == before
            assert memory.acting("work").settings().strategy == "rrf"
            head = memory.log.checkpoint()
            memory.log.import_events(io.BytesIO(configured), settings=["strategy"])
            assert memory.log.checkpoint() == head


def test_all_settings_asked_for_leave_the_log_as_it_was(configured: bytes, tmp_path: Path) -> None:
    """The head of an empty home is then that of the file."""
    with open_home(tmp_path / "empty") as memory:
        memory.log.import_events(io.BytesIO(configured), settings=EVERY)
        assert exported(memory) == configured
        assert memory.settings().agents_may_redact


def test_an_import_with_settings_gives_one_head_whenever_and_by_whomever(
    configured: bytes, tmp_path: Path
) -> None:
    """What takes settings out is made of the file: ids, times and actor; the rest is as it was."""
    heads: dict[tuple[str, ...], set[str]] = {(): set(), ("strategy",): set()}
    for number, settings in enumerate([*heads] * 2):
        clock = HandClock()
        clock.move((number + 1) * DAY)
        with (
            open_home(tmp_path / f"home{number}", clock=clock) as home,
            home.acting(f"space{number}") as memory,
        ):
            memory.log.import_events(io.BytesIO(configured), settings=settings)
            again = memory.log.checkpoint()
            memory.log.import_events(io.BytesIO(configured), settings=settings)
            assert memory.log.checkpoint() == again
            assert exported(memory).splitlines()[1:4] == configured.splitlines()[1:4]
            heads[settings].add(again.digest)
    assert [len(found) for found in heads.values()] == [1, 1]


def test_a_setting_that_cannot_be_is_not_taken(tmp_path: Path) -> None:
    """A name that is none, or a value out of range, is refused before anything is appended."""
    with open_home(tmp_path / "home") as memory:
        memory.configure({"forgetting_speed": 2.0})
        bad = forged(
            memory,
            lambda event: msgspec.structs.replace(
                event, structure=b'{"settings":{"forgetting_speed":-5}}'
            ),
        )
    with open_home(tmp_path / "empty") as memory:
        for names in (["forgetting_speed"], ["speed"], "strategy"):
            with pytest.raises(InvalidField):
                memory.log.import_events(io.BytesIO(bad), settings=names)
        assert memory.log.checkpoint().position == 0
        assert memory.log.import_events(io.BytesIO(bad)).settings_ignored == ("forgetting_speed",)
        assert memory.settings() == Settings()


def test_what_a_file_says_of_imports_takes_no_settings_away(tmp_path: Path) -> None:
    """Events that continue this log cannot take out what its own settings say."""
    with open_home(tmp_path / "home") as memory:
        memory.configure({"lowest_tier": "archived"})
        start = exported(memory)
        memory.remember("later")
        position = memory.log.checkpoint().position
        said = {"digest": "00", "position": 9, "after": 0, "through": position - 1}

        def taken_out(event: Event) -> Event:
            if event.position < position:
                return event
            return msgspec.structs.replace(
                event, kind="imported", structure=json.dumps(said).encode(), memory_id=None
            )

        longer = forged(memory, taken_out)
    with open_home(tmp_path / "copy") as copy:
        copy.log.import_events(io.BytesIO(start), settings=EVERY)
        copy.log.import_events(io.BytesIO(longer))
        assert copy.settings().lowest_tier == "archived"
        copy.upkeep.rebuild()
        assert copy.settings().lowest_tier == "archived"


# -- repeated and interrupted ----------------------------------------------------------

_KILLED = """
import os, sys
from pathlib import Path
from mnemolog.ledger.sqlite import group_commit, tables
from mnemolog.application.transfer import exports
from tests.homes import open_home

exports._BATCH = group_commit._ADOPTED_CHUNK = 5
inserted = tables.insert_events
left = int(sys.argv[3])

def insert(*arguments):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), 9)
    inserted(*arguments)

tables.insert_events = insert
with open_home(Path(sys.argv[1])) as memory:
    memory.log.import_events(Path(sys.argv[2]))
"""


def killed_import(home: Path, file: Path, after: int) -> int:
    """The exit code of an import that is killed at its so-manieth write of a batch."""
    words = [sys.executable, "-c", _KILLED, str(home), str(file), str(after)]
    return subprocess.run(words, check=False).returncode


@pytest.mark.parametrize("writes", [1, 4])
def test_an_interrupted_import_leaves_an_empty_home_empty(
    home: Path, tmp_path: Path, writes: int
) -> None:
    """Killed between batches nothing came in; repeated, the log is that of the file."""
    file = tmp_path / "events.jsonl"
    with open_home(home) as memory:
        memory.log.export_events(file)
        head = memory.log.checkpoint()
    assert killed_import(tmp_path / "copy", file, writes) == -signal.SIGKILL
    with open_home(tmp_path / "copy") as copy:
        assert copy.log.checkpoint().position == 0
        for _ in range(2):
            copy.log.import_events(file)
            assert copy.log.checkpoint() == head


def test_an_interrupted_import_into_another_home_ends_the_same(home: Path, tmp_path: Path) -> None:
    """What came in stays, the rest follows at the next try, and a third adds nothing."""
    file = tmp_path / "events.jsonl"
    with open_home(home) as memory:
        memory.log.export_events(file)
        told = {item.memory_id: item.content for item in memory.list(limit=100)}
    for name in ("killed", "whole"):
        with open_home(tmp_path / name) as other:
            other.remember("mine")
    assert killed_import(tmp_path / "killed", file, 3) == -signal.SIGKILL
    seen = []
    for name in ("killed", "whole"):
        with open_home(tmp_path / name) as other:
            begun = other.log.checkpoint().position
            assert (begun > 1) == (name == "killed")
            imported = other.log.import_events(file)
            head = other.log.checkpoint()
            assert other.log.import_events(file).events == 0
            assert other.log.checkpoint() == head
            found = {item.memory_id: item.content for item in other.list(limit=100)}
            assert told.items() <= found.items()
            events = [
                e for e in other.log.events() if e.kind != "imported" and e.origin is not None
            ]
            seen.append([(e.event_id, e.origin, e.actor) for e in events])
            assert imported.events + imported.skipped == 42
            assert other.log.verify()
    assert seen[0] == seen[1]
    assert len(seen[0]) == 42


def test_events_taken_in_anew_keep_where_and_when_they_were_recorded(
    home: Path, tmp_path: Path
) -> None:
    """Their position, time and actor in their own log can be seen, after a rebuild as well."""
    with open_home(home) as memory:
        data = exported(memory)
        theirs = {e.event_id: (e.position, e.recorded_at, e.actor) for e in memory.log.events()}
    clock = HandClock()
    clock.move(90 * DAY)
    with open_home(tmp_path / "other", clock=clock) as other:
        mine = other.remember("mine")
        other.log.import_events(io.BytesIO(data))
        for _ in range(2):
            found = {
                e.event_id: (e.origin.position, e.origin.recorded_at, e.actor)
                for e in other.log.events()
                if e.origin is not None
            }
            assert found == theirs
            other.upkeep.rebuild()
        (own,) = other.history(mine.memory_id or "")
        assert own.origin is None
        moved = other.history(next(iter(found)))[0]
        assert "imported: recorded as @1 at 2025-06-15T15:06:40" in moved.summary


def test_a_longer_export_goes_on_where_the_log_ends(home: Path, tmp_path: Path) -> None:
    """A home whose log begins the file takes the rest as it is, redactions with it."""
    with open_home(home) as memory, open_home(tmp_path / "copy") as copy:
        copy.log.import_events(io.BytesIO(exported(memory)))
        secret = memory.list(limit=100)[3]
        memory.redact(secret.memory_id)
        memory.remember("and one more")
        imported = copy.log.import_events(io.BytesIO(exported(memory)), confirmed=True)
        assert imported.events == 2
        assert len(imported.erased) >= 1
        assert copy.log.checkpoint() == memory.log.checkpoint()
        assert copy.get(secret.memory_id).content is None
        assert tables(copy) == tables(memory)
        assert copy.log.verify().erased == len(imported.erased)


@pytest.mark.parametrize("diverged", [False, True], ids=["continues", "another"])
def test_redactions_of_a_file_are_asked_about_before_they_destroy_what_is_here(
    home: Path,
    tmp_path: Path,
    diverged: bool,  # noqa: FBT001 - a parameter
) -> None:
    """With how many memories lose their text, and some of them; not in a home without it."""
    with open_home(home) as memory, open_home(tmp_path / "copy") as copy:
        copy.log.import_events(io.BytesIO(exported(memory)))
        if diverged:
            copy.remember("mine")
        secret = memory.list(limit=100)[3]
        memory.redact(secret.memory_id)
        file = exported(memory)
        head = copy.log.checkpoint()
        with pytest.raises(ImportNotConfirmed, match="lose their text: 1") as raised:
            copy.log.import_events(io.BytesIO(file))
        assert raised.value.memories == 1
        assert raised.value.examples == ((secret.memory_id, secret.content),)
        assert copy.log.checkpoint() == head
        assert copy.get(secret.memory_id).content == secret.content
        assert copy.log.import_events(io.BytesIO(file), confirmed=True).erased
        assert copy.get(secret.memory_id).content is None
        assert copy.log.import_events(io.BytesIO(file)).events == 0
    with open_home(tmp_path / "empty") as empty:
        assert empty.log.import_events(io.BytesIO(file)).erased == ()


def test_upkeep_of_another_home_is_not_taken_for_ours(tmp_path: Path) -> None:
    """Ticks and maintenance say how far that home had come; what they did is taken in."""
    clock = HandClock()
    with open_home(tmp_path / "home", clock=clock) as memory:
        memory.remember("we met Kim at the fair", kind="episodic")
        clock.move(60 * DAY)
        memory.upkeep.tick()
        memory.upkeep.maintain()
        data = exported(memory)
        tier = memory.list(statuses=["active", "archived", "summarized"])[0].tier
    with open_home(tmp_path / "other", clock=clock) as other:
        other.remember("mine")
        other.log.import_events(io.BytesIO(data))
        kinds = {event.kind for event in other.log.events()}
        assert kinds.isdisjoint({"ticked", "maintained"})
        (met,) = [one for one in other.list(statuses=["active", "archived", "summarized"])
                  if one.content != "mine"]  # fmt: skip
        assert met.tier == tier != "active"


def test_a_name_alone_destroys_nothing(tmp_path: Path) -> None:
    """A redaction counts for what the file itself holds redacted, whatever else it names."""
    with open_home(tmp_path / "mine") as mine:
        kept = mine.remember("Dana drinks tea").memory_id or ""
    with open_home(tmp_path / "theirs") as theirs:
        theirs.remember("the door code is 4711")
        theirs.redact("@1")
        both = forged(
            theirs,
            lambda event: event if event.kind != "redacted" else msgspec.structs.replace(
                event, structure=event.structure.replace(b"]", b',"' + kept.encode() + b'"]')
            ),
        )  # fmt: skip
    with open_home(tmp_path / "mine") as mine:
        assert mine.log.import_events(io.BytesIO(both)).erased == ()
        assert b"Dana drinks tea" in exported(mine)


# -- hostile files ---------------------------------------------------------------------

DEEP = b'{"a":' * 5_000 + b"1" + b"}" * 5_000


@pytest.mark.parametrize(
    "fields",
    [
        {"structure": b'{"valid_from":99999999999999999999}'},
        {"structure": b'{"initial_strength":7}'},
        {"structure": b'{"depth_weight":[0,-1]}'},
        {"structure": b'{"said_at":"soon"}'},
        {"structure": b'{"evidence":' + DEEP + b"}"},
        {"structure": b'{"unknown":' + DEEP + b"}"},
        {"structure": b"[]"},
        {"content": DEEP},
        {"content": b'{"text":7}'},
        {"kind": "sung", "structure": DEEP},
        {"kind": "sung", "structure": b'{"a":' * 200 + b"1" + b"}" * 200},
        {"kind": "superseded", "structure": b'{"by":"no id"}'},
        {"kind": "linked", "structure": b'{"type":"uses","target":"zz"}'},
        {"kind": "ticked", "structure": b'{"until":1e400}'},
        {"kind": ""},
        {"kind": "a\nb"},
        {"space": ""},
        {"space": "x" * 2000},
        {"actor": "nobody"},
        {"memory_id": "0b" * 16},
    ],
    ids=lambda fields: f"{next(iter(fields))} {next(iter(fields.values()))!r:.24}",
)
@pytest.mark.parametrize("empty", [True, False], ids=["empty", "used"])
def test_a_well_chained_file_of_what_cannot_be_is_refused_whole(
    tmp_path: Path,
    fields: dict[str, object],
    empty: bool,  # noqa: FBT001 - a parameter
) -> None:
    """Out of range, too deep, of the wrong type: an error that names the file, no more."""
    with open_home(tmp_path / "home") as memory:
        memory.remember("fine")
        memory.remember("hostile")
        data = forged(
            memory,
            lambda event: (
                event if event.position == 1 else msgspec.structs.replace(event, **fields)
            ),
        )
    file = tmp_path / "events.jsonl"
    file.write_bytes(data)
    with open_home(tmp_path / "other") as other:
        if not empty:
            other.remember("mine")
        head = other.log.checkpoint()
        with pytest.raises(MalformedFile, match="export the events anew") as raised:
            other.log.import_events(file)
        assert raised.value.file == file
        assert other.log.checkpoint() == head
        assert other.recall("fine", strategy="keyword").empty


def test_another_event_under_an_id_that_is_here_is_refused(tmp_path: Path) -> None:
    """Before anything is appended, with the place where the id stands."""
    with open_home(tmp_path / "home") as memory:
        memory.remember("one", id="0a" * 16)
        data = exported(memory)
    with open_home(tmp_path / "other") as other:
        other.remember("two", id="0a" * 16, kind="episodic")
        with pytest.raises(EventIdTaken):
            other.log.import_events(io.BytesIO(data))
        assert other.log.checkpoint().position == 1


def test_a_file_that_changes_while_it_is_read_is_refused(home: Path, tmp_path: Path) -> None:
    """What was checked is what comes in, or nothing."""
    with open_home(home) as memory:
        data = exported(memory)

    class Changing(io.BytesIO):
        """A file of which the second reading gives another text."""

        def seek(self, offset: int, whence: int = 0) -> int:
            if self.tell() == len(data):
                self.getbuffer()[:] = data.replace(b"counted 7", b"counted 9")
            return super().seek(offset, whence)

    for mine in ((), ("mine",)):
        with open_home(tmp_path / f"other{len(mine)}") as other:
            other.remember_many(mine)
            with pytest.raises(MalformedFile, match="was changed while it was read"):
                other.log.import_events(Changing(data))
            assert other.log.checkpoint().position == len(mine)


def test_content_that_is_gone_without_a_redaction_is_refused(home: Path, tmp_path: Path) -> None:
    """A file cannot take a text away that its own log still holds."""
    with open_home(home) as memory:
        lines = exported(memory).splitlines(keepends=True)
    fields = json.loads(lines[3]) | {"content": None, "salt": None}
    lines[3] = json.dumps(fields).encode() + b"\n"
    with (
        open_home(tmp_path / "other") as other,
        pytest.raises(MalformedFile, match="no event redacted it"),
    ):
        other.log.import_events(io.BytesIO(b"".join(lines)))


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["pipe", "directory"])
def test_what_is_no_file_is_neither_waited_for_nor_read(
    home: Path, tmp_path: Path, make: Callable[[Path], None]
) -> None:
    """A pipe without a writer would keep an import waiting for ever."""
    make(tmp_path / "events.jsonl")
    with open_home(home) as memory, pytest.raises(MalformedFile, match="no regular file"):
        memory.log.import_events(tmp_path / "events.jsonl")
    with open_home(home) as memory, pytest.raises(MalformedFile, match="is a device"):
        memory.log.import_events(Path("/dev/zero"))


def test_an_endless_line_is_refused_before_it_fills_the_memory(home: Path, tmp_path: Path) -> None:
    """A line has a limit, and the error names it."""
    file = tmp_path / "events.jsonl"
    with file.open("wb") as endless:
        endless.write(b'{"format":"mnemolog-events/3"}\n')
        endless.truncate(40 << 20)
    with open_home(home) as memory, pytest.raises(MalformedFile, match="33,554,432 bytes"):
        memory.log.import_events(file)


# -- exports ---------------------------------------------------------------------------


def test_a_failed_export_leaves_no_file(home: Path, tmp_path: Path) -> None:
    """Nothing stands under its name, or beside it, unless it is complete."""

    def stopped(doing: str, done: int, total: int) -> None:
        raise KeyboardInterrupt

    (tmp_path / "out").mkdir()
    with open_home(home) as memory, pytest.raises(KeyboardInterrupt):
        memory.log.export_events(tmp_path / "out" / "events.jsonl", stopped)
    assert list((tmp_path / "out").iterdir()) == []


def test_an_export_ends_with_its_head(home: Path) -> None:
    """The last line says how many events there are, and with which digest they end."""
    with open_home(home) as memory:
        last = json.loads(exported(memory).splitlines()[-1])
        head = memory.log.checkpoint()
    assert last == {"end": {"events": 42, "position": 42, "digest": head.digest}}
    assert head.position == 42


def test_an_old_format_is_named(home: Path) -> None:
    """What a file is that cannot be read is said."""
    with open_home(home) as memory, pytest.raises(ForeignFormat, match="mnemolog-events/2"):
        memory.log.import_events(io.BytesIO(b'{"format":"mnemolog-events/2"}\n'))


# -- refusals --------------------------------------------------------------------------


def test_a_full_disk_of_temporary_files_is_told(
    tmp_path: Path, files: FailingFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the check keeps aside may find no room: nothing is taken in, and the place is named."""
    with open_home(tmp_path / "large") as memory:
        memory.remember_many([f"ferret {number}" for number in range(900)])
        export = exported(memory)
    with open_home(tmp_path / "here") as memory:
        # As a large export does, this one goes beyond what SQLite keeps in memory.
        small = [lambda connection: connection.execute("PRAGMA cache_size = 10")]
        monkeypatch.setattr(apsw, "connection_hooks", small)
        # SQLite gives temporary files no name.
        with files.failing("write", "None", apsw.SQLITE_FULL), pytest.raises(DiskFull) as raised:
            memory.log.import_events(io.BytesIO(export))
        assert files.failed
        assert raised.value.path.parent.is_dir()
        assert memory.log.checkpoint().position == 0
        assert memory.log.import_events(io.BytesIO(export)).events == 900


@pytest.mark.parametrize(
    "refusal",
    [OutcomeUnknown(Path("ledger.db"), "error"), LogBusy(Path("ledger.db"), 60)],
    ids=str,
)
def test_an_import_that_is_refused_half_way_says_what_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refusal: StorageFailed | LogBusy
) -> None:
    """How many events are in, unless that is unknown: what then helps is told as it is."""
    with open_home(tmp_path / "large") as memory:
        memory.remember_many([f"ferret {number}" for number in range(1500)])
        export = exported(memory)
    with open_home(tmp_path / "here") as memory:
        memory.remember("tea")
        log = memory._space.home.log
        append, calls = log.append, iter(range(10))

        def refused(drafts: Sequence[Draft], **named: Sequence[Position]) -> Appended:
            if next(calls) == 1:
                raise refusal
            return append(drafts, None, **named)

        monkeypatch.setattr(log, "append", refused)
        with pytest.raises(StorageFailed) as raised:
            memory.log.import_events(io.BytesIO(export))
        if isinstance(refusal, OutcomeUnknown):
            assert raised.value is refusal
        else:
            assert "others keep it locked; 1,000 events are stored" in str(raised.value)
        stored = memory.log.import_events(io.BytesIO(export))
        assert 0 < stored.events < 1500
