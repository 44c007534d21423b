"""How fast events become durable, beside apsw inserting the same rows.

    python -m benchmarks.appending [--work DIR] [--json] [--profile]

Drafts are built before the clock starts; everything from `SqliteLog.append` on
counts: checks, salts, hashes, the chain, the rows and the flush to disk. The
yardstick gets finished rows and inserts them into the same tables with the same
indexes and triggers, in the same mode.
"""

from __future__ import annotations

import cProfile
import io
import itertools
import os
import pstats
import secrets
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median

import apsw
import msgspec

from benchmarks.report import (
    Figure,
    Report,
    arguments,
    conditions,
    interleaved,
    median_ratio,
    show,
    workplace,
)
from benchmarks.talk import Language
from ledger.connections import connect
from ledger.events import Draft, MemoryContent, Remembered
from ledger.ids import MemoryId, Position, new_event_ids
from ledger.rows import Row
from ledger.sqlite_log import COLUMNS, SqliteLog
from mnemolog import Memory, NewMemory

LIMITS = (
    "other disks, whose flush decides how fast a single append is; many processes at once; "
    "what the views and indexes cost, which fold after the append and not within it (but for the "
    "line on remember_many). The ratios say more than the rates: both sides share the noise."
)
SINGLES = 100
THREADS = 16
BATCH = 1_000
_BATCHES = 10
_ROUNDS = 9
_AUTOCHECKPOINT_PAGES = 4_000

_INSERT = f"INSERT INTO events ({COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
_encode = msgspec.json.Encoder().encode


class Source:
    """Drafts as remembering makes them, each with a fresh id, over texts of made-up talk."""

    def __init__(self) -> None:
        language = Language()
        self._texts = itertools.cycle(
            [said.text for number in range(50) for said in language.talk(number)]
        )

    def texts(self, count: int) -> list[str]:
        """The next texts."""
        return list(itertools.islice(self._texts, count))

    def drafts(self, count: int) -> list[Draft]:
        """The next drafts."""
        return drafts(self.texts(count))

    def rows(self, count: int, first: int) -> list[Row]:
        """Finished rows of the next drafts, from a position on."""
        now = time.time_ns() // 1000
        return [
            (
                position,
                bytes.fromhex(draft.event_id),
                draft.space,
                draft.kind,
                draft.version,
                now,
                draft.actor,
                bytes.fromhex(draft.event_id),
                draft.correlation_id,
                None,
                draft.structure.decode(),
                None if draft.content is None else draft.content.decode(),
                os.urandom(16),
                os.urandom(32),
                os.urandom(32),
            )
            for position, draft in enumerate(self.drafts(count), first)
        ]


def drafts(texts: Sequence[str]) -> list[Draft]:
    """Texts as the drafts of remembering them: ids given, both payloads encoded."""
    run = secrets.token_hex(8)
    return [
        Draft(
            event_id=event_id,
            space="talk",
            kind="remembered",
            actor="user:dana",
            structure=_encode(Remembered(source="user:dana")),
            content=_encode(MemoryContent(text)),
            memory_id=MemoryId(event_id),
            correlation_id=run,
        )
        for event_id, text in zip(
            new_event_ids(len(texts), time.time_ns() // 1000), texts, strict=True
        )
    ]


class Yardstick:
    """The log's own file and mode, filled by apsw with finished rows."""

    def __init__(self, path: Path, source: Source) -> None:
        SqliteLog(path).close()
        self._connection: apsw.Connection = connect(path, synchronous="FULL")
        self._connection.wal_autocheckpoint(_AUTOCHECKPOINT_PAGES)
        self._source = source
        self._next = 1

    def _rows(self, count: int) -> list[Row]:
        rows = self._source.rows(count, self._next)
        self._next += count
        return rows

    def singles(self) -> float:
        """Rows a second, each in a transaction of its own."""
        rows = self._rows(SINGLES)
        start = time.perf_counter()
        for row in rows:
            self._connection.execute(_INSERT, row)
        return SINGLES / (time.perf_counter() - start)

    def batches(self) -> float:
        """Rows a second, a thousand in a transaction."""
        batches = [self._rows(BATCH) for _ in range(_BATCHES)]
        start = time.perf_counter()
        for rows in batches:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(_INSERT, rows)
            self._connection.execute("COMMIT")
        return BATCH * _BATCHES / (time.perf_counter() - start)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


class Appending:
    """One log, appended to in different ways; each gives events a second."""

    def __init__(self, log: SqliteLog, source: Source) -> None:
        self._log = log
        self._source = source

    def singles(self) -> float:
        """One event a call, one thread."""
        events = self._source.drafts(SINGLES)
        start = time.perf_counter()
        for event in events:
            self._log.append([event])
        return SINGLES / (time.perf_counter() - start)

    def threads(self) -> float:
        """One event a call, 16 threads at once."""
        parts = [self._source.drafts(SINGLES) for _ in range(THREADS)]
        gate = threading.Barrier(THREADS + 1)

        def append_each(events: Sequence[Draft]) -> None:
            gate.wait()
            for event in events:
                self._log.append([event])

        workers = [threading.Thread(target=append_each, args=(part,)) for part in parts]
        for worker in workers:
            worker.start()
        gate.wait()
        start = time.perf_counter()
        for worker in workers:
            worker.join()
        return THREADS * SINGLES / (time.perf_counter() - start)

    def batches(self) -> float:
        """A thousand events a call, drafts built beforehand."""
        batches = [self._source.drafts(BATCH) for _ in range(_BATCHES)]
        start = time.perf_counter()
        for events in batches:
            self._log.append(events)
        return BATCH * _BATCHES / (time.perf_counter() - start)

    def encoded_batches(self) -> float:
        """A thousand events a call, their building and encoding included."""
        batches = [self._source.texts(BATCH) for _ in range(_BATCHES)]
        start = time.perf_counter()
        for texts in batches:
            self._log.append(drafts(texts))
        return BATCH * _BATCHES / (time.perf_counter() - start)


def remembering(memory: Memory, source: Source) -> Callable[[], float]:
    """Memories a second through the library's face, checks and views included."""

    def one_round() -> float:
        items = [NewMemory(text, source="user:dana") for text in source.texts(BATCH * 3)]
        start = time.perf_counter()
        memory.remember_many(items)
        return len(items) / (time.perf_counter() - start)

    return one_round


def measure(work: Path) -> Report:
    """All figures, on files of their own that are removed afterwards."""
    place = work / f"appending-{secrets.token_hex(4)}"
    place.mkdir()
    source = Source()
    log = SqliteLog(place / "ledger.db")
    yardstick = Yardstick(place / "yardstick.db", source)
    appending = Appending(log, source)
    try:
        with Memory.open(place / "home", space="talk", actor="user:dana") as memory:
            found = interleaved(
                _ROUNDS,
                {
                    "single": appending.singles,
                    "apsw single": yardstick.singles,
                    "threads": appending.threads,
                    "batches": appending.batches,
                    "apsw batches": yardstick.batches,
                    "encoded": appending.encoded_batches,
                    "remember_many": remembering(memory, source),
                },
            )
        chained = _is_chained(log)
    finally:
        yardstick.close()
        log.close()
        shutil.rmtree(place, ignore_errors=True)
    return Report("Appending", LIMITS, conditions(work), list(_figures(found, chained=chained)))


def _figures(found: dict[str, list[float]], *, chained: bool) -> Iterator[Figure]:
    def rate(name: str) -> str:
        return f"{median(found[name]):,.0f} a second"

    single = median_ratio(found["single"], found["apsw single"])
    threads = median_ratio(found["threads"], found["single"])
    batch = median_ratio(found["batches"], found["apsw batches"])
    yield Figure(
        "durable single append",
        rate("single"),
        f"{single:.2f} of apsw's {rate('apsw single')}",
        ">= 0.8 of apsw",
        single >= 0.8,  # noqa: PLR2004
    )
    yield Figure(
        f"{THREADS} threads, one event a call",
        rate("threads"),
        f"{threads:.1f} times one thread",
        ">= 3 times one thread",
        threads >= 3,  # noqa: PLR2004
    )
    yield Figure(
        "batches of 1,000, drafts built before",
        rate("batches"),
        f"{batch:.2f} of apsw's {rate('apsw batches')}, which computes no digests",
        ">= 120,000 a second",
        median(found["batches"]) >= 120_000 and chained,  # noqa: PLR2004
    )
    yield Figure("batches of 1,000, encoding included", rate("encoded"))
    yield Figure(
        "remember_many, views included", rate("remember_many"), "through the library's face"
    )


def _is_chained(log: SqliteLog) -> bool:
    """Whether digests were on: the last event's is there and is no run of zeros."""
    head = log.head()
    (last,) = log.read(Position(head.position - 1), 1)
    return len(last.digest) == 32 and any(last.digest)  # noqa: PLR2004


def profile(work: Path) -> str:
    """Where the time of batches and of single appends goes, by cProfile."""
    source = Source()
    place = work / f"appending-{secrets.token_hex(4)}"
    place.mkdir()
    log = SqliteLog(place / "ledger.db")
    output = io.StringIO()
    for ways in (Appending(log, source).batches, Appending(log, source).singles):
        profiler = cProfile.Profile()
        profiler.runcall(ways)
        print(ways.__name__, file=output)
        pstats.Stats(profiler, stream=output).sort_stats("tottime").print_stats(20)
    log.close()
    shutil.rmtree(place)
    return output.getvalue()


def main() -> None:
    """Measure and print the report."""
    parser = arguments("Measure appending to the log.")
    parser.add_argument("--profile", action="store_true", help="print where the time goes instead")
    given = parser.parse_args()
    with workplace(given.work) as work:
        if given.profile:
            print(profile(work))
        else:
            show(measure(work), as_json=given.json)


if __name__ == "__main__":
    main()
