"""The doctor finds what other programs did to a home, and names what mends it."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import apsw
import numpy as np
import numpy.typing as npt
import pytest

from mnemolog import Finding, Memory
from mnemolog.home import LEDGER
from tests.homes import BagOfWords, open_home


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A closed home of memories in two spaces, all of them embedded."""
    path = tmp_path / "home"
    with open_home(path) as memory:
        memory.remember("the kettle boils", place="house/kitchen", category="external_fact")
        memory.remember("seven ships sailed north", aliases=("the fleet",))
        memory.remember("forget me at once")
        memory.recall("kettle")
        memory.redact("@3")
        with memory.acting("work") as work:
            work.remember("the build is green")
            work.recall("build")
    return path


def found(memory: Memory, subject: str) -> Finding:
    """What the doctor says of one part."""
    (finding,) = (one for one in memory.doctor().findings if one.subject == subject)
    return finding


def edited(file: Path, statements: str) -> None:
    """Do to a database what any SQLite tool can."""
    raw = apsw.Connection(str(file))
    raw.execute(statements).fetchall()
    raw.close()


def test_every_kept_vector_is_compared_with_its_text(home: Path) -> None:
    """Those of every space, with the place and the category that they were embedded with."""
    with open_home(home) as memory:
        finding = found(memory, "vectors")
        assert (finding.level, finding.text) == (
            "ok",
            "all 3 vectors fit their texts, embedded again",
        )


def test_a_home_without_vectors_has_none_to_compare(home: Path) -> None:
    """They are derived, and may be deleted."""
    (home / "vectors.db").unlink()
    with open_home(home) as memory:
        assert found(memory, "vectors") == Finding("ok", "vectors", "none are kept yet")


@pytest.mark.parametrize("checksum", [True, False], ids=["with their checksums", "alone"])
def test_exchanged_vectors_are_found(
    home: Path,
    checksum: bool,  # noqa: FBT001 - a parameter
) -> None:
    """Where the checksum fits, the text does not; what does not fit its checksum is not used."""
    raw = apsw.Connection(str(home / "vectors.db"))
    (one, first, first_crc), (two, second, second_crc), *_ = raw.execute(
        "SELECT digest, vector, crc32 FROM vectors ORDER BY digest"
    ).fetchall()
    for digest, vector, crc in ((one, second, second_crc), (two, first, first_crc)):
        raw.execute("UPDATE vectors SET vector = ? WHERE digest = ?", (vector, digest))
        if checksum:
            raw.execute("UPDATE vectors SET crc32 = ? WHERE digest = ?", (crc, digest))
    raw.close()
    with open_home(home) as memory:
        finding = found(memory, "vectors")
        if not checksum:
            assert finding.level == "ok"
            return
        assert finding.level == "error"
        assert finding.text.startswith("2 of all 3 vectors do not fit their texts (@")
        assert "delete vectors.db and indexes/" in finding.text
    (home / "vectors.db").unlink()
    shutil.rmtree(home / "indexes", ignore_errors=True)
    with open_home(home) as memory:
        for space in ("default", "work"):
            memory.acting(space).recall("anything")
        assert found(memory, "vectors").text == "all 3 vectors fit their texts, embedded again"


def test_a_sample_of_many_says_its_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A large home is not embedded as a whole, and the finding does not claim it."""
    monkeypatch.setattr("mnemolog.vector_checks._SAMPLE", 5)
    embedded: list[str] = []

    class Counting(BagOfWords):
        def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
            embedded.extend(texts)
            return super().embed(texts)

    with open_home(tmp_path / "home") as memory:
        memory.remember_many([f"note {number}" for number in range(20)])
        memory.index()
    with Memory.open(tmp_path / "home", embedder=Counting()) as memory:
        finding = found(memory, "vectors")
    assert finding.text.startswith("5 vectors, drawn at random from 20, fit their texts")
    assert len(embedded) == 5


@pytest.mark.parametrize(
    ("statements", "said"),
    [
        ("DROP TRIGGER events_are_facts", "trigger events_are_facts is missing"),
        ("DROP TRIGGER content_is_only_destroyed", "trigger content_is_only_destroyed is missing"),
        ("DROP INDEX events_by_id", "index events_by_id is missing"),
        (
            (
                "DROP TRIGGER events_are_kept; CREATE TRIGGER events_are_kept BEFORE DELETE "
                "ON events WHEN old.position = 0 BEGIN SELECT raise(ABORT, 'no'); END"
            ),
            "trigger events_are_kept is altered",
        ),
        ("ALTER TABLE events ADD COLUMN note TEXT", "table events is altered"),
        (
            "CREATE TRIGGER mine AFTER INSERT ON events BEGIN SELECT 1; END",
            "trigger mine is not ours",
        ),
        ("CREATE TABLE mine (x)", "table mine is not ours"),
    ],
    ids=["updates", "content", "index", "altered", "column", "trigger", "table"],
)
def test_a_changed_schema_is_named(home: Path, tmp_path: Path, statements: str, said: str) -> None:
    """A log without its triggers is no longer kept from other tools; a new home has all of it."""
    edited(home / LEDGER, statements)
    with open_home(home) as memory:
        finding = found(memory, "schema")
        assert finding.level == "error"
        assert said in finding.text
        assert memory.verify()
        memory.export_events(tmp_path / "events.jsonl")
        head = memory.checkpoint().digest
    with open_home(tmp_path / "new") as memory:
        memory.import_events(tmp_path / "events.jsonl")
        assert memory.checkpoint().digest == head
        assert found(memory, "schema").level == "ok"


def test_blanks_in_the_schema_are_no_change(home: Path) -> None:
    """A tool that writes it anew may lay it out as it likes."""
    raw = apsw.Connection(str(home / LEDGER))
    sql = raw.execute("SELECT sql FROM sqlite_schema WHERE name = 'events_are_kept'").get
    raw.execute("DROP TRIGGER events_are_kept")
    raw.execute(str(sql).replace("BEGIN", "\n  BEGIN\n  "))
    raw.close()
    with open_home(home) as memory:
        assert found(memory, "schema").level == "ok"
