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
from mnemolog.application.home.home import LEDGER
from mnemolog.ledger.errors import InvalidField
from mnemolog.ledger.ids import Position
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
    (finding,) = (one for one in memory.upkeep.doctor().findings if one.subject == subject)
    return finding


def edited(file: Path, statements: str) -> None:
    """Do to a database what any SQLite tool can."""
    raw = apsw.Connection(str(file))
    raw.execute(statements).fetchall()
    raw.close()


SOUND = "all 3 vectors match their checksums and holders; 3 of 3 texts were embedded again"


def test_every_kept_vector_is_compared_with_its_text(home: Path) -> None:
    """Those of every space, with the place and the category that they were embedded with."""
    with open_home(home) as memory:
        assert found(memory, "vectors") == Finding("ok", "vectors", SOUND)


def test_a_home_without_vectors_has_none_to_compare(home: Path) -> None:
    """They are derived, and may be deleted."""
    (home / "vectors.db").unlink()
    with open_home(home) as memory:
        assert found(memory, "vectors") == Finding("ok", "vectors", "none are kept yet")


_SWAP = """
CREATE TABLE two AS SELECT digest, {column},
    lag({column}) OVER (ORDER BY digest) AS before, lead({column}) OVER (ORDER BY digest) AS behind
FROM (SELECT digest, {column} FROM {table} ORDER BY digest LIMIT 2);
UPDATE {table} SET {column} = coalesce(two.before, two.behind) FROM two
    WHERE {table}.digest = two.digest;
DROP TABLE two;
"""


def exchanged(home: Path, *columns: str) -> None:
    """Exchange two vectors, or a part of them, with each other."""
    for column in columns:
        edited(home / "vectors.db", _SWAP.format(table="vectors", column=column))


@pytest.mark.parametrize("columns", [("row", "crc32"), ("row",), ("crc32",)])
def test_exchanged_vectors_are_found(home: Path, columns: tuple[str, ...]) -> None:
    """The checksum is that of a vector under the digest of its text; both are named."""
    exchanged(home, *columns)
    with open_home(home) as memory:
        finding = found(memory, "vectors")
        assert finding.level == "error"
        assert finding.text.startswith("2 of 3 vectors do not match their checksums (@")
        assert "delete vectors.db and indexes/" in finding.text
    (home / "vectors.db").unlink()
    shutil.rmtree(home / "indexes", ignore_errors=True)
    with open_home(home) as memory:
        for space in ("default", "work"):
            memory.acting(space).recall("anything")
        assert found(memory, "vectors").text == SOUND


def test_every_checksum_is_compared_without_embedding(tmp_path: Path) -> None:
    """Two exchanged vectors of many are found, though no text is embedded again."""
    home = tmp_path / "home"
    with open_home(home) as memory:
        memory.remember_many([f"note {number}" for number in range(600)])
        memory.upkeep.index()
    exchanged(home, "row", "crc32")
    with open_home(home) as memory:
        (finding,) = (
            one for one in memory.upkeep.doctor(sample=0).findings if one.subject == "vectors"
        )
    assert finding.text.startswith("2 of 600 vectors do not match their checksums (@")
    assert "0 of 600 texts were embedded again, drawn at random" in finding.text


def test_an_exchanged_vector_is_not_used(home: Path) -> None:
    """An index that is made anew embeds the text again, and the file is whole then."""
    exchanged(home, "row", "crc32")
    with open_home(home) as memory:
        for space in ("default", "work"):
            memory.acting(space).recall("anything")
        assert found(memory, "vectors").text == SOUND


def test_exchanged_holders_are_found(home: Path) -> None:
    """A redaction would destroy the vector of the other memory, and leave its own."""
    edited(
        home / "vectors.db",
        "UPDATE holders SET digest = other.digest FROM "
        "(SELECT 3 - position AS position, digest FROM holders LIMIT 2) AS other "
        "WHERE holders.position = other.position",
    )
    with open_home(home) as memory:
        finding = found(memory, "vectors")
    assert finding.level == "error"
    assert finding.text.startswith("2 of 3 vectors are held by the wrong memory (@1, @2)")


def test_a_vector_of_another_text_is_found_by_embedding_it_again(home: Path) -> None:
    """One that was written with a checksum that fits is wrong all the same."""
    with open_home(home) as memory:
        store = memory._space.home.parts.store
        holders = store.stored().holders
        wrong = {holders[Position(1)]: BagOfWords().embed(["a whale"])[0].astype(np.float16)}
        store.forget([Position(1)])
        store.put(wrong, [(Position(1), holders[Position(1)])], lambda: {Position(1)})
        finding = found(memory, "vectors")
    assert finding.level == "error"
    assert finding.text.startswith("1 of 3 vectors do not fit their texts, embedded again (@1)")


def test_a_damaged_vector_of_no_memory_is_counted(home: Path) -> None:
    """A row whose digest was changed is nobody's."""
    edited(
        home / "vectors.db",
        "UPDATE vectors SET digest = x'00' WHERE digest = "
        "(SELECT digest FROM holders WHERE position = 1)",
    )
    with open_home(home) as memory:
        finding = found(memory, "vectors")
    assert finding.level == "error"
    assert finding.text.startswith("1 of 2 vectors are damaged, and of no memory that is known")


def test_vectors_of_the_version_before_are_made_anew(home: Path) -> None:
    """Their checksums do not cover the digests; the texts are embedded again, and that is told."""
    edited(home / "vectors.db", "PRAGMA user_version = 1")
    with open_home(home) as memory:
        for space in ("default", "work"):
            memory.acting(space).recall("anything")
        assert found(memory, "vectors").text == SOUND
        assert any("vectors.db is begun anew" in notice for notice in memory.notices)


class Counting(BagOfWords):
    """Keeps what it was given to embed."""

    def __init__(self) -> None:
        self.embedded: list[str] = []

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """One unit vector a text."""
        self.embedded.extend(texts)
        return super().embed(texts)


@pytest.mark.parametrize(("sample", "compared"), [(5, 5), (None, 20), (0, 0)])
def test_a_sample_of_many_says_its_size(tmp_path: Path, sample: int | None, compared: int) -> None:
    """A large home is embedded as a whole only where all is asked for, and the finding says so."""
    with open_home(tmp_path / "home") as memory:
        memory.remember_many([f"note {number}" for number in range(20)])
        memory.upkeep.index()
    embedder = Counting()
    with Memory.open(tmp_path / "home", embedder=embedder) as memory:
        findings = memory.upkeep.doctor(sample=sample).findings
    (finding,) = (one for one in findings if one.subject == "vectors")
    assert f"; {compared} of 20 texts were embedded again" in finding.text
    assert ("`doctor --all`" in finding.text) == (compared < 20)
    assert len(embedder.embedded) == compared


def test_a_sample_of_less_than_nothing_is_refused(home: Path) -> None:
    """The error names the argument."""
    with open_home(home) as memory, pytest.raises(InvalidField, match="sample"):
        memory.upkeep.doctor(sample=-1)


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
        assert memory.log.verify()
        memory.log.export_events(tmp_path / "events.jsonl")
        head = memory.log.checkpoint().digest
    with open_home(tmp_path / "new") as memory:
        memory.log.import_events(tmp_path / "events.jsonl")
        assert memory.log.checkpoint().digest == head
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
