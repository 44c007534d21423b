"""Files of others in a home that hold what was redacted are named, and never touched."""

from __future__ import annotations

import errno
import json
import os
import shutil
from pathlib import Path

import msgspec
import pytest
from hashed_words import HashedWords
from traces import bytes_left, new_secret, open_home

import mnemolog.memory
from mnemolog import Memory, NewMemory
from mnemolog.application.admission import decide as placing
from mnemolog.application.home.home import LEDGER
from mnemolog.application.redaction import redact as erasure
from mnemolog.indexes.space_index import SpaceIndex
from tests.homes import ALL_TIERS, DAY, HandClock

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
        assert memory._space.home.log.pending_traces() == []
        assert all(finding.level != "error" for finding in memory.upkeep.doctor().findings)
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
        source.log.export_events(tmp_path / "whole.jsonl")
        source.redact(told)
        source.log.export_events(redacted)
    with open_home(home) as memory:
        memory.log.import_events(tmp_path / "whole.jsonl")
        if diverged:
            memory.remember("the ladder stands in the orchard")
    path = _copied(home, "")
    wanted = f"{path} holds it, and is not ours: remove it yourself"
    with open_home(home) as memory:
        imported = memory.log.import_events(redacted, confirmed=True)
        assert (imported.erased, imported.left) == ((1,), (wanted,))
    with open_home(home) as memory:
        assert memory.notices == [f"a redaction is incomplete: {wanted}"]
        assert any(finding.level == "error" for finding in memory.upkeep.doctor().findings)
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


def test_what_is_ours_is_cleaned_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a file of others stays, an opening and a repetition leave the index as it is."""
    secret = new_secret()
    with open_home(tmp_path) as memory:
        told = memory.remember(secret).memory_id or ""
        memory.remember("the ladder stands in the orchard")
        (tmp_path / "note").write_text(secret)
        assert not memory.redact(told).complete
        memory.upkeep.rebuild()
    bases = {*tmp_path.glob("indexes/*/*")}
    assert bases
    with monkeypatch.context() as patched:
        patched.setattr(SpaceIndex, "forget", None)
        with open_home(tmp_path) as memory:
            assert memory._space.home.log.pending_erasures(unclean=True) == []
            assert not memory.redact(told).complete
            memory.remember("tea")
            (tmp_path / "note").unlink()
            assert memory.redact(told).complete
    assert {*tmp_path.glob("indexes/*/*")} == bases
    assert bytes_left(tmp_path, secret) == []


def test_a_command_searches_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many transactions a tick or a flush has, it reads each file of others once."""
    clock = HandClock()
    searched = []

    def counted(home: Path, *given: object) -> tuple[list[str], list[str]]:
        searched.append(home)
        return [f"{home / 'note'} holds it"], []

    with Memory.open(tmp_path, clock=clock, embedder=HashedWords()) as memory:
        memory.configure({"contradictions": "off", **ALL_TIERS})
        texts = [f"Mara painted shelf {number} in the attic" for number in range(250)]
        memory.remember_many([NewMemory(text, kind="episodic", importance="low") for text in texts])
        clock.move(800 * DAY)
        monkeypatch.setattr(erasure, "search", counted)
        told = memory.upkeep.tick(confirmed=True)
        assert (len(told.positions), told.falls, told.complete) == (3, {"deleted": 250}, False)
        assert len(searched) == 1
        monkeypatch.setattr(placing, "AT_ONCE", 2)
        for number in range(5):
            memory.admission.admit(f"the ladder of note-{number}", attention="piano tuning")
        assert not memory.admission.flush().complete
        assert len(searched) == 2


@pytest.mark.parametrize("rule", ["=" * 16, "-" * 200, "_ " * 40, "| --- " * 30])
def test_a_rule_of_a_document_is_no_line_of_a_text(tmp_path: Path, rule: str) -> None:
    """It is in every document; by its other lines the text is found nevertheless."""
    with open_home(tmp_path) as memory:
        text = f"Harbour\n{rule}\nThe safe opens with kumquat\n{rule}"
        told = memory.remember(text).memory_id or ""
        (tmp_path / "README.md").write_text(f"# Another\n\n{rule}\n{rule}\n")
        (tmp_path / "note").write_text("the safe: The safe opens with kumquat.")
        (left,) = memory.redact(told).left
        assert left.startswith(f"{tmp_path / 'note'} holds it")


@pytest.mark.parametrize(
    ("reason", "held"),
    [("no longer true today", False), ("Mara sold the blue boat to Henrik in spring", True)],
)
def test_a_reason_is_looked_for_if_it_tells(tmp_path: Path, reason: str, *, held: bool) -> None:
    """A phrase that everybody uses is in a diary by chance."""
    with open_home(tmp_path) as memory:
        told = memory.remember("the ladder stands in the orchard").memory_id or ""
        memory.withdraw(told, reason=reason)
        (tmp_path / "diary.txt").write_text(f"Much of it is {reason}.")
        assert memory.redact(told).complete is not held


def test_a_key_is_found_by_its_line(tmp_path: Path) -> None:
    """A line may have no words at all."""
    with open_home(tmp_path) as memory:
        told = memory.remember("Of the cloud:\nsk_live_qWmXvBzRtYpLkD").memory_id or ""
        (tmp_path / ".env").write_text("KEY=sk_live_qWmXvBzRtYpLkD")
        assert not memory.redact(told).complete


def test_what_leaves_the_buffer_is_not_looked_for(tmp_path: Path) -> None:
    """It stands in a memory from then on: nobody asked for it to be destroyed."""
    secret = new_secret()
    with open_home(tmp_path) as memory:
        memory.remember_many([f"The ladder of note-{number}" for number in range(5)])
        assert (
            memory.admission.admit(secret, attention="piano tuning").decisions[0].placement
            == "buffer"
        )
        (tmp_path / "note").write_text(secret)
        assert memory.admission.flush().complete


def test_what_is_not_searched_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond a number of bytes, and where the system refuses."""
    monkeypatch.setattr(erasure, "_MOST_BYTES", 1 << 20)
    (tmp_path / "film").write_bytes(bytes(2 << 20))
    with open_home(tmp_path) as memory:
        told = memory.remember(new_secret()).memory_id or ""
        assert memory.redact(told).complete
        (notice,) = memory.notices
        assert notice.startswith(f"not searched for what was redacted: {tmp_path / 'film'}: more")


def test_a_search_ends_when_time_is_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An opening and a redaction without time go no further; with time, it is complete."""
    secret = new_secret()
    with open_home(tmp_path) as memory:
        told = memory.remember(secret).memory_id or ""
        (tmp_path / "note").write_text("the ladder stands in the orchard")
        with monkeypatch.context() as patched:
            patched.setattr(erasure, "_SEARCHING_S", -1.0)
            (left,) = memory.redact(told, timeout_s=0.0).left
            assert left.startswith(f"{tmp_path / 'note'} and files after it: time was up")
            monkeypatch.setattr(mnemolog.memory, "_OPENING_S", 0.0)
            with open_home(tmp_path) as again:
                assert again.notices == [f"a redaction is incomplete: {left}"]
        assert memory.redact(told, timeout_s=60.0).complete


def test_many_texts_are_found_in_one_reading(tmp_path: Path) -> None:
    """Each of hundreds of texts of all lengths is found where it is the only one."""
    texts = [f"shelf {number}, {'o' * (number % 70)} red" for number in range(300)]
    with open_home(tmp_path) as memory:
        stored = memory.remember_many(texts, contradictions="off")
        (tmp_path / "note").write_text(f"{'-' * 5000}{texts[211]}{'-' * 5000}")
        (tmp_path / "other").write_text(f"{'-' * 5000}shelf 211, red{'-' * 5000}")
        (left,) = memory.redact(*(one.memory_id or "" for one in stored)).left
        assert left.startswith(f"{tmp_path / 'note'} holds it")


@pytest.mark.parametrize(("number", "told"), [(errno.EACCES, 1), (errno.ENOENT, 0)])
def test_a_file_that_cannot_be_looked_at_ends_no_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, told: int
) -> None:
    """Those after it are searched; it is named, unless it is gone meanwhile."""
    secret = new_secret()
    look = os.stat

    def refused(path: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        if str(path).endswith("aside"):
            raise OSError(number, os.strerror(number), str(path))
        return look(path, follow_symlinks=follow_symlinks)

    with open_home(tmp_path) as memory:
        redacted = memory.remember(secret).memory_id or ""
        for name in ("aside", "note"):
            (tmp_path / name).write_text(secret)
        with monkeypatch.context() as patched:
            patched.setattr(os, "stat", refused)
            (left,) = memory.redact(redacted).left
        assert left.startswith(f"{tmp_path / 'note'} holds it")
        assert [str(tmp_path / "aside") in notice for notice in memory.notices] == [True] * told


def test_no_byte_of_a_trace_outlives_the_redaction(tmp_path: Path) -> None:
    """Not in the log nor in its WAL, while the home is open."""
    texts = [f"{new_secret()}\n{new_secret()} {_LONG[number:]}" for number in range(20)]
    with open_home(tmp_path) as memory:
        stored = [one.memory_id or "" for one in memory.remember_many(texts)]
        (tmp_path / "note").write_text(texts[3])
        assert not memory.redact(*stored).complete
        kept = memory._space.home.log.pending_traces()
        macs = [
            one.mac
            for part in kept
            for one in msgspec.msgpack.decode(part, type=list[erasure.ContentTrace])
        ]
        assert _holding_any(tmp_path, macs)
        (tmp_path / "note").unlink()
        assert memory.redact(stored[3]).complete
        assert not _holding_any(tmp_path, macs)


def _holding_any(home: Path, sought: list[bytes]) -> list[str]:
    files = [path for path in home.rglob("*") if path.is_file()]
    return [path.name for path in files if any(one in path.read_bytes() for one in sought)]
