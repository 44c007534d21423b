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
from functools import partial
from pathlib import Path

import apsw

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
from benchmarks.talk import Language
from mnemolog import Memory, NewMemory
from mnemolog.ledger.events import Draft, MemoryContent, Remembered, Row
from mnemolog.ledger.ids import MemoryId, Position, new_event_ids
from mnemolog.ledger.sqlite.connections import connect
from mnemolog.ledger.sqlite.sqlite_log import SqliteLog
from mnemolog.ledger.sqlite.tables import COLUMNS
from mnemolog.ledger.vocabulary import encode_payload

LIMITS = (
    "other disks, whose flush decides how fast a single append is; many processes at once; "
    "what the views and indexes cost, which fold after the append and not within it (but for the "
    "line on remember_many). On a loaded machine one thread waits "
    "relatively longer than sixteen, so that their ratio comes out too high."
)
SINGLES = 20
THREADS = 16
THREAD_EVENTS = 100
BATCH = 1_000
_BATCHES = 3
_ROUNDS = 20
_AUTOCHECKPOINT_PAGES = 4_000

_INSERT = f"INSERT INTO events ({COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"


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
            structure=encode_payload(Remembered(source="user:dana")),
            content=encode_payload(MemoryContent(text)),
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

    def singles(self) -> list[Spell]:
        """Each row in a transaction of its own."""
        rows = self._rows(SINGLES)
        return [spell(partial(self._connection.execute, _INSERT, row)) for row in rows]

    def batches(self) -> list[Spell]:
        """A thousand rows in a transaction."""
        return [spell(partial(self._insert, self._rows(BATCH))) for _ in range(_BATCHES)]

    def _insert(self, rows: Sequence[Row]) -> None:
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.executemany(_INSERT, rows)
        self._connection.execute("COMMIT")

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


class Appending:
    """One log, appended to in different ways."""

    def __init__(self, log: SqliteLog, source: Source) -> None:
        self._log = log
        self._source = source

    def singles(self) -> list[Spell]:
        """One event a call, one thread."""
        return [spell(partial(self._log.append, [event])) for event in self._source.drafts(SINGLES)]

    def one_thread(self) -> list[Spell]:
        """As many events as a thread of the sixteen appends, by one alone."""
        events = self._source.drafts(THREAD_EVENTS)
        return [spell(partial(self._append_each, events))]

    def threads(self) -> list[Spell]:
        """One event a call, 16 threads at once."""
        # Dealt out in turn: an id begins with the time at which its event was drafted, and
        # threads that draft as they append draft at the same time.
        drafted = self._source.drafts(THREADS * THREAD_EVENTS)
        parts = [drafted[thread::THREADS] for thread in range(THREADS)]
        gate = threading.Barrier(THREADS + 1)

        def append(events: Sequence[Draft]) -> None:
            gate.wait()
            self._append_each(events)

        workers = [threading.Thread(target=append, args=(part,)) for part in parts]
        for worker in workers:
            worker.start()

        def released() -> None:
            gate.wait()
            for worker in workers:
                worker.join()

        return [spell(released)]

    def _append_each(self, events: Sequence[Draft]) -> None:
        for event in events:
            self._log.append([event])

    def batches(self) -> list[Spell]:
        """A thousand events a call, drafts built beforehand."""
        return [
            spell(partial(self._log.append, self._source.drafts(BATCH))) for _ in range(_BATCHES)
        ]

    def encoded_batches(self) -> list[Spell]:
        """A thousand events a call, their building and encoding included."""
        return [
            spell(partial(self._append_texts, self._source.texts(BATCH))) for _ in range(_BATCHES)
        ]

    def _append_texts(self, texts: Sequence[str]) -> None:
        self._log.append(drafts(texts))


def remembering(memory: Memory, source: Source) -> Callable[[], list[Spell]]:
    """A thousand memories through the library's face, checks and views included."""

    def one_round() -> list[Spell]:
        items = [NewMemory(text, source="user:dana") for text in source.texts(BATCH)]
        # The search for contradictions is no part of appending.
        return [spell(lambda: memory.remember_many(items, contradictions="off"))]

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
                    "one thread": appending.one_thread,
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


def _figures(found: dict[str, list[Spell]], *, chained: bool) -> Iterator[Figure]:
    single = ratio(found["apsw single"], found["single"])
    yield Figure(
        "durable single append",
        rate(1, found["single"]),
        f"{single:.2f} of apsw's {rate(1, found['apsw single'])}",
        ">= 0.8 of apsw",
        single >= 0.8,  # noqa: PLR2004
    )
    threads = THREADS * ratio(found["one thread"], found["threads"])
    yield Figure(
        f"{THREADS} threads, one event a call",
        rate(THREADS * THREAD_EVENTS, found["threads"]),
        f"{threads:.1f} times one thread",
        ">= 3 times one thread",
        threads >= 3,  # noqa: PLR2004
    )
    batch = ratio(found["apsw batches"], found["batches"])
    yield Figure(
        "batches of 1,000, drafts built before",
        rate(BATCH, found["batches"]),
        f"{batch:.2f} of apsw's {rate(BATCH, found['apsw batches'])}, without digests",
        ">= 120,000 a second",
        chained and BATCH / wall_s(found["batches"]) >= 120_000,  # noqa: PLR2004
    )
    yield Figure("batches of 1,000, encoding included", rate(BATCH, found["encoded"]))
    yield Figure(
        "remember_many, views included",
        rate(BATCH, found["remember_many"]),
        "through the library's face",
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
        profiler = cProfile.Profile(time.process_time)
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
