"""Importing again adds nothing, and a new version of a piece takes the old one's place."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import apsw
import pytest

from mnemolog import ImmutableMemory, ImportReport, InvalidField, Memory, NewMemory, StorageFailed
from mnemolog.application.imports import files as importing
from mnemolog.application.imports.files import ImportItem, Problem, import_item, readable
from mnemolog.application.imports.readers import Format, read
from tests.failing_files import FailingFiles
from tests.homes import open_home

NOTES = ("The harbour closes at nine", "Dana keeps the keys", "Invoices are due on Friday")


def note(text: str, origin: str = "file:notes.md#harbour", **fields: object) -> ImportItem:
    """A section of a file, which may come back with another text."""
    memory = NewMemory(text, source=origin, **fields)
    return import_item("default", memory, origin=origin, where=origin, revisable=True)


def message(text: str, origin: str = "chat:1#1", run: str | None = "chat-1") -> ImportItem:
    """What somebody said, which has no other version."""
    memory = NewMemory(text, kind="episodic", valid_from="2025-01-01")
    return import_item("default", memory, origin=origin, where=origin, run=run)


def counts(report: ImportReport) -> tuple[int, int, int, int]:
    """Added, superseded, known, outdated."""
    return report.added, report.superseded, report.known, report.outdated


def active(memory: Memory) -> list[str | None]:
    """The texts that answer, oldest first."""
    return [item.content for item in memory.list(by="oldest")]


def test_an_import_run_twice_adds_nothing(memory: Memory) -> None:
    """Whatever mixture of items: the second time all are known and the log stays as it is."""
    items = [
        *(note(text, f"file:notes.md#{at}") for at, text in enumerate(NOTES)),
        *(message(text, f"chat:1#{at}") for at, text in enumerate(NOTES)),
    ]
    told: list[tuple[str, int, int]] = []
    first = memory.import_memories(items, lambda *step: told.append(step))
    assert counts(first) == (6, 0, 0, 0)
    assert told
    head = memory.log.checkpoint()
    assert counts(memory.import_memories(items)) == (0, 0, 6, 0)
    assert counts(memory.import_memories(reversed(items))) == (0, 0, 6, 0)
    assert memory.log.checkpoint() == head


def test_an_import_that_the_disk_stops_says_what_is_stored(
    files: FailingFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And goes on from there when it is repeated."""
    monkeypatch.setattr(importing, "_BATCH", 2)
    items = [message(f"{text} again", f"chat:1#{at}") for at, text in enumerate(NOTES)]

    def stopped() -> Generator[ImportItem, None, None]:
        yield from items[:2]
        with files.failing("write", "ledger.db-wal", apsw.SQLITE_FULL):
            yield items[2]
            yield message("never stored", "chat:1#9")

    source = stopped()
    with open_home(tmp_path) as memory:
        with pytest.raises(StorageFailed, match="2 memories are stored; remove the cause"):
            memory.import_memories(source)
        source.close()
        assert len(active(memory)) == 2
        assert counts(memory.import_memories(items)) == (1, 0, 2, 0)


def test_an_import_that_is_stored_and_not_indexed_is_no_error(tmp_path: Path) -> None:
    """A program that was told of an error would import it once more."""
    told: list[str] = []

    def progress(doing: str, _: int, __: int) -> None:
        told.append(doing)
        if doing != "reading":
            raise StorageFailed(tmp_path / "vectors.db", "Input/output error")

    with open_home(tmp_path) as memory:
        report = memory.import_memories([message(text, text) for text in NOTES], progress)
        assert report.added == len(NOTES)
        assert set(told) > {"reading"}
        assert any("is stored, but not indexed yet" in one for one in memory.notices)
        assert memory.recall("who keeps the keys").hits[0].content == NOTES[1]


def test_a_changed_piece_supersedes_its_earlier_version(memory: Memory) -> None:
    """Same origin, other text or tags: the old one is in the trail of the new one."""
    memory.import_memories([note(NOTES[0]), note(NOTES[1], "file:notes.md#keys")])
    report = memory.import_memories([note("The harbour closes at ten")])
    assert counts(report) == (1, 1, 0, 0)
    assert active(memory) == [NOTES[1], "The harbour closes at ten"]
    (hit, *_) = memory.recall("nine", strategy="keyword").hits
    assert (hit.content, hit.trail[0].content) == ("The harbour closes at ten", NOTES[0])
    retagged = memory.import_memories([note("The harbour closes at ten", tags=("port",))])
    assert counts(retagged) == (1, 1, 0, 0)


def test_a_piece_may_go_back_to_an_earlier_text(memory: Memory) -> None:
    """A, B, A, B: each time what the source says now is what answers, and twice adds nothing."""
    versions = ("open at eight", "open at nine", "open at eight", "open at nine", "open at eight")
    for text in versions:
        memory.import_memories([note(text)])
        assert active(memory) == [text]
        assert counts(memory.import_memories([note(text)])) == (0, 0, 1, 0)
    assert len(memory.history(memory.list()[0].memory_id)) == 9


def test_of_several_versions_in_one_import_the_last_counts(memory: Memory) -> None:
    """Earlier versions that the source itself replaced are counted, not stored."""
    report = memory.import_memories([note("one"), note("two"), note("three")])
    assert counts(report) == (1, 0, 0, 2)
    assert active(memory) == ["three"]


def test_the_same_message_twice_in_one_import_is_one(memory: Memory) -> None:
    """An item that cannot have versions is stored once."""
    assert counts(memory.import_memories([message("hello")] * 3)) == (1, 0, 2, 0)


def test_what_someone_took_out_stays_out(memory: Memory) -> None:
    """An import does not bring back what was withdrawn or redacted, or corrected by hand."""
    pieces = [note(text, f"file:notes.md#{at}") for at, text in enumerate(NOTES)]
    memory.import_memories(pieces)
    first, second, third = memory.list(by="oldest")
    memory.withdraw(first.memory_id)
    memory.redact(second.memory_id)
    memory.supersede(third.memory_id, "Invoices are due on Monday")
    assert counts(memory.import_memories(pieces)) == (0, 0, 3, 0)
    assert active(memory) == ["Invoices are due on Monday"]


def test_problems_are_told_and_the_rest_is_stored(memory: Memory) -> None:
    """What a reader could not read, and what does not fit the settings, are in the report."""
    memory.configure({"content_limit_bytes": 30})
    problem = Problem("line 3", "is no JSON", "mend it")
    report = memory.import_memories([problem, note("x" * 31, "file:long.md"), note(NOTES[0])])
    assert report.added == 1
    assert [(one.where, one.what.split(":")[0]) for one in report.problems] == [
        ("line 3", "is no JSON"),
        ("file:long.md", "content"),
    ]
    assert all(one.fix for one in report.problems)


@pytest.mark.parametrize("form", ["jsonl", "transcript"])
@pytest.mark.parametrize(("bad", "more"), [(1_500, "500 more problems"), (1_001, "1 more problem")])
def test_of_very_many_problems_the_rest_is_counted(
    memory: Memory, tmp_path: Path, form: Format, bad: int, more: str
) -> None:
    """However often they are collected: by a reader, before the first good line, and in all."""
    said = {"content": "tea", "sessionId": "s", "uuid": "u", "type": "user"}
    said |= {"message": {"content": "tea"}}
    file = tmp_path / "talk.jsonl"
    file.write_text("no\n" * bad + json.dumps(said) + "\n")
    items = readable(read(file, form, memory.space), file, 1 << 20)
    report = memory.import_memories(one for one in items if not _is_of_fields(one))
    assert report.added == 1
    assert len(report.problems) == 1_001
    assert report.problems[-1].what == f"has {more}"
    assert sum(one.count for one in report.problems) == bad


def _is_of_fields(one: ImportItem | Problem) -> bool:
    return isinstance(one, Problem) and one.what.startswith("ignored fields")


ESCAPED = "\x01" * 900_000
"""A text that takes six times its length as JSON."""


@pytest.mark.parametrize(
    ("large", "field"),
    [
        ({"content": "x", "source_note": ESCAPED, "snippet": ESCAPED * 2}, "snippet"),
        ({"content": "x", "id": ESCAPED * 3}, "origin"),
    ],
)
def test_a_line_too_large_for_an_event_is_a_problem_of_its_own(
    memory: Memory, tmp_path: Path, large: dict[str, str], field: str
) -> None:
    """Its number and its longest field are named, and what stands around it is stored."""
    file = tmp_path / "notes.jsonl"
    lines = [{"content": NOTES[0]}, large, {"content": NOTES[1]}]
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    report = memory.import_memories(read(file, "jsonl", memory.space))
    assert (report.added, active(memory)) == (2, [*NOTES[:2]])
    (problem,) = report.problems
    assert problem.where == f"{file}:2"
    assert problem.what.startswith(f"{field}: takes ")


def test_of_memories_one_too_large_keeps_all_out(memory: Memory) -> None:
    """It is found before the first transaction."""
    large = NewMemory("x", source_note=ESCAPED, snippet=ESCAPED * 2)
    with pytest.raises(InvalidField, match="snippet: takes 10,800,002 bytes as JSON"):
        memory.remember_many([*(f"note {number}" for number in range(1_000)), large])
    assert active(memory) == []


def test_a_run_that_no_event_may_have_is_a_problem(memory: Memory, tmp_path: Path) -> None:
    """Stored, it would make an export that no import takes in."""
    bad = ("r" * 201, "two\nlines")
    report = memory.import_memories(
        [message(run, f"chat:1#{at}", run) for at, run in enumerate((*bad, "fits"))]
    )
    assert report.added == 1
    assert [one.what.split(":")[0] for one in report.problems] == ["run", "run"]
    memory.log.export_events(tmp_path / "events.jsonl")
    with open_home(tmp_path / "copy") as copy:
        assert copy.log.import_events(tmp_path / "events.jsonl").events == 1


def test_imported_talk_keeps_its_run_and_time(memory: Memory) -> None:
    """The conversation is the correlation id, so that what was said stands together."""
    memory.import_memories([message("hello"), message("goodbye", "chat:1#2")])
    items = memory.list(by="oldest")
    assert {item.correlation_id for item in items} == {"chat-1"}
    assert all(item.valid_from is not None for item in items)


def test_spaces_import_for_themselves(memory: Memory, tmp_path: Path) -> None:
    """The same source imported into two spaces is stored in both."""
    memory.import_memories([note(NOTES[0])])
    with open_home(tmp_path / "home", "other") as other:
        item = import_item(
            "other",
            NewMemory(NOTES[0]),
            origin="file:notes.md#harbour",
            where="notes.md",
            revisable=True,
        )
        assert counts(other.import_memories([item])) == (1, 0, 0, 0)


def test_more_than_a_batch_is_imported(memory: Memory) -> None:
    """Thousands of pieces come in whole, and are indexed by the end of it."""
    items = [message(f"message {at}", f"chat:1#{at}") for at in range(1_201)]
    assert counts(memory.import_memories(items)) == (1_201, 0, 0, 0)
    assert memory.upkeep.index() == 1_201
    assert memory.recall("1200", strategy="keyword").hits[0].content == "message 1200"


def test_an_immutable_version_is_not_superseded(memory: Memory) -> None:
    """A new version of an immutable memory is refused, and nothing of its batch is stored."""
    memory.import_memories([note(NOTES[0], immutable=True)])
    head = memory.log.checkpoint()
    with pytest.raises(ImmutableMemory):
        memory.import_memories([note("The harbour never closes")])
    assert memory.log.checkpoint() == head


_KILLED = """
import os, sys
import json
import signal
import subprocess
import sys
from pathlib import Path
from mnemolog.application.imports import files as importing
from mnemolog.application.imports.files import readable
from mnemolog.application.imports.readers import Format, read
from tests.homes import open_home

importing._BATCH = 5
store, left = importing.Importing._store_batch, [2]

def store_batch(self, items):
    left[0] -= 1
    if left[0] < 0:
        os.kill(os.getpid(), 9)
    store(self, items)

importing.Importing._store_batch = store_batch
with open_home(Path(sys.argv[1])) as memory:
    memory.import_memories(read(Path(sys.argv[2]), sys.argv[3], memory.space))
"""


@pytest.mark.parametrize("form", ["jsonl", "markdown"])
def test_an_interrupted_import_is_repeated_and_ends_the_same(tmp_path: Path, form: str) -> None:
    """Killed between batches, what is missing follows at the next try, and nothing comes twice."""
    source = tmp_path / f"notes.{'md' if form == 'markdown' else 'jsonl'}"
    for version in ("first", "second"):
        names = [f"{version} note {number} on ferrets" for number in range(23)]
        if form == "markdown":
            text = "".join(f"# Section {n}\n\n{name}\n\n" for n, name in enumerate(names))
        else:
            text = "".join(
                json.dumps({"content": name} | ({"id": n} if n % 2 else {})) + "\n"
                for n, name in enumerate(names)
            )
        source.write_text(text)
        command = [sys.executable, "-c", _KILLED, str(tmp_path / "killed"), str(source), form]
        assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
        left = []
        for name in ("killed", "whole"):
            with open_home(tmp_path / name) as memory:
                memory.import_memories(read(source, form, "default"))  # type: ignore[arg-type]
                again = memory.import_memories(read(source, form, "default"))  # type: ignore[arg-type]
                assert (again.added, again.superseded) == (0, 0)
                items = memory.list(limit=100, statuses=["active", "superseded"])
                left.append(sorted((str(item.content), item.status) for item in items))
        assert left[0] == left[1]
