"""Leftovers of dead processes: removed at opening, reached by redaction, or named by it."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from traces import bytes_left, dictionary_words, new_secret, open_home, terms_of, vector_left

from mnemolog import Memory, NewMemory, restore
from mnemolog.application.home.home import LEDGER, REPLAYING
from mnemolog.ledger.scratch import scratch_directory

_OTHERS = [f"The ladder of note-{number} stands in the orchard" for number in range(40)]


def _nothing_is_left(home: Path, text: str) -> None:
    assert bytes_left(home, text) == []
    assert vector_left(home, text) == []
    assert not terms_of(text) & dictionary_words(home)


def _left(home: Path, name: str) -> Callable[[str], None]:
    """A file with a text, at a path in a home."""

    def plant(text: str) -> None:
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    return plant


def _base_left(home: Path) -> Callable[[str], None]:
    """An older generation of an index, as it stays behind where a process dies."""

    def plant(text: str) -> None:
        for space in (home / "indexes").glob("vault-*/"):
            (generation,) = space.iterdir()
            shutil.copytree(generation, space / "0123456789abcdef")
            (space / "0123456789abcdef" / "dictionary" / ".tmpAbCdEf").write_text(text)

    return plant


NAMES = (
    "restore-0a0b0c0d.partial/ledger.db",
    "restore-0a0b0c0d.partial/ledger.db-wal",
    "replay-0a0b0c0d.partial/ledger.db",
    "replay-0a0b0c0d.partial/indexes/default-1/2/lists.msgpack",
    "index-0a0b0c0d.partial/0a0b0c0d/lists.msgpack",
    "index-0a0b0c0d.partial/0a0b0c0d/dictionary/.tmpAbCdEf",
    "ledger.db.0a0b0c0d.partial",
    "ledger.db.0a0b0c0d.partial-wal",
    "ledger.db.0a0b0c0d.partial-shm",
    "ledger.db.0a0b0c0d.partial-journal",
    "ledger.db.0a0b0c0d.partial.lock",
    "ledger.db.switch.0a0b0c0d.partial",
    "ledger.db.new",
    "manifest.0a0b0c0d.partial",
    "manifest.tmp",
    "mcp-token.0a0b0c0d",
    "mcp-token.0a0b0c0d.partial",
    "views-0a0b0c0d.db",
    "views-0a0b0c0d.db-wal",
    "views-0a0b0c0d.db-shm",
    "views-0a0b0c0d.db-journal",
    "views-0e0e0e0e.db-wal",
    "vectors.db-journal",
    "sessions.db-wal",
    "sessions.db-journal",
    "indexes/gone-0a0b0c0d/0a0b0c0d/lists.msgpack",
)
"""A file of each kind of leftover."""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Where the home is."""
    return tmp_path / "home"


def _filled(home: Path, secret: str) -> str:
    """A home with a base and every kind of leftover, each with a secret in it; the secret's id."""
    with open_home(home) as memory:
        told = memory.remember_many([secret, *_OTHERS])[0]
        memory.upkeep.rebuild()
    for name in NAMES:
        _left(home, name)(secret)
    _base_left(home)(secret)
    return told.memory_id or ""


def test_every_leftover_is_removed_by_an_opening(home: Path) -> None:
    """What dead processes left is gone once the home is opened; what is current is not."""
    secret = new_secret()
    with open_home(home) as memory:
        memory.remember_many(_OTHERS)
        memory.upkeep.rebuild()
        current = {path for path in home.rglob("*") if path.is_file()}
        memory.recall("ladder")
    for name in NAMES:
        _left(home, name)(secret)
    _base_left(home)(secret)
    assert len(bytes_left(home, secret)) > len(NAMES)
    with open_home(home) as memory:
        assert memory.notices == [
            "a restore was interrupted before it changed anything: the log is as it was"
        ]
        assert memory.recall("the ladder of note-7").hits
        # SQLite takes up the journal of a database when that is first opened.
        assert memory.upkeep.stats().vectors == len(_OTHERS)
        assert all(finding.level != "error" for finding in memory.upkeep.doctor().findings)
    _nothing_is_left(home, secret)
    views = {path for path in current if path.name.startswith("views-") and path.suffix == ".db"}
    assert views <= set(home.iterdir())


def test_a_redaction_reaches_every_leftover(home: Path) -> None:
    """With all kinds of leftovers planted while the home is open, no byte of a text remains."""
    secret = new_secret()
    with open_home(home) as memory:
        told = memory.remember_many([secret, *_OTHERS])[0]
        memory.upkeep.rebuild()
        for name in NAMES:
            # SQLite sees to this one when the database is first opened.
            if name != "vectors.db-journal":
                _left(home, name)(secret)
        _base_left(home)(secret)
        redaction = memory.redact(told.memory_id or "")
        assert redaction.complete
        assert redaction.left == ()
        _nothing_is_left(home, secret)
    with open_home(home) as memory:
        assert memory.log.verify().erased == 1
        memory.upkeep.rebuild()
    _nothing_is_left(home, secret)


def test_a_restore_that_was_killed_leaves_nothing_of_what_is_redacted(home: Path) -> None:
    """Its staged copy of the secret, with a WAL beside it, does not outlive the redaction."""
    secret = new_secret()
    told = _filled(home, secret)
    with open_home(home) as memory:
        assert memory.redact(told).complete
    _nothing_is_left(home, secret)


# -- what cannot be removed ---------------------------------------------------------------


def _refusing(monkeypatch: pytest.MonkeyPatch, part: str) -> pytest.MonkeyPatch:
    """Let the system refuse to remove anything whose path has a part."""
    for name in ("unlink", "remove", "rmdir"):
        monkeypatch.setattr(os, name, _refused(getattr(os, name), part))
    return monkeypatch


def _refused(function: Callable[..., None], part: str) -> Callable[..., None]:
    def refused(path: str | os.PathLike[str], **named: int) -> None:
        if part in os.fspath(path):
            raise OSError(errno.EIO, os.strerror(errno.EIO), os.fspath(path))
        function(path, **named)

    return refused


@pytest.mark.parametrize(
    "stuck", ["lists.msgpack", "replay-0a0b0c0d.partial", "manifest.tmp", "gone-0a0b0c0d"]
)
def test_what_cannot_be_removed_makes_a_redaction_incomplete(
    home: Path, monkeypatch: pytest.MonkeyPatch, stuck: str
) -> None:
    """The receipt names path and cause; doctor does; a later opening finishes it."""
    secret = new_secret()
    with open_home(home) as memory:
        told = memory.remember_many([secret, *_OTHERS])[0].memory_id or ""
        memory.upkeep.rebuild()
        _left(home, "replay-0a0b0c0d.partial/ledger.db")(secret)
        _left(home, "manifest.tmp")(secret)
        _left(home, "indexes/gone-0a0b0c0d/0a0b0c0d/lists.msgpack")(secret)
        with monkeypatch.context() as patched:
            _refusing(patched, stuck)
            redaction = memory.redact(told)
            assert not redaction.complete
            assert any(stuck in where and "Input/output error" in where for where in redaction.left)
            assert all(stuck in line for line in bytes_left(home, secret))
            with open_home(home) as later:
                assert any("incomplete" in notice and stuck in notice for notice in later.notices)
                (finding,) = [one for one in later.upkeep.doctor().findings if one.level == "error"]
                assert finding.subject == "erasures"
                assert stuck in finding.text
        assert bytes_left(home, secret)
    with open_home(home) as memory:
        assert not [notice for notice in memory.notices if "incomplete" in notice]
        assert memory._space.home.log.pending_erasures() == []
    _nothing_is_left(home, secret)


def test_a_redaction_waits_for_a_replay_in_another_process(home: Path) -> None:
    """A scratch home in use is left alone, and named; once it is gone the rest is done."""
    secret = new_secret()
    with open_home(home) as memory:
        told = memory.remember(secret).memory_id or ""
        with scratch_directory(home, REPLAYING) as scratch:
            (scratch / LEDGER).write_text(secret)
            redaction = memory.redact(told)
            assert not redaction.complete
            assert redaction.left == (f"{scratch}: another process works in it",)
            assert (scratch / LEDGER).exists()
    with open_home(home) as memory:
        assert memory._space.home.log.pending_erasures() == []
    _nothing_is_left(home, secret)


# -- what repeats a memory ----------------------------------------------------------------


def _resolved(memory: Memory, cue: str, note: str, accepted: str | None = None) -> int:
    session = memory.sessions.start(cue, limit=4)
    taken = [] if accepted is None else [accepted]
    return memory.sessions.resolve(session.session_id, taken, note=note).position


def test_a_session_note_goes_with_the_memory_that_it_names(tmp_path: Path) -> None:
    """A session that accepted a memory may say in its note what that said."""
    secret, note = new_secret(), new_secret()
    with open_home(tmp_path) as memory:
        memory.remember_many(_OTHERS[:5])
        told = memory.remember(secret).memory_id or ""
        at = _resolved(memory, secret, note, told)
        other = _resolved(memory, "the ladder", "it was in the orchard after all")
        memory.upkeep.write_uses()
        redaction = memory.redact(told)
        assert at in redaction.erased
        assert other not in redaction.erased
        assert any(f"resolved @{at}" in said for said in redaction.changed)
        _nothing_is_left(tmp_path, note)
        _nothing_is_left(tmp_path, secret)
        assert memory.log.verify()
        memory.upkeep.rebuild()
    _nothing_is_left(tmp_path, note)


def test_words_that_quote_a_memory_go_with_it(tmp_path: Path) -> None:
    """Notes, reasons and cues that name no memory go if they repeat several words of it, or a code.

    What merely shares words with it stays.
    """
    secret = "The spare key of the harbour office hangs behind the green boat"
    with open_home(tmp_path) as memory:
        memory.remember_many(_OTHERS[:5])
        told = memory.remember(f"{secret}, code 4711081523").memory_id or ""
        quotes = [
            _resolved(
                memory, "where is it", "They asked for THE SPARE KEY, of the harbour office!"
            ),
            _resolved(memory, "what opens it", "4711081523 was it"),
            memory.pin("@1", reason="it hangs behind the green boat, as we know").position,
            memory.upkeep.report_failure(
                "lost_focus", "that harbour office hangs behind something", mitigated=False
            ).position,
        ]
        kept = [
            _resolved(memory, "the office", "the key of the office was asked for"),
            memory.pin("@2", reason="the green ladder hangs in the harbour").position,
        ]
        redaction = memory.redact(told)
        assert set(quotes) <= set(redaction.erased)
        assert not set(kept) & set(redaction.erased)
        told_of = " ".join(redaction.changed)
        assert all(f"@{one}" in told_of for one in quotes)
        entries = {entry.position: entry for entry in memory.log.events(limit=1000)}
        assert all(not entries[one].erased for one in kept)
        assert bytes_left(tmp_path, "4711081523") == []
        assert memory.log.verify()


def test_what_waits_in_the_buffer_goes_with_a_memory_that_it_repeats(tmp_path: Path) -> None:
    """A copy that was not let in yet would else be found after the memory is gone."""
    secret = new_secret()
    with open_home(tmp_path) as memory:
        memory.remember_many(_OTHERS[:5])
        waits = memory.admission.admit(secret, attention="piano tuning")
        assert waits.decisions[0].placement == "buffer"
        other = memory.admission.admit("the cat sleeps on the warm roof", attention="piano tuning")
        told = memory.remember(secret).memory_id or ""
        redaction = memory.redact(told)
        assert waits.decisions[0].position in redaction.erased
        assert redaction.complete
        _nothing_is_left(tmp_path, secret)
        assert [one.position for one in memory.admission.buffer()] == [other.decisions[0].position]
        memory.admission.flush()
        assert memory.log.verify()
    _nothing_is_left(tmp_path, secret)


def test_a_log_that_a_restore_replaced_is_named(tmp_path: Path) -> None:
    """It lies beside the home, where a redaction does not reach: the receipt says where."""
    home, secret = tmp_path / "home", new_secret()
    with open_home(home) as memory:
        memory.remember(_OTHERS[0])
        memory.log.backup(tmp_path / "before.db")
        told = memory.remember(NewMemory(secret)).memory_id or ""
        memory.log.backup(tmp_path / "backup.db")
    restore(tmp_path / "before.db", home)
    restored = restore(tmp_path / "backup.db", home)
    assert restored.kept == tmp_path / "home.before-restore-2"
    with open_home(home) as memory:
        redaction = memory.redact(told)
        assert redaction.complete
        (warning,) = redaction.warnings
        assert str(tmp_path / "home.before-restore") in warning
        assert "home.before-restore-2" not in warning
    _nothing_is_left(home, secret)


def test_opening_a_home_leaves_files_of_others_alone(tmp_path: Path) -> None:
    """A name that ends alike makes no leftover of ours of a file that somebody put there."""
    names = ["film.mkv.partial", "index-notes.partial", "restore-me.partial", "a.partial-draft.txt"]
    with open_home(tmp_path):
        pass
    for name in names:
        (tmp_path / name).touch()
    with open_home(tmp_path):
        pass
    assert all((tmp_path / name).exists() for name in names)
