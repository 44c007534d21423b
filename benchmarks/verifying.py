"""How fast a log of a million events is verified, and folded into views.

    python -m benchmarks.verifying [--work DIR] [--json] [--events N] [--profile]

Beside verifying stand its two halves in one process: reading the rows without
looking at them, and hashing rows that are in memory. Beside folding stands apsw
inserting the finished rows of the same tables.
"""

from __future__ import annotations

import cProfile
import io
import pstats
import shutil
import time
from hashlib import sha256
from pathlib import Path

import apsw

from benchmarks.appending import BATCH, Source
from benchmarks.report import (
    Figure,
    Report,
    Spell,
    arguments,
    conditions,
    interleaved,
    rate,
    ratio,
    show,
    spell,
    wall_s,
    workplace,
)
from mnemolog import Durability
from mnemolog.ledger.ids import Position
from mnemolog.ledger.sqlite.connections import connect
from mnemolog.ledger.sqlite.sqlite_log import SqliteLog
from mnemolog.ledger.sqlite.verification import check_range, verify
from mnemolog.projections.sql import Projection
from mnemolog.projections.views import Views, all_projections

LIMITS = (
    "a log that does not fit in memory, where the disk decides; machines with more cores, over "
    "which verifying is spread; corrections, which fold one by one where memories fold in bulk: "
    "here every event is a memory."
)
_ROUNDS = 3
HASHED = 100_000
FIRST = Position(1)
_COMMIT_ROWS = 5_000


def built(work: Path, events: int) -> Path:
    """A directory with a log of so many events, kept for the next run."""
    place = work / f"verifying-{events}"
    if (place / "complete").exists():
        return place
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    source = Source()
    log = SqliteLog(place / "ledger.db", durability=Durability.MAY_LOSE_LAST_MOMENTS)
    for _ in range(0, events, BATCH):
        log.append(source.drafts(BATCH))
    log.close()
    (place / "complete").touch()
    return place


class Verifying:
    """One log, verified whole, and the parts of that."""

    def __init__(self, log: SqliteLog, events: int) -> None:
        self._log = log
        self._last = Position(events)
        self._rows = [row for rows in log.hashed_between(FIRST, Position(HASHED)) for row in rows]

    def whole(self) -> list[Spell]:
        """`verify`, with a process a core."""
        return [spell(lambda: verify(self._log))]

    def one_core(self) -> list[Spell]:
        """The same checks in this process alone."""
        return [spell(lambda: check_range(self._log, FIRST, self._last))]

    def reading(self) -> list[Spell]:
        """The rows read and let go."""
        return [spell(lambda: sum(map(len, self._log.hashed_between(FIRST, self._last))))]

    def hashing(self) -> list[Spell]:
        """The two hashes of rows in memory, by hashlib and nothing else."""
        parts = [(row[2], row[3] or b"") for row in self._rows]

        def hash_all() -> None:
            digest = bytes(32)
            for leaf, salted in parts:
                digest = sha256(b"\x02" + digest + leaf).digest()
                sha256(salted).digest()

        return [spell(hash_all)]


class PlainInserts:
    """apsw inserting the finished rows of the views' tables into a file of its own."""

    def __init__(self, place: Path, projections: tuple[Projection, ...]) -> None:
        self._path = place / "inserts.db"
        self._projections = projections
        (views,) = place.glob("views-*.db")
        source = apsw.Connection(str(views), flags=apsw.SQLITE_OPEN_READONLY)
        self._rows = {
            table: source.execute(f"SELECT * FROM {table}").fetchall()
            for projection in projections
            for table in projection.tables
        }
        source.close()

    def one_round(self) -> list[Spell]:
        """All rows into an empty file."""
        self._remove()
        connection = connect(self._path, synchronous="OFF")
        for projection in self._projections:
            connection.execute(projection.schema).fetchall()
        taken = spell(lambda: self._insert_into(connection))
        connection.close()
        self._remove()
        return [taken]

    def _insert_into(self, connection: apsw.Connection) -> None:
        for table, rows in self._rows.items():
            for first in range(0, len(rows), _COMMIT_ROWS):
                marks = ",".join("?" * len(rows[0]))
                connection.execute("BEGIN IMMEDIATE")
                connection.executemany(
                    f"INSERT INTO {table} VALUES ({marks})", rows[first : first + _COMMIT_ROWS]
                )
                connection.execute("COMMIT")

    def _remove(self) -> None:
        for path in self._path.parent.glob(self._path.name + "*"):
            path.unlink()


def measure(work: Path, events: int) -> Report:
    """All figures."""
    place = built(work, events)
    log = SqliteLog(place / "ledger.db")
    projections = all_projections(log.secret)
    views = Views(place, log, projections, print)
    verifying = Verifying(log, events)
    try:
        verified = interleaved(
            _ROUNDS,
            {
                "verify": verifying.whole,
                "one core": verifying.one_core,
                "reading": verifying.reading,
                "hashing": verifying.hashing,
            },
        )
        views.rebuild()
        folded = interleaved(
            _ROUNDS - 1,
            {
                "fold": lambda: [spell(views.rebuild)],
                "inserts": PlainInserts(place, projections).one_round,
            },
        )
    finally:
        views.close()
        log.close()
    figures = _figures(verified | folded, events)
    return Report(f"Verifying and folding {events:,} events", LIMITS, conditions(work), figures)


def _figures(found: dict[str, list[Spell]], events: int) -> list[Figure]:
    whole, fold = found["verify"], found["fold"]
    return [
        Figure(
            "verify, all cores",
            rate(events, whole),
            f"{ratio(found['one core'], whole):.2f} times one process",
            ">= 600,000 a second",
            events / wall_s(whole) >= 600_000,  # noqa: PLR2004
        ),
        Figure(
            "the same checks in one process",
            rate(events, found["one core"]),
            f"reading alone {rate(events, found['reading'])}, "
            f"hashlib alone {rate(min(HASHED, events), found['hashing'])}",
        ),
        Figure(
            "folding into views (rebuild)",
            rate(events, fold),
            f"{ratio(found['inserts'], fold):.2f} of apsw inserting the finished rows, "
            f"{rate(events, found['inserts'])}",
            ">= 100,000 a second",
            events / wall_s(fold) >= 100_000,  # noqa: PLR2004
        ),
    ]


def profile(work: Path, events: int) -> str:
    """Where the time of one process verifying, and of folding, goes, by cProfile."""
    place = built(work, events)
    log = SqliteLog(place / "ledger.db")
    views = Views(place, log, all_projections(log.secret), print)
    output = io.StringIO()
    for name, call in (
        ("verifying", Verifying(log, events).one_core),
        ("folding", views.rebuild),
    ):
        profiler = cProfile.Profile(time.process_time)
        profiler.runcall(call)
        print(name, file=output)
        pstats.Stats(profiler, stream=output).sort_stats("tottime").print_stats(20)
    views.close()
    log.close()
    return output.getvalue()


def main() -> None:
    """Measure and print the report."""
    parser = arguments("Measure verifying and folding a long log.")
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--profile", action="store_true", help="print where the time goes instead")
    given = parser.parse_args()
    with workplace(given.work) as work:
        if given.profile:
            print(profile(work, given.events))
        else:
            show(measure(work, given.events), as_json=given.json)


if __name__ == "__main__":
    main()
