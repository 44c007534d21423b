"""Files of others in a home that hold what was redacted are named, and never touched."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from traces import bytes_left, new_secret, open_home

from mnemolog import foreign_files
from mnemolog.home import LEDGER

_LONG = "".join(f"{number} ducks went by. " for number in range(9_000))


def _copied(home: Path, _: str) -> Path:
    """The log as a user copies it beside itself."""
    shutil.copyfile(home / LEDGER, home / f"{LEDGER}.bak")
    return home / f"{LEDGER}.bak"


def _edited(home: Path, text: str) -> Path:
    path = home / "notes" / "day.txt~"
    path.parent.mkdir()
    path.write_text(f"{'-' * (1 << 18)}{text}\n")
    return path


def _in_json(home: Path, text: str) -> Path:
    path = home / "export.jsonl"
    path.write_text(json.dumps({"said": text}))
    return path


@pytest.mark.parametrize("left", [_copied, _edited, _in_json])
@pytest.mark.parametrize("behind", ["", _LONG], ids=["short", "long"])
def test_a_file_of_others_that_holds_it_makes_a_redaction_incomplete(
    tmp_path: Path, left: object, behind: str
) -> None:
    """It is named until it is gone, by each opening and each repetition, and stays as it is."""
    secret = new_secret() + behind
    with open_home(tmp_path) as memory:
        told = memory.remember(secret, contradictions="off").memory_id or ""
        memory.remember("the ladder stands in the orchard")
    assert callable(left)
    path = left(tmp_path, secret)
    before = path.read_bytes()
    (tmp_path / "mine.txt").write_text("the ladder stands in the orchard")
    (tmp_path / "loop").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    wanted = (f"{path} holds it, and is not ours: remove it yourself",)
    with open_home(tmp_path) as memory:
        assert memory.redact(told).left == wanted
        assert memory.redact(told).left == wanted
        assert path.read_bytes() == before
    with open_home(tmp_path) as memory:
        assert memory.notices == [f"a redaction is incomplete: {wanted[0]}"]
        assert memory.redact(told).left == wanted
        path.unlink()
        assert memory.redact(told).complete
        assert memory._home.log.pending_traces() == []
        assert all(finding.level != "error" for finding in memory.doctor().findings)
    assert bytes_left(tmp_path, secret.removesuffix(behind)) == []


@pytest.mark.parametrize("diverged", [False, True], ids=["continues", "another"])
def test_a_file_of_others_makes_an_imported_redaction_incomplete(
    tmp_path: Path,
    diverged: bool,  # noqa: FBT001 - a parameter
) -> None:
    """Whether the events are adopted as they are or appended anew, its copy of the log is named."""
    home, redacted = tmp_path / "home", tmp_path / "redacted.jsonl"
    with open_home(tmp_path / "source") as source:
        told = source.remember(new_secret()).memory_id or ""
        source.export_events(tmp_path / "whole.jsonl")
        source.redact(told)
        source.export_events(redacted)
    with open_home(home) as memory:
        memory.import_events(tmp_path / "whole.jsonl")
        if diverged:
            memory.remember("the ladder stands in the orchard")
    path = _copied(home, "")
    wanted = f"a redaction is incomplete: {path} holds it, and is not ours: remove it yourself"
    with open_home(home) as memory:
        assert memory.import_events(redacted, confirmed=True).erased == (1,)
        assert memory.notices == [wanted]
    with open_home(home) as memory:
        assert memory.notices == [wanted]
        assert any(finding.level == "error" for finding in memory.doctor().findings)
        path.unlink()
        assert memory.redact(told).complete


def test_a_line_of_a_text_is_found(tmp_path: Path) -> None:
    """Somebody may have noted the one line that tells."""
    with open_home(tmp_path) as memory:
        told = memory.remember("Of the harbour:\nthe safe opens with kumquat").memory_id or ""
        (tmp_path / "note").write_text("NB the safe opens with kumquat!")
        assert not memory.redact(told).complete


def test_what_merely_shares_words_with_it_holds_nothing(tmp_path: Path) -> None:
    """Tags and short texts are in files of others too."""
    with open_home(tmp_path) as memory:
        told = memory.remember("tea", tags=("kitchen",)).memory_id or ""
        (tmp_path / "shopping").write_text("for the kitchen: tea")
        assert memory.redact(told).complete


def test_what_leaves_the_buffer_is_not_looked_for(tmp_path: Path) -> None:
    """It stands in a memory from then on: nobody asked for it to be destroyed."""
    secret = new_secret()
    with open_home(tmp_path) as memory:
        memory.remember_many([f"The ladder of note-{number}" for number in range(5)])
        assert memory.admit(secret, attention="piano tuning").decisions[0].placement == "buffer"
        (tmp_path / "note").write_text(secret)
        assert memory.flush().complete


def test_what_is_not_searched_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond a number of bytes, and where the system refuses."""
    monkeypatch.setattr(foreign_files, "MOST_BYTES", 1 << 20)
    (tmp_path / "film").write_bytes(bytes(2 << 20))
    with open_home(tmp_path) as memory:
        told = memory.remember(new_secret()).memory_id or ""
        assert memory.redact(told).complete
        (notice,) = memory.notices
        assert notice.startswith(f"not searched for what was redacted: {tmp_path / 'film'}: more")
