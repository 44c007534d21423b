"""Imports that are refused: what they say, and that they change and create nothing."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import CommandLine

PASSWD = "root:x:0:0:root:/root:/bin/sh\n" * 3


@pytest.fixture
def export(cli: CommandLine, tmp_path: Path) -> Path:
    """A file of events, of which the third is a redaction."""
    cli("remember", "Dana drinks tea")
    cli("remember", "Kim drinks coffee")
    cli("redact", "@1", "--yes")
    cli("export", tmp_path / "events.jsonl")
    return tmp_path / "events.jsonl"


def lines(*chosen: int) -> Callable[[Path], bytes]:
    """Some lines of a file."""
    return lambda file: b"".join(file.read_bytes().splitlines(keepends=True)[n] for n in chosen)


BAD_EVENTS: dict[str, Callable[[Path], bytes]] = {
    "cut off": lines(0, 1, 2),
    "a line missing": lines(0, 1, 3, 4),
    "changed": lambda file: file.read_bytes().replace(b"coffee", b"cocoa"),
    "another format": lambda file: file.read_bytes().replace(b"events/3", b"events/9", 1),
    "no events": lambda _: b'{"content": "Dana drinks tea"}\n',
    "no lines": lambda _: PASSWD.encode(),
    "empty": lambda _: b"",
}


@pytest.mark.parametrize("bad", BAD_EVENTS)
def test_a_file_of_events_that_is_refused_creates_no_home(
    cli: CommandLine, export: Path, tmp_path: Path, bad: str
) -> None:
    """Whatever is wrong with it, at its beginning or its end."""
    (tmp_path / "bad.jsonl").write_bytes(BAD_EVENTS[bad](export))
    other = ("--home", tmp_path / "other")
    cli("import", tmp_path / "bad.jsonl", "--format", "events", *other, code=2)
    assert not (tmp_path / "other").exists()


def test_a_setting_that_cannot_be_taken_creates_no_home(
    cli: CommandLine, export: Path, tmp_path: Path
) -> None:
    """The file is fine, and what was asked for is not."""
    cli("import", export, "--setting", "speed", "--home", tmp_path / "other", code=2)
    assert not (tmp_path / "other").exists()


FORMS = ("jsonl", "transcript")
UNREADABLE = {
    "deep": ('{"a":' * 200_000 + "1" + "}" * 200_000, "nested too deep"),
    "a line too long": ("x" * (33 << 20), "longer than the 33,554,432 bytes allowed"),
    "no conversation": (PASSWD, "holds no known transcript"),
    "memories": ('{"content": "tea"}\n', "holds no known transcript"),
    "half a pair": ('{"content": "fine \\ud83d\\ude00, bad \\ud800"}', r"holds \ud800 at byte 37"),
    "no UTF-8": (b'{"content": "bad \xff"}', "not UTF-8 at byte 18 (0xff)"),
}


@pytest.mark.parametrize(
    ("bad", "form"),
    # One line of a JSONL file of memories is one.
    [(bad, form) for bad in UNREADABLE for form in FORMS if (bad, form) != ("memories", "jsonl")],
)
def test_what_cannot_be_read_at_all_is_an_error_and_creates_no_home(
    cli: CommandLine, tmp_path: Path, bad: str, form: str
) -> None:
    """Exit code 2, with the line and what is wrong in it."""
    text, problem = UNREADABLE[bad]
    file = tmp_path / "bad.jsonl"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    if problem.startswith("holds no") and form == "jsonl":
        problem = "is not a JSON object"
    error = cli.failure("import", file, "--format", form, code=2)
    assert error["class"] == "NothingRead"
    assert problem in str(error["message"])
    assert f"{file}:1" in str(error["message"]) or bad == "memories"
    assert not cli.home.exists()
    cli("remember", "Kim drinks coffee")
    cli("import", file, "--format", form, code=2)
    assert cli.json("verify")["events"] == 1


def test_a_text_over_the_limit_creates_no_home(cli: CommandLine, tmp_path: Path) -> None:
    """A home that is not there would begin with the usual limit; one that is has its own."""
    file = tmp_path / "long.jsonl"
    file.write_text(json.dumps({"content": "x" * (1 << 21)}))
    cli("import", file, code=2)
    assert not cli.home.exists()
    cli("config", "content_limit_bytes", "10")
    file.write_text(json.dumps({"content": "longer than ten"}))
    assert "nothing in it could be read" in cli("import", file, code=2).stderr
    cli("config", "content_limit_bytes", 3 << 20)
    file.write_text(json.dumps({"content": "x" * (1 << 21)}))
    cli("import", file, "--contradictions", "off")


@pytest.mark.parametrize("form", ["jsonl", "transcript", "events", "markdown", "git", None])
def test_a_pipe_is_called_one(cli: CommandLine, tmp_path: Path, form: str | None) -> None:
    """Neither waited for nor taken for a folder."""
    os.mkfifo(tmp_path / "pipe.jsonl")
    named = () if form is None else ("--format", form)
    said = cli("import", tmp_path / "pipe.jsonl", *named, code=2).stderr
    assert "is a named pipe, no regular file" in said
    assert not cli.home.exists()


def test_one_format_given_as_another_is_told(cli: CommandLine, export: Path) -> None:
    """What the file is, and what to run."""
    folder = export.parent / "folder"
    folder.mkdir()
    (folder / "events.jsonl").write_bytes(export.read_bytes())
    for path, named in (
        (export, ("--format", "transcript")),
        (export, ("--format", "jsonl")),
        (folder, ("--format", "transcript")),
        (folder, ()),
    ):
        said = cli("import", path, *named, code=2).stderr
        assert "is an export of events" in said
        assert "mnemolog import FILE --format events" in said
    talk = export.parent / "talk.jsonl"
    talk.write_text('{"type":"user","uuid":"u","sessionId":"s","message":{"content":"tea"}}\n')
    said = cli("import", talk, "--format", "events", code=2).stderr
    assert "no export of events" in said
    assert "leave out `--format events`" in said


def test_redactions_in_a_file_are_asked_about(
    cli: CommandLine, export: Path, tmp_path: Path
) -> None:
    """Where nobody can be asked that is exit code 4, unless --yes is given; then no more."""
    with_all = tmp_path / "all.jsonl"
    other = cli.at(tmp_path / "other")
    other("remember", "Dana drinks tea", "--id", "0a" * 16)
    other("export", with_all)
    here = cli.at(tmp_path / "here")
    here("import", with_all)
    other("redact", "@1", "--yes")
    other("export", tmp_path / "redacted.jsonl")
    error = here.failure("import", tmp_path / "redacted.jsonl", code=4)
    assert (error["class"], error["memories"]) == ("ImportNotConfirmed", 1)
    told = here("import", tmp_path / "redacted.jsonl", "--json", code=4).stderr.splitlines()
    assert [[*json.loads(line)] for line in told] == [["note"], ["error"]]
    assert here.json("verify")["events"] == 1
    assert "Dana drinks tea" in here("import", tmp_path / "redacted.jsonl", code=4).stderr
    code, shown = here.terminal("import", tmp_path / "redacted.jsonl", keys="n\n")
    assert (code, "destroy it?" in shown) == (130, True)
    assert here.json("verify")["events"] == 1
    copy = here.home / "notes.txt"
    copy.write_text("NB: Dana drinks tea")
    said = here("import", tmp_path / "redacted.jsonl", "--yes", code=6).stderr
    assert f"incomplete: {copy} holds it" in said
    copy.unlink()
    assert here.json("checkpoint") == other.json("checkpoint")
    here("import", tmp_path / "redacted.jsonl")
    cli("import", export, "--home", tmp_path / "empty")
