"""Odd places and closed ends are told in words, without a traceback."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mnemolog import Memory, restore
from mnemolog.ledger.errors import InvalidField

if TYPE_CHECKING:
    from tests.cli.conftest import CommandLine


CAUSES = {
    "file": (2, 2, "is a file"),
    "loop": (3, 7, "no memory at|File exists"),
    "dangling": (3, 7, "no memory at|File exists"),
    "log is a folder": (7, 7, "Is a directory"),
    "below a file": (3, 7, "no memory at|Not a directory"),
    "long": (7, 7, "File name too long"),
    "not UTF-8": (2, 2, "is not UTF-8"),
}
"""The exit code for a question, that for a command that stores something, and the cause."""


def _place(tmp_path: Path, kind: str) -> Path:
    place = tmp_path / kind
    if kind == "file":
        place.write_text("no directory")
    if kind == "loop":
        place.symlink_to(place)
    if kind == "dangling":
        place.symlink_to(tmp_path / "nowhere" / "else")
    if kind == "log is a folder":
        (place / "ledger.db").mkdir(parents=True)
    if kind == "below a file":
        (tmp_path / "file").write_text("no directory")
        return tmp_path / "file" / "home"
    if kind == "long":
        return tmp_path / ("x" * 300)
    if kind == "not UTF-8":
        return tmp_path / "\udcff\udcfe"
    return place


@pytest.mark.parametrize("kind", sorted(CAUSES))
@pytest.mark.parametrize("words", ["recall tea", "remember tea", "doctor", "restore"])
def test_a_home_that_cannot_be_one(cli: CommandLine, tmp_path: Path, kind: str, words: str) -> None:
    """The command names the place and the cause, and ends with an exit code of its kind."""
    place = _place(tmp_path, kind)
    asking, storing, cause = CAUSES[kind]
    code = asking if words in {"recall tea", "doctor"} else storing
    if (kind, words) == ("log is a folder", "restore"):
        code, cause = 2, "is no file"
    if words == "restore":
        cli("remember", "tea", "--contradictions", "off")
        cli("backup", tmp_path / "kept.db")
        words = f"restore {tmp_path / 'kept.db'} --yes"
    done = cli.process(*words.split(), "--home", place)
    said = done.stderr.decode()
    assert done.returncode == code, said
    assert "Traceback" not in said
    assert re.search(cause, said)
    assert str(place.parent) in said


@pytest.mark.parametrize("name", ["\udcff", "a\0b"])
def test_a_name_that_no_file_can_have_is_refused(cli: CommandLine, name: str) -> None:
    """The library says which argument has it, and creates nothing."""
    cli("remember", "tea", "--contradictions", "off")
    place = cli.home.parent / name
    with pytest.raises(InvalidField, match="home"):
        Memory.open(place)
    with pytest.raises(InvalidField, match="home"):
        restore(cli.home / "ledger.db", place)
    with Memory.open(cli.home) as memory, pytest.raises(InvalidField, match="target"):
        memory.log.backup(place)


@pytest.mark.parametrize("words", ["--help", "completion bash", "recall --help", "list", "stats"])
def test_help_and_answers_meet_a_closed_or_full_output(cli: CommandLine, words: str) -> None:
    """A reader that went away is 141 in silence, a full disk is 7 and one line."""
    cli("remember", "tea", "--contradictions", "off")
    reading, writing = os.pipe()
    os.close(reading)
    closed = cli.process(*words.split(), stdout=writing)
    os.close(writing)
    assert (closed.returncode, closed.stderr) == (141, b"")
    with Path("/dev/full").open("wb") as nowhere:
        full = cli.process(*words.split(), stdout=nowhere.fileno())
    assert full.returncode == 7
    (line,) = full.stderr.decode().splitlines()
    assert "space" in line
