"""Files that are none, endless or too deep: refused in one line, and never waited for."""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import CommandLine

DEEP = b'{"a":' * 200_000 + b"1" + b"}" * 200_000


def _socket(path: Path) -> None:
    here = os.getcwd()  # noqa: PTH109 - names of sockets are short: bound by a relative one
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(path.name)
    finally:
        os.chdir(here)


def _link_to_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _endless(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(65 << 20)


HOSTILE: dict[str, Callable[[Path], object]] = {
    "pipe": os.mkfifo,
    "socket": _socket,
    "device": _link_to_device,
    "deep": lambda path: path.write_bytes(DEEP),
    "deep list": lambda path: path.write_bytes(b"[" * 200_000 + b"]" * 200_000),
    "NUL": lambda path: path.write_bytes(bytes(2000)),
    "no UTF-8": lambda path: path.write_bytes(b'{"role": "\xff\xfe"}'),
    "number": lambda path: path.write_bytes(b'{"position": ' + b"9" * 5000 + b"}"),
    "endless": _endless,
}

COMMANDS: dict[str, tuple[str, ...]] = {
    "checkpoint": ("verify", "--checkpoint", "FILE"),
    "conversation": ("context", "what next", "--conversation", "FILE"),
    "admitted conversation": ("admit", "--conversation", "FILE"),
    "questions": ("counterfactual", "forgetting_speed=0", "--questions", "FILE"),
    "answers": ("eval", "SET", "--answers", "FILE"),
    "token": ("mcp", "http", "--port", "0", "--token-file", "FILE"),
    "events": ("import", "FILE", "--format", "events"),
}


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    """A labelled set that can be read."""
    folder = tmp_path / "set"
    folder.mkdir()
    (folder / "corpus.jsonl").write_text('{"_id": "1", "text": "Dana drinks tea"}\n')
    (folder / "queries.jsonl").write_text('{"_id": "q", "text": "what does Dana drink"}\n')
    (folder / "qrels.tsv").write_text("q\t1\t1\n")
    return folder


@pytest.mark.parametrize("command", COMMANDS)
def test_a_hostile_file_is_refused_in_one_line(
    cli: CommandLine, tmp_path: Path, labelled: Path, command: str
) -> None:
    """Exit code 2 and what is wrong with the file, whatever a command reads it for."""
    cli("remember", "Dana drinks tea")
    for made, make in HOSTILE.items():
        file = tmp_path / f"{made}.jsonl"
        make(file)
        words = [{"FILE": file, "SET": labelled}.get(word, word) for word in COMMANDS[command]]
        said = cli(*words, code=2).stderr
        assert "Traceback" not in said
        assert len(said.splitlines()[-1]) < 1000


@pytest.mark.parametrize("name", ["corpus.jsonl", "queries.jsonl", "qrels.tsv"])
def test_a_hostile_set_is_refused_in_one_line(cli: CommandLine, labelled: Path, name: str) -> None:
    """Whichever of its files it is."""
    for make in HOSTILE.values():
        (labelled / name).unlink()
        make(labelled / name)
        assert cli.failure("eval", labelled, code=2)["class"] == "MalformedSet"


@pytest.mark.parametrize("made", HOSTILE)
@pytest.mark.parametrize("form", ["jsonl", "markdown", "transcript"])
def test_a_hostile_file_in_a_folder_costs_itself_alone(
    cli: CommandLine, tmp_path: Path, form: str, made: str
) -> None:
    """What can be read of a folder is taken in, and the rest is told with its path."""
    folder = tmp_path / "notes"
    folder.mkdir()
    suffix = ".md" if form == "markdown" else ".jsonl"
    good = {
        "jsonl": '{"content": "Dana drinks tea"}\n',
        "markdown": "# Tea\n\nDana drinks tea\n",
        "transcript": '{"type":"user","uuid":"u","sessionId":"s","message":'
        '{"content":"Dana drinks tea"}}\n',
    }
    (folder / f"good{suffix}").write_text(good[form])
    HOSTILE[made](folder / f"hostile{suffix}")
    if form == "jsonl":
        result = cli("import", folder / "hostile.jsonl", "--format", "jsonl", code=2)
        assert "Traceback" not in result.stderr
        assert "hostile.jsonl" in result.stderr
        return
    result = cli("import", folder, "--format", form)
    plain_text = form == "markdown" and made in {"deep", "deep list", "NUL", "number"}
    assert plain_text or f"hostile{suffix}" in result.stderr
    assert cli("recall", "tea").stdout


def test_a_link_out_of_a_folder_is_told_and_not_followed(cli: CommandLine, tmp_path: Path) -> None:
    """A note that links to a secret elsewhere does not bring it in; one inside does."""
    (tmp_path / "secret.md").write_text("# Secret\n\nthe door code is 4711\n")
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("# Tea\n\nDana drinks tea\n")
    (folder / "b.md").symlink_to(folder / "a.md")
    (folder / "out.md").symlink_to(tmp_path / "secret.md")
    (folder / "loop.md").symlink_to(folder / "loop.md")
    (folder / "more").symlink_to(tmp_path)
    result = cli("import", folder)
    assert "out.md: leads out of" in result.stderr
    assert "loop.md" in result.stderr
    assert "more: is a link to a folder, which is not followed" in result.stderr
    assert "4711" not in cli("list").stdout
    assert "added: 2" in result.stdout


def test_an_export_by_another_name_is_taken_for_one_and_said_so(
    cli: CommandLine, tmp_path: Path
) -> None:
    """Settings in it do not hold; asked for as memories, it is refused."""
    cli("remember", "Dana drinks tea")
    cli("config", "agents_may_redact", "true")
    cli("export", tmp_path / "notes.jsonl")
    other = ("--home", tmp_path / "other")
    result = cli("import", tmp_path / "notes.jsonl", *other)
    assert "is an export of events" in result.stderr
    assert "settings in the file that were not imported: agents_may_redact" in result.stdout
    assert "false" in cli("config", "agents_may_redact", *other).stdout
    said = cli("import", tmp_path / "notes.jsonl", "--format", "jsonl", *other, code=2).stderr
    assert "is an export of events, not of memories" in said
    asked = ("--home", tmp_path / "asked")
    cli("import", tmp_path / "notes.jsonl", "--setting", "agents_may_redact", *asked)
    assert "true" in cli("config", "agents_may_redact", *asked).stdout
    (tmp_path / "some.jsonl").write_text('{"content": "fine"}\n')
    cli("import", tmp_path / "some.jsonl", "--setting", "identity", code=2)


def test_standard_input_has_the_same_limits(cli: CommandLine) -> None:
    """What is read of it does not fill the memory, and cannot be too deep."""
    cli("remember", "Dana drinks tea")
    for words in (("verify", "--checkpoint", "-"), ("context", "x", "--conversation", "-")):
        assert "Traceback" not in cli(*words, code=2, stdin=DEEP).stderr
    assert "larger than" in cli("remember", "-", code=2, stdin=b"x" * (65 << 20)).stderr
