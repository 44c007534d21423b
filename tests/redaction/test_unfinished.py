"""Redactions with others at the home, and redactions that were cut off."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import pytest
from redactor import STEPS
from traces import bytes_left, dictionary_words, new_secret, open_home, terms_of, vector_left

from mnemolog import InvalidState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_OTHERS = [f"The ladder of note-{number} stands in the orchard" for number in range(40)]


@contextmanager
def _bystander(home: Path) -> Iterator[Callable[[str], None]]:
    """Another process with the home open, told what to do line by line."""
    script = Path(__file__).with_name("bystander.py")
    with subprocess.Popen(
        [sys.executable, script, home], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def told(line: str) -> None:
            process.stdin.write(f"{line}\n")
            process.stdin.flush()
            assert process.stdout.readline() == "done\n"

        yield told
        process.stdin.close()
    assert process.returncode == 0


def _nothing_is_left(home: Path, text: str) -> None:
    assert bytes_left(home, text) == []
    assert vector_left(home, text) == []
    assert not terms_of(text) & dictionary_words(home)


@pytest.mark.parametrize("then", ["base", "rebuild", "recall orchard", "remember more"])
def test_another_process_does_not_write_it_back(tmp_path: Path, then: str) -> None:
    """A handle that has the content in memory writes nothing of it down after a redaction."""
    secret = new_secret()
    with open_home(tmp_path) as memory:
        told = memory.remember_many([secret, *_OTHERS])[0]
        with _bystander(tmp_path) as process:
            process(f"recall {secret.split()[0]}")
            process("base")
            assert bytes_left(tmp_path, secret)
            assert memory.redact(told.memory_id or "").complete
            _nothing_is_left(tmp_path, secret)
            process(then)
            process("base")
            _nothing_is_left(tmp_path, secret)
        assert memory.log.verify().erased == 1
    _nothing_is_left(tmp_path, secret)


@pytest.mark.parametrize("file", ["ledger.db", "vectors.db"])
def test_a_reader_of_old_pages_makes_it_incomplete(tmp_path: Path, file: str) -> None:
    """While another holds a snapshot the receipt says incomplete; the next opening finishes it."""
    secret = new_secret()
    with open_home(tmp_path) as memory:
        told = memory.remember_many([secret, *_OTHERS])[0]
        memory.upkeep.index()
        reader = apsw.Connection(str(tmp_path / file), flags=apsw.SQLITE_OPEN_READWRITE)
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM sqlite_schema").get
        redaction = memory.redact(told.memory_id or "", timeout_s=0.2)
        assert not redaction.complete
        assert memory.get(told.memory_id or "").content is None
        assert any(
            finding.subject == "erasures" and finding.level == "error"
            for finding in memory.upkeep.doctor().findings
        )
        reader.execute("ROLLBACK")
        reader.close()
        with open_home(tmp_path) as later:
            _nothing_is_left(tmp_path, secret)
            assert later.log.verify().erased == 1
            assert all(finding.level == "ok" for finding in later.upkeep.doctor().findings)


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("step", sorted(STEPS))
def test_a_redaction_that_was_killed_is_finished(tmp_path: Path, step: str, when: str) -> None:
    """Whatever step of it a process died at, the next opening leaves nothing of the content."""
    secret = new_secret()
    with open_home(tmp_path) as memory:
        told = memory.remember_many([secret, *_OTHERS])[0]
        memory.upkeep.rebuild()
    script = Path(__file__).with_name("redactor.py")
    died = subprocess.run(
        [sys.executable, script, tmp_path, told.memory_id or "", step, when], check=False
    )
    assert died.returncode == -signal.SIGKILL
    with open_home(tmp_path) as memory:
        _nothing_is_left(tmp_path, secret)
        assert memory.log.verify().erased == 1
        assert memory.get(told.memory_id or "").status == "redacted"
        assert not memory.recall("the ladder in the orchard").empty


def _stuck(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave a file in a home that the system refuses to remove."""
    (home / "manifest.tmp").write_text("left over")
    unlink = os.unlink

    def refused(path: str | os.PathLike[str], **named: int) -> None:
        if os.fspath(path).endswith("manifest.tmp"):
            raise OSError(errno.EIO, os.strerror(errno.EIO), os.fspath(path))
        unlink(path, **named)

    monkeypatch.setattr(os, "unlink", refused)


def test_repeating_an_incomplete_redaction_tries_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It names what is left as long as something is, appends nothing, and then succeeds."""
    with open_home(tmp_path) as memory:
        told, beside = (one.memory_id or "" for one in memory.remember_many([new_secret(), "tea"]))
        memory.remember("coffee")
        with monkeypatch.context() as patched:
            _stuck(tmp_path, patched)
            first = memory.redact(told, reason="asked for")
            again = memory.redact(told)
            with_another = memory.redact(told, beside)
        for one in (first, again, with_another):
            assert not one.complete
            assert ["manifest.tmp" in where for where in one.left] == [True]
        assert (again.events, again.erased) == ((), (1,))
        assert with_another.erased == (1, 2)
        assert len(with_another.events) == 1
        done = memory.redact(told, "@2")
        assert done.complete
        assert done.events == ()
        with pytest.raises(InvalidState, match="redacted already"):
            memory.redact(told)
        # Why it was redacted is kept.
        assert [one.erased for one in memory.history(told)] == [True, False]


def test_repeating_it_succeeds_where_the_opening_finished_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a second command does: the home is opened first, which goes on with the redaction."""
    with open_home(tmp_path) as memory:
        told = memory.remember(new_secret()).memory_id or ""
        with monkeypatch.context() as patched:
            _stuck(tmp_path, patched)
            assert not memory.redact(told).complete
    with open_home(tmp_path) as memory:
        assert memory.redact(told).complete


def test_repeating_the_redaction_of_a_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An event that keeps a cue is tried again too; one without content is told as what it is."""
    with open_home(tmp_path) as memory:
        told = memory.remember("green tea").memory_id or ""
        memory.use(told)
        memory.upkeep.write_uses()
        with pytest.raises(InvalidState, match=r"the 'recalled' event .* is without content"):
            memory.redact("@2")
        memory.configure({"keep_cues": True})
        memory.use(told, cue=new_secret())
        memory.upkeep.write_uses()
        with monkeypatch.context() as patched:
            _stuck(tmp_path, patched)
            assert not memory.redact("@4").complete
            assert not memory.redact("@4").complete
        assert memory.redact("@4").erased == (4,)
        assert memory.get(told).content == "green tea"
