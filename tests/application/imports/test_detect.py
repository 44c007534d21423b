"""Guessing what a path holds."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from mnemolog.application.imports.files import ImportItem
from mnemolog.application.imports.readers import Format, detect_format, estimate, read
from mnemolog.ledger.errors import InvalidField

CLAUDE = {
    "type": "user",
    "uuid": "u-1",
    "sessionId": "s-1",
    "timestamp": "2025-11-03T09:15:02Z",
    "message": {"role": "user", "content": "Hello."},
}
CODEX = {"timestamp": "2025-10-29T00:59:38Z", "type": "session_meta", "payload": {"id": "x"}}


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.md", "# A", "markdown"),
        ("a.MARKDOWN", "", "markdown"),
        ("a.jsonl", '{"content": "x", "type": "note"}', "jsonl"),
        ("a.ndjson", "", "jsonl"),
        ("a.jsonl", "\n" + json.dumps(CLAUDE), "transcript"),
        ("a.jsonl", '{"type": "summary", "summary": "x", "leafUuid": "y"}', "transcript"),
        ("a.jsonl", json.dumps(CODEX), "transcript"),
    ],
)
def test_a_file_is_known_by_its_name_and_first_object(
    tmp_path: Path, name: str, text: str, expected: Format
) -> None:
    """JSONL is a transcript if its first object is a line of one."""
    assert detect_format(write(tmp_path / name, text)) == expected


def test_a_folder_is_known_by_what_it_holds(tmp_path: Path) -> None:
    """A repository is its history, even if notes lie in it."""
    write(tmp_path / "notes/deep/a.md", "# A")
    write(tmp_path / "talk/2025/a.jsonl", json.dumps(CODEX))
    assert detect_format(tmp_path / "notes") == "markdown"
    assert detect_format(tmp_path / "talk") == "transcript"
    subprocess.run(["git", "init", "--quiet", tmp_path / "notes"], check=True)
    subprocess.run(["git", "init", "--quiet", "--bare", tmp_path / "bare.git"], check=True)
    assert detect_format(tmp_path / "notes") == "git"
    assert detect_format(tmp_path / "bare.git") == "git"


@pytest.mark.parametrize("name", ["a.txt", "a.json", "absent.md", "empty"])
def test_what_fits_no_reader_is_refused(tmp_path: Path, name: str) -> None:
    """The error names the field and what could be read."""
    write(tmp_path / "a.txt", "x")
    write(tmp_path / "a.json", "{}")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InvalidField) as caught:
        detect_format(tmp_path / name)
    assert caught.value.field == "path"


def test_what_fits_two_readers_is_not_guessed_at(tmp_path: Path) -> None:
    """Notes beside transcripts: the user says which are meant."""
    write(tmp_path / "a.md", "# A")
    write(tmp_path / "a.jsonl", json.dumps(CLAUDE))
    with pytest.raises(InvalidField, match="both"):
        detect_format(tmp_path)


def test_each_format_is_read_by_its_reader(tmp_path: Path) -> None:
    """One call reads whatever was detected, and tells how much there is where that is cheap."""
    repository = tmp_path / "repository"
    subprocess.run(["git", "init", "--quiet", repository], check=True)
    who = ("-c", "user.name=Dana", "-c", "user.email=dana@example.org")
    commit = ("commit", "--quiet", "--allow-empty", "-m", "one")
    subprocess.run(["git", "-C", repository, *who, *commit], check=True)
    paths: dict[Path, tuple[str, int | None]] = {
        write(tmp_path / "a.md", "# A"): ("file:", None),
        write(tmp_path / "a.jsonl", '{"content": "x"}'): ("file:", 1),
        write(tmp_path / "b.jsonl", json.dumps(CLAUDE)): ("claude-code:", None),
        repository: ("git:", 1),
    }
    for path, (scheme, count) in paths.items():
        file_format = detect_format(path)
        (item,) = read(path, file_format, "default")
        assert isinstance(item, ImportItem)
        assert item.origin.startswith(scheme)
        assert estimate(path, file_format) == count
