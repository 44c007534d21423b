"""Commands that bring things in and out."""

from __future__ import annotations

import json
import os
import stat
from typing import TYPE_CHECKING

import apsw
import pytest

from mnemolog.ledger.scratch import scratch_directory
from tests.files import holding

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import CommandLine


@pytest.fixture
def filled(cli: CommandLine) -> CommandLine:
    """A home with a memory in each of two spaces."""
    cli("remember", "The port is 8080")
    cli("remember", "Ferrets sleep a lot", "--space", "zoo")
    return cli


def test_an_export_imported_elsewhere_is_the_same_log(filled: CommandLine, tmp_path: Path) -> None:
    """Exported to a file and imported into an empty home, the log has the same head."""
    assert filled.json("export", tmp_path / "events.jsonl")["events"] == 2
    filled("import", tmp_path / "events.jsonl", "--home", tmp_path / "copy")
    assert filled.json("checkpoint", "--home", tmp_path / "copy") == filled.json("checkpoint")


def test_an_export_to_standard_output_is_nothing_but_events(filled: CommandLine) -> None:
    """Every line of standard output is JSON; what was done is said on standard error."""
    result = filled("export")
    assert all(json.loads(line) for line in result.stdout.splitlines())
    assert "exported 2 events" in result.stderr
    assert filled("export", "--quiet").stderr == ""


def test_a_damaged_log_is_exported_up_to_the_damage(filled: CommandLine, tmp_path: Path) -> None:
    """Exit code 5 and the position on standard error; the file is there, and can be imported."""
    connection = apsw.Connection(str(filled.home / "ledger.db"))
    names = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    for (name,) in names:
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute("UPDATE events SET content = replace(content, 'lot', 'bit')")
    connection.close()
    result = filled("export", tmp_path / "events.jsonl", "--json", code=5)
    assert json.loads(result.stdout)["events"] == 1
    error = json.loads(result.stderr)["error"]
    assert (error["class"], error["last_good"]) == ("ExportedInPart", 1)
    said = filled("export", code=5)
    assert said.stdout.encode() == (tmp_path / "events.jsonl").read_bytes()
    assert "damaged after position 1" in said.stderr
    filled("import", tmp_path / "events.jsonl", "--home", tmp_path / "copy")
    assert filled.json("verify", "--home", tmp_path / "copy")["events"] == 1


def test_an_export_never_mixes_with_json(filled: CommandLine, tmp_path: Path) -> None:
    """--json needs a file to export to, and a file that is there is not overwritten."""
    assert "give a FILE" in filled("export", "--json", code=2).stderr
    (tmp_path / "here.jsonl").touch()
    filled("export", tmp_path / "here.jsonl", code=2)


def test_what_is_written_for_keeping_is_for_its_owner_alone(
    filled: CommandLine, tmp_path: Path
) -> None:
    """Exports, checkpoints and backups, whatever the umask; none of them replaces a file."""
    before = os.umask(0)
    try:
        for command in ("export", "checkpoint", "backup"):
            filled(command, tmp_path / command)
    finally:
        os.umask(before)
    for command in ("export", "checkpoint", "backup"):
        assert stat.S_IMODE((tmp_path / command).stat().st_mode) == 0o600
        filled(command, tmp_path / command, code=2)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A folder of Markdown with two sections."""
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "net.md").write_text("# Net\n\nThe port is 8080.\n\n# Zoo\n\nFerrets sleep a lot.\n")
    return folder


def test_a_folder_of_notes_is_taken_in_once(cli: CommandLine, notes: Path) -> None:
    """The format is told from the folder, and a second import adds nothing."""
    assert cli.json("import", notes)["added"] == 2
    assert cli.json("import", notes)["added"] == 0
    assert "known already: 2" in cli("import", notes, "--format", "markdown").stdout


def test_what_cannot_be_taken_in_is_told(cli: CommandLine, tmp_path: Path) -> None:
    """A broken line is reported on standard error, and the others are taken in."""
    (tmp_path / "some.jsonl").write_text('{"content": "fine"}\n{"content": ""}\n')
    result = cli("import", tmp_path / "some.jsonl")
    assert "added: 1" in result.stdout
    assert "content" in result.stderr


def test_a_path_of_no_format_is_refused(cli: CommandLine, tmp_path: Path) -> None:
    """Where no format fits, exit code 2 says so; where there is nothing, too."""
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    assert cli.failure("import", tmp_path / "picture.png", code=2)["class"] == "InvalidField"
    cli("import", tmp_path / "nowhere", code=2)


def test_a_backup_restores_a_home(filled: CommandLine, tmp_path: Path) -> None:
    """What was backed up comes back, in another home, with the same head."""
    head = filled.json("backup", tmp_path / "backup")
    assert head["position"] == 2
    filled("restore", tmp_path / "backup", "--home", tmp_path / "other", "--yes")
    assert filled.json("checkpoint", "--home", tmp_path / "other") == head
    shown = filled("backup", tmp_path / "again").stdout
    assert shown.startswith("backed up @2 to ")


def test_a_restore_says_where_the_old_log_is(filled: CommandLine, tmp_path: Path) -> None:
    """The line, and `kept`, name the directory beside the home; an empty home had none."""
    filled("backup", tmp_path / "backup")
    shown = filled("restore", tmp_path / "backup", "--yes").stdout
    kept = filled.home.with_name(f"{filled.home.name}.before-restore")
    assert shown.splitlines() == [
        "restored 2 events, verified up to @2",
        f"the log that was there is in {kept}",
    ]
    assert (kept / "ledger.db").is_file()
    told = filled.json("restore", tmp_path / "backup", "--yes")
    assert told["kept"] == f"{kept}-2"
    assert told["events"] == 2
    other = filled.json("restore", tmp_path / "backup", "--yes", "--home", tmp_path / "other")
    assert other["kept"] is None


def test_what_cannot_be_undone_needs_a_yes(filled: CommandLine, tmp_path: Path) -> None:
    """Where nobody can answer, restore and redact are refused without --yes."""
    filled("backup", tmp_path / "backup")
    assert "give --yes" in filled("restore", tmp_path / "backup", code=2).stderr
    assert "give --yes" in filled("redact", "@1", code=2).stderr
    assert filled.json("show", "@1")["content"] == "The port is 8080"


def test_an_incomplete_redaction_says_so(cli: CommandLine) -> None:
    """While a reader holds on to old pages, the exit code is 6; the next command goes on."""
    cli("remember", "The combination is 4711081523")
    reader = apsw.Connection(str(cli.home / "ledger.db"))
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM events").fetchall()
    result = cli("redact", "@1", "--yes", "--timeout", "0.1", code=6)
    assert f"incomplete: {cli.home / 'ledger.db-wal'}: a reader" in result.stderr
    reader.close()
    cli("list")
    assert holding(cli.home, b"4711081523") == []


def test_an_incomplete_redaction_says_where_something_is_left(cli: CommandLine) -> None:
    """The path and the cause stand on standard error and in `left`; the next command goes on."""
    for number in (1, 2):
        cli(
            "remember", f"The combination is 4711081523, number {number}", "--contradictions", "off"
        )
    with scratch_directory(cli.home, "replay-") as scratch:
        (scratch / "ledger.db").write_text("4711081523")
        where = f"{scratch}: another process works in it"
        assert f"incomplete: {where}\n" in cli("redact", "@1", "--yes", "--quiet", code=6).stderr
        told = json.loads(cli("redact", "@2", "--yes", "--json", code=6).stdout)
        assert (told["complete"], told["left"]) == (False, [where])
    cli("list")
    assert holding(cli.home, b"4711081523") == []


def test_a_redaction_leaves_no_content(cli: CommandLine) -> None:
    """After redact --yes the words are in no file of the home, and the log verifies."""
    cli("remember", "The combination is 4711081523")
    receipt = cli.json("redact", "@1", "--yes", "--reason", "asked for")
    assert receipt["complete"] is True
    assert cli.json("show", "@1")["content"] is None
    assert holding(cli.home, b"4711081523") == []
    assert "redacted: 1 event\n" in cli("verify").stdout


def test_an_event_that_is_no_memory_is_redacted_by_its_id(cli: CommandLine) -> None:
    """`log --json` shows the ids; the memory that it is about keeps its text."""
    cli("remember", "The combination changes in May")
    cli("withdraw", "@1", "--reason", "it is 4711081523")
    (event,) = cli.json("log", "--kind", "withdrawn")["events"]
    assert cli.json("redact", event["event_id"], "--yes")["erased"] == [2]
    assert holding(cli.home, b"4711081523") == []
    assert cli.json("show", "@1")["content"] == "The combination changes in May"
