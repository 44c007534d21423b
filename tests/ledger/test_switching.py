"""The record of a switch may come with a home from somebody else: it reaches nothing outside."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mnemolog.ledger.errors import CorruptLog
from mnemolog.ledger.sqlite.switching import finish_switch, record_of


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """Where the log of a home would be, beside somebody's other files."""
    (tmp_path / "home").mkdir()
    (tmp_path / "thesis.txt").touch()
    return tmp_path / "home" / "ledger.db"


@pytest.mark.parametrize(
    "kept", ["../thesis.txt", "thesis.txt", "/etc", "..", "", "a/b.before-restore"]
)
def test_a_record_that_names_another_place_is_refused(ledger: Path, kept: str) -> None:
    """The old log is kept in a directory of that name beside the home, and nowhere else."""
    record_of(ledger).write_text(f'{{"size":0,"kept":"{kept}","to_link":true}}')
    with pytest.raises(CorruptLog, match="switch"):
        finish_switch(ledger)
    assert (ledger.parent.parent / "thesis.txt").exists()


def test_a_record_chooses_no_files_to_remove(ledger: Path) -> None:
    """Only what is derived from a log goes with it, whatever else the record says."""
    (ledger.parent / "notes.txt").touch()
    text = '{"size":0,"kept":null,"to_link":false,"derived":["../thesis*","notes*"]}'
    record_of(ledger).write_text(text)
    finish_switch(ledger)
    assert (ledger.parent.parent / "thesis.txt").exists()
    assert (ledger.parent / "notes.txt").exists()


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b'{"size":"x"}', b"\xff" * (1 << 17)])
def test_a_record_that_cannot_be_read_is_told(ledger: Path, content: bytes) -> None:
    """It is an error of this one file, and nothing is changed."""
    record_of(ledger).write_bytes(content)
    with pytest.raises(CorruptLog, match="cannot be read"):
        finish_switch(ledger)
    assert record_of(ledger).exists()


def test_a_record_that_is_a_pipe_keeps_nobody_waiting(ledger: Path) -> None:
    """Nobody writes to it, so that reading it would never end."""
    os.mkfifo(record_of(ledger))
    with pytest.raises(CorruptLog, match="cannot be read"):
        finish_switch(ledger)
