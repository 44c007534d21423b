"""Commands that tend a home."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import apsw
import pytest

from tests.cli.conftest import CommandLine

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def filled(cli: CommandLine) -> CommandLine:
    """A home with two memories."""
    cli("remember", "The port is 8080")
    cli("remember", "Ferrets sleep a lot")
    return cli


def _falsify(home: Path, position: int) -> None:
    connection = apsw.Connection(str(home / "ledger.db"))
    connection.execute("DROP TRIGGER content_is_only_destroyed")
    connection.execute(
        "UPDATE events SET content = replace(content, '8080', '8081') WHERE position = ?",
        (position,),
    )
    connection.close()


def test_a_log_as_it_was_appended_verifies(filled: CommandLine) -> None:
    """Verify counts the events and names the head."""
    assert filled.json("verify")["events"] == 2
    assert filled("verify").stdout.startswith("verified: 2 events\nhead: @2 ")


def test_a_changed_event_is_named(filled: CommandLine) -> None:
    """A falsified log ends with exit code 5 and the last good position."""
    _falsify(filled.home, 1)
    error = filled.failure("verify", code=5)
    assert (error["class"], error["last_good"]) == ("CorruptLog", 0)


def test_a_log_extends_its_checkpoint(filled: CommandLine, tmp_path: Path) -> None:
    """A checkpoint written to a file is found again in the longer log."""
    filled("checkpoint", tmp_path / "then.json")
    filled("remember", "A third thing")
    verified = filled.json("verify", "--checkpoint", tmp_path / "then.json")
    assert verified["checkpoint"]["position"] == 2
    assert "extends: @2" in filled("verify", "--checkpoint", tmp_path / "then.json").stdout


def test_a_checkpoint_passes_through_a_pipe(filled: CommandLine) -> None:
    """A checkpoint goes to standard output, and verify reads it from standard input."""
    written = filled("checkpoint").stdout
    assert json.loads(written)["position"] == 2
    filled("verify", "--checkpoint", "-", stdin=written)


def test_another_logs_checkpoint_does_not_fit(filled: CommandLine, tmp_path: Path) -> None:
    """A checkpoint of another log ends with exit code 5, and no checkpoint at all with 2."""
    head = filled.json("checkpoint")
    (tmp_path / "other.json").write_text(json.dumps({**head, "digest": "00" * 32}))
    (tmp_path / "none.json").write_text("{}")
    words = ("verify", "--checkpoint")
    assert filled.failure(*words, tmp_path / "other.json", code=5)["class"] == "CheckpointMismatch"
    assert filled.failure(*words, tmp_path / "none.json", code=2)["class"] == "ForeignFormat"


def test_a_checkpoint_is_not_overwritten(filled: CommandLine, tmp_path: Path) -> None:
    """An existing file is left as it is: it may be the proof that is needed."""
    (tmp_path / "then.json").write_text("precious")
    filled("checkpoint", tmp_path / "then.json", code=2)
    assert (tmp_path / "then.json").read_text() == "precious"


def test_views_are_derived_again(filled: CommandLine) -> None:
    """Rebuild says how many memories it derived, and answers stay the same."""
    before = filled.json("list")
    assert filled.json("rebuild") == {"position": 2, "memories": 2, "spaces": 1}
    assert "rebuilt the views up to @2: 2 memories in 1 space\n" in filled("rebuild").stdout
    assert filled.json("list") == before


def test_the_indexes_of_all_spaces_are_derived_again(filled: CommandLine) -> None:
    """A damaged vector of another space is made anew; a small space gets no files by it."""
    filled("remember", "The build is green", "--space", "work")
    filled("index", "--space", "work")
    connection = apsw.Connection(str(filled.home / "vectors.db"))
    connection.execute("UPDATE vectors SET crc32 = crc32 + 1")
    connection.close()
    filled("doctor", code=5)
    assert filled.json("rebuild") == {"position": 3, "memories": 3, "spaces": 2}
    filled("doctor")
    assert not list((filled.home / "indexes").glob("work-*/*"))


def test_what_is_not_indexed_can_be_indexed_at_once(filled: CommandLine) -> None:
    """Index says how many memories of the space are indexed."""
    assert filled.json("index") == {"indexed": 2}
    assert filled("index").stdout == "indexed: 2 memories\n"


def test_a_sound_home_is_found_sound(filled: CommandLine) -> None:
    """The doctor of a sound home finds no error."""
    findings = filled.json("doctor")["findings"]
    assert {finding["level"] for finding in findings} <= {"ok", "warning"}
    assert filled("doctor").stdout


def test_the_doctor_tells_of_a_falsified_log(filled: CommandLine) -> None:
    """A damaged log ends with exit code 5."""
    _falsify(filled.home, 1)
    filled("doctor", code=5)


@pytest.mark.parametrize(
    "change",
    [
        "content = replace(content, '8080', '8081')",
        "structure = structure || ' '",
        "digest = zeroblob(32)",
        "recorded_at = recorded_at + 1",
    ],
)
def test_what_is_stored_behind_damage_says_so(filled: CommandLine, change: str) -> None:
    """The receipt of each command warns and names the last good position; verify agrees."""
    connection = apsw.Connection(str(filled.home / "ledger.db"))
    connection.execute("DROP TRIGGER events_are_facts").fetchall()
    connection.execute("DROP TRIGGER content_is_only_destroyed").fetchall()
    connection.execute(f"UPDATE events SET {change} WHERE position = 1").fetchall()
    connection.close()
    last_good = filled.failure("verify", code=5)["last_good"]
    for _ in range(2):
        receipt = filled.json("remember", "The port is 9090", "--contradictions", "off")
        (warning,) = receipt["warnings"]
        assert f"the log is damaged after position {last_good}" in warning
    filled("pin", "@2")


def test_a_redaction_is_no_damage(filled: CommandLine) -> None:
    """What was destroyed on purpose leaves a chain that verifies."""
    filled("redact", "@1", "--yes")
    assert filled.json("remember", "The port is 9090")["warnings"] == []


def test_settings_are_read_changed_and_reset(filled: CommandLine) -> None:
    """Config lists, prints, sets and unsets a setting of the space."""
    name = "content_limit_bytes"
    default = filled.json("config")[name]
    filled("config", name, 10, "--reason", "tiny")
    assert filled("config", name).stdout == "10\n"
    assert filled.failure("remember", "longer than ten", code=2)["class"] == "ContentTooLarge"
    filled("config", name, "--unset")
    assert filled.json("config", name) == {name: default}
    assert f"{name}: {default}" in filled("config").stdout


def test_a_setting_may_be_a_word(filled: CommandLine) -> None:
    """What is no number is taken as a text, and a value that does not fit is refused."""
    filled("config", "strategy", "rrf")
    assert filled("config", "strategy").stdout == "rrf\n"
    assert filled.failure("config", "strategy", "magic", code=2)["class"] == "InvalidField"


def test_settings_of_the_past_are_read_only(filled: CommandLine) -> None:
    """As of a position config tells what was in force then, and changes nothing."""
    filled("config", "strategy", "rrf")
    assert filled.json("config", "--as-of", 2)["strategy"] == "hybrid"
    assert "leave out --as-of" in filled("config", "strategy", "rrf", "--as-of", 2, code=2).stderr
    assert "setting strategy: hybrid → rrf" in filled("diff", 2, 3).stdout


def test_a_lost_tail_is_reported_until_it_is_accepted(filled: CommandLine, tmp_path: Path) -> None:
    """A log that once was longer is an error of the doctor's, until --accept-loss."""
    shutil.copyfile(filled.home / "ledger.db", tmp_path / "before")
    filled("remember", "What will be lost")
    filled("list")
    for name in ("ledger.db-wal", "ledger.db-shm"):
        (filled.home / name).unlink(missing_ok=True)
    shutil.copyfile(tmp_path / "before", filled.home / "ledger.db")
    assert "events were lost" in filled("list").stderr
    assert filled.failure("verify", code=5)["class"] == "LogShortened"
    filled("doctor", code=5)
    filled("doctor", "--accept-loss")
    filled("verify")


def _replaced(filled: CommandLine, tmp_path: Path) -> None:
    """Put another home's log in the place of a home's."""
    other = CommandLine(tmp_path / "other")
    other("remember", "Another home's memory")
    other("list")
    for name in ("ledger.db-wal", "ledger.db-shm"):
        (filled.home / name).unlink(missing_ok=True)
    shutil.copyfile(other.home / "ledger.db", filled.home / "ledger.db")


def test_another_homes_log_is_named_until_it_is_accepted(
    filled: CommandLine, tmp_path: Path
) -> None:
    """However sound it is, verify ends with 5 and says what happened, at the first command."""
    filled("list")
    _replaced(filled, tmp_path)
    error = filled.failure("verify", code=5)
    assert error["class"] == "LogReplaced"
    assert "this home's log was replaced by another one" in str(error["message"])
    filled("doctor", code=5)
    filled("doctor", "--accept-loss")
    assert "verified: 1 event\n" in filled("verify").stdout


def test_a_replaced_log_can_be_accepted_at_once(filled: CommandLine, tmp_path: Path) -> None:
    """No command need have noticed it before."""
    filled("list")
    _replaced(filled, tmp_path)
    filled("doctor", "--accept-loss")
    filled("verify")


@pytest.mark.parametrize("words", [("nonsense",), ("nonsense", "1"), ("--unset",)])
def test_unknown_settings_are_refused(filled: CommandLine, words: tuple[str, ...]) -> None:
    """A setting that is none, and --unset without a name, end with exit code 2."""
    filled("config", *words, code=2)


def test_derived_files_may_be_lost(filled: CommandLine) -> None:
    """What was derived is built again at the next command."""
    for path in sorted(filled.home.rglob("*"), reverse=True):
        if path.is_file() and path.name != "ledger.db":
            path.unlink()
    result = filled("list")
    assert "The port is 8080" in result.stdout
