"""Redactions with others at the home, and redactions that were cut off."""

from __future__ import annotations

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
        assert memory.verify().erased == 1
    _nothing_is_left(tmp_path, secret)


@pytest.mark.parametrize("file", ["ledger.db", "vectors.db"])
def test_a_reader_of_old_pages_makes_it_incomplete(tmp_path: Path, file: str) -> None:
    """While another holds a snapshot the receipt says incomplete; the next opening finishes it."""
    secret = new_secret()
    with open_home(tmp_path) as memory:
        told = memory.remember_many([secret, *_OTHERS])[0]
        memory.index()
        reader = apsw.Connection(str(tmp_path / file), flags=apsw.SQLITE_OPEN_READWRITE)
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM sqlite_schema").get
        redaction = memory.redact(told.memory_id or "", timeout_s=0.2)
        assert not redaction.complete
        assert memory.get(told.memory_id or "").content is None
        assert any(
            finding.subject == "erasures" and finding.level == "error"
            for finding in memory.doctor().findings
        )
        reader.execute("ROLLBACK")
        reader.close()
        with open_home(tmp_path) as later:
            _nothing_is_left(tmp_path, secret)
            assert later.verify().erased == 1
            assert all(finding.level == "ok" for finding in later.doctor().findings)


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("step", sorted(STEPS))
def test_a_redaction_that_was_killed_is_finished(tmp_path: Path, step: str, when: str) -> None:
    """Whatever step of it a process died at, the next opening leaves nothing of the content."""
    secret = new_secret()
    with open_home(tmp_path) as memory:
        told = memory.remember_many([secret, *_OTHERS])[0]
        memory.rebuild()
    script = Path(__file__).with_name("redactor.py")
    died = subprocess.run(
        [sys.executable, script, tmp_path, told.memory_id or "", step, when], check=False
    )
    assert died.returncode == -signal.SIGKILL
    with open_home(tmp_path) as memory:
        _nothing_is_left(tmp_path, secret)
        assert memory.verify().erased == 1
        assert memory.get(told.memory_id or "").status == "redacted"
        assert not memory.recall("the ladder in the orchard").empty
