"""Commands on a home that cannot be written: on a full disk, or on a disk that is read-only."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mnemolog import Memory

if TYPE_CHECKING:
    from conftest import CommandLine

QUESTIONS = (
    ("recall", "ladder"),
    ("list",),
    ("show", "@1"),
    ("history", "@1"),
    ("audit", "@1"),
    ("log",),
    ("verify",),
    ("stats",),
    ("context", "what about the ladder"),
    ("ask", "do you remember where the ladder stands"),
    ("plan", "the ladder", "--option", "sell it"),
    ("health",),
    ("diff", "1", "2"),
)
COMMANDS = (
    ("remember", "The umbrella is behind the door"),
    ("supersede", "@1", "The kettle was sold"),
    ("withdraw", "@1"),
    ("pin", "@1"),
    ("use", "@1"),
    ("tick",),
    ("redact", "@1", "--yes"),
    ("config", "keep_cues", "true"),
    ("vote", "ladder", "--hot", "@2"),
    ("rebuild",),
    ("index",),
)


@pytest.fixture
def home(cli: CommandLine) -> Path:
    """A home of two memories, indexed."""
    cli("remember", "The kettle is on the stove")
    cli("remember", "The ladder stands in the barn")
    cli("recall", "ladder")
    return cli.home


def _mount(*words: str | Path) -> None:
    done = subprocess.run(["mount", *map(str, words)], capture_output=True, check=False)
    if done.returncode:
        pytest.skip("needs to mount a disk, which this machine does not allow")


@pytest.fixture
def read_only(home: Path, tmp_path: Path) -> Iterator[Path]:
    """The same home on a disk that is read-only."""
    place = tmp_path / "read-only"
    place.mkdir()
    _mount("--bind", home, place)
    try:
        _mount("-o", "remount,ro,bind", place)
        yield place
    finally:
        subprocess.run(["umount", "--lazy", place], check=True)


@pytest.fixture
def full(home: Path, tmp_path: Path) -> Iterator[Path]:
    """The same home on a disk without space."""
    place = tmp_path / "full"
    place.mkdir()
    _mount("-t", "tmpfs", "-o", "size=4m", "none", place)
    try:
        shutil.copytree(home, place / "home")
        # Written without a buffer: what a full disk takes of it is all that it has.
        with (place / "filling").open("wb", buffering=0) as filling:
            try:
                while filling.write(bytes(4096)):
                    pass
            except OSError:
                pass
        yield place / "home"
    finally:
        subprocess.run(["umount", "--lazy", place], check=True)


def _answers(cli: CommandLine, words: tuple[str, ...]) -> dict[str, object]:
    """What a question is answered, but for what differs from one call to the next."""
    answer = cli.json(*words)
    for name in ("as_of", "files", "run", "within_s", "took_s", "vectors"):
        answer.pop(name, None)
    return answer


@pytest.mark.parametrize("disk", ["read_only", "full"])
def test_questions_are_answered_where_nothing_can_be_written(
    cli: CommandLine, home: Path, request: pytest.FixtureRequest, disk: str
) -> None:
    """Every question is answered as ever, with a note of what is kept in memory instead."""
    refusing = cli.at(request.getfixturevalue(disk))
    cause = {"read_only": "Read-only file system", "full": "no space is left"}[disk]
    head = cli.json("verify")
    for words in QUESTIONS:
        if words[0] in {"recall", "list", "history", "log", "verify", "plan"}:
            assert _answers(refusing, words) == _answers(cli, words), words
        told = refusing(*words).stderr.splitlines()
        assert all(line.startswith("note: ") and cause in line for line in told), words
    assert refusing.json("verify") == head
    assert home.exists()


@pytest.mark.parametrize("disk", ["read_only", "full"])
def test_commands_name_the_disk_that_refuses_them(
    request: pytest.FixtureRequest, cli: CommandLine, disk: str
) -> None:
    """What cannot be stored ends with exit code 7 and the cause; the log stays as it was."""
    refusing = cli.at(request.getfixturevalue(disk))
    head = cli.json("verify")
    expected = {"read_only": "StorageFailed", "full": "DiskFull"}[disk]
    for words in COMMANDS:
        error = refusing.failure(*words, code=7)
        assert error["class"] == expected, (words, error)
        assert "damaged" not in str(error["message"])
        assert str(refusing.home) in str(error["path"])
    assert refusing.json("verify") == head


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("vectors.db", "index"),
        ("vectors.db", "rebuild"),
        ("views", "index"),
        ("indexes", "rebuild"),
    ],
)
def test_a_file_that_cannot_be_written_is_named_by_what_is_to_write_it(
    cli: CommandLine, home: Path, file: str, words: str
) -> None:
    """What one file refuses is not indexed, whatever the others take; a question still answers."""
    if file == "vectors.db":
        (home / file).unlink()
    place = next(iter(home.glob(f"{file}*db")), home / file)
    place.mkdir(exist_ok=True) if file == "indexes" else place.touch()
    _mount("--bind", place, place)
    try:
        _mount("-o", "remount,ro,bind", place)
        error = cli.failure(words, code=7)
        assert file in str(error["path"])
        assert "ladder" in cli("recall", "ladder").stdout
    finally:
        subprocess.run(["umount", "--lazy", place], check=True)


@pytest.mark.parametrize("disk", ["read_only", "full"])
def test_a_home_is_saved_elsewhere_from_a_disk_that_refuses(
    request: pytest.FixtureRequest, cli: CommandLine, tmp_path: Path, disk: str
) -> None:
    """Backup and export write to another disk what this one still holds."""
    refusing = cli.at(request.getfixturevalue(disk))
    refusing("export", tmp_path / "events.jsonl")
    refusing("backup", tmp_path / "backup.db")
    other = cli.at(tmp_path / "other")
    other("restore", tmp_path / "backup.db", "--yes")
    assert other.json("verify") == cli.json("verify")
    assert (tmp_path / "events.jsonl").read_text().count("ladder") == 1


def test_the_hook_answers_on_a_full_disk(cli: CommandLine, full: Path) -> None:
    """A prompt gets its context, though its use cannot be written down."""
    prompt = json.dumps({"prompt": "Do you remember where the ladder stands?"})
    done = cli.at(full).process("hook", "--limit-ms", 60_000, stdin=prompt.encode())
    assert done.returncode == 0
    assert b"The ladder stands in the barn" in done.stdout


def test_work_goes_on_once_there_is_room_again(cli: CommandLine, full: Path) -> None:
    """What the full disk held up is written with the next command, and nothing is missing."""
    cli = cli.at(full)
    cli("recall", "ladder")
    (full.parent / "filling").unlink()
    cli("remember", "The umbrella is behind the door")
    result = cli("recall", "umbrella")
    assert "umbrella" in result.stdout
    assert result.stderr == ""
    assert all(finding["level"] == "ok" for finding in _findings(cli))


def _findings(cli: CommandLine) -> list[dict[str, str]]:
    found = cli.json("doctor")["findings"]
    assert isinstance(found, list)
    return found


@pytest.mark.parametrize("shared_memory", [True, False])
def test_a_log_with_its_write_ahead_log_is_read_on_a_read_only_disk(
    cli: CommandLine, home: Path, tmp_path: Path, *, shared_memory: bool
) -> None:
    """Events that a killed process left in the write-ahead log are there, whatever else is."""
    left = tmp_path / "left"
    with Memory.open(home, actor="user:dana") as memory:
        memory.remember("The violin was sold")
        memory.recall("violin")
        shutil.copytree(home, left)
    if not shared_memory:
        for path in left.glob("*-shm"):
            path.unlink()
    place = tmp_path / "read-only"
    place.mkdir()
    _mount("--bind", left, place)
    try:
        _mount("-o", "remount,ro,bind", place)
        assert "violin" in cli.at(place)("recall", "violin").stdout
        assert cli.at(place).json("verify") == cli.json("verify")
    finally:
        subprocess.run(["umount", "--lazy", place], check=True)


def test_another_users_home_is_read(cli: CommandLine, home: Path, tmp_path: Path) -> None:
    """Where permissions let a home be read but not written, questions are answered."""
    if os.geteuid() != 0:
        pytest.skip("needs to act as another user")
    for directory in (tmp_path, *tmp_path.parents[:3]):
        directory.chmod(0o755)
    for path in (home, *home.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    # All that is imported must be before: the interpreter may lie where nobody else reads.
    program = (
        "import os, mnemolog\n"
        f"with mnemolog.Memory.open({str(tmp_path / 'other')!r}, actor='user:dana') as memory:\n"
        "    memory.pin(memory.remember('tea', contradictions='off').memory_id)\n"
        "    memory.log.verify()\n"
        "    memory.list()\n"
        "os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
        f"with mnemolog.Memory.open({str(home)!r}, actor='user:dana') as memory:\n"
        "    print(len(memory.list()), memory.log.verify().events)\n"
        "    try:\n"
        "        memory.pin('@1')\n"
        "    except mnemolog.StorageFailed as error:\n"
        "        print(error.problem)\n"
    )
    done = _as_nobody(program, cli)
    assert done.stdout.splitlines() == ["2 2", "Permission denied"], done.stderr


def _as_nobody(program: str, cli: CommandLine) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        env=cli.environment(),
    )


def test_a_read_only_home_follows_what_others_write(
    cli: CommandLine, home: Path, read_only: Path
) -> None:
    """What is remembered where the same home can be written is answered at the next question."""
    with Memory.open(read_only, actor="user:dana") as reader:
        assert len(reader.list()) == 2
        cli("remember", "The umbrella is behind the door", "--contradictions", "off")
        assert len(reader.list()) == 3
        with Memory.open(home, actor="user:dana") as writer:
            writer.remember("The saddle is in the attic", contradictions="off")
            assert len(reader.list()) == 4
            assert reader.log.verify().events == 4
        assert len(reader.list()) == 4
    assert cli.json("verify")["events"] == 4


def test_an_answer_that_cannot_be_printed_is_an_error_in_one_line(
    cli: CommandLine, home: Path
) -> None:
    """Standard output on a full disk ends a command with exit code 7 and the cause."""
    assert home.exists()
    with Path("/dev/full").open("wb") as nowhere:
        done = cli.process("list", stdout=nowhere.fileno())
    (line,) = done.stderr.decode().splitlines()
    assert done.returncode == 7
    assert line.startswith("Error: standard output")
    assert "no space is left" in line
