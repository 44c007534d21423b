"""Diagnosis of a home: a check of its log, files, views, indexes and vectors."""

import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Literal, NamedTuple

import apsw
import numpy as np

from mnemolog.application.home.home import Home
from mnemolog.application.home.space import Space
from mnemolog.indexes.embedder import enriched
from mnemolog.indexes.vector_store import digest_of
from mnemolog.ledger.digests import check_content
from mnemolog.ledger.errors import InvalidField, LedgerError
from mnemolog.ledger.events import MemoryContent, Remembered
from mnemolog.ledger.ids_and_times import Position
from mnemolog.ledger.log import LogRange, events_in
from mnemolog.ledger.scratch import temporary_directory
from mnemolog.ledger.sqlite.verification import verify
from mnemolog.ledger.vocabulary import VOCABULARY, Decoded
from mnemolog.projections.folding import Progress
from mnemolog.projections.views import Views, all_projections
from mnemolog.results import Results, Value

SAMPLE = 500
"""Texts embedded again unless all are asked for: seconds, where a large home takes minutes."""
_CHUNK = 50
_SAME = 0.98
"""Cosine of two vectors of one text at least: float16 and other machines cost less than that."""
_AHEAD_US = 1_000_000
_NAMED = 5

Level = Literal["ok", "warning", "error"]
_Told = tuple[Level, str]


class Finding(Value, frozen=True):
    """Result of the check of one part."""

    level: Level
    subject: str
    text: str


class Diagnosis(Results[Finding], frozen=True):
    """Findings of all checks, in order."""

    _over = "findings"

    findings: tuple[Finding, ...]


def diagnose(
    space: Space, progress: Progress | None = None, *, sample: int | None = SAMPLE
) -> Diagnosis:
    """Check the log, its file and clock, the views against a rebuild, the indexes and vectors.

    The vector check embeds the texts of `sample` memories again, or of all with None. Raises
    `InvalidField` for a negative sample.
    """
    home = space.home
    if sample is not None and sample < 0:
        raise InvalidField("sample", f"is {sample}", "use 0 or more, or None for all")
    checks: dict[str, Callable[[], _Told]] = {
        "log": lambda: _check_log(home, progress),
        "ledger.db": lambda: _check_file(home),
        "schema": lambda: _check_schema(home),
        "history": lambda: _check_losses(home),
        "clock": lambda: _check_clock(home),
        "erasures": lambda: _check_erasures(home),
        "views": lambda: _check_views(home, progress),
        "indexes": lambda: _check_bases(home),
        "vectors": lambda: _check_vectors(home, progress, sample),
    }
    findings = []
    for subject, check in checks.items():
        try:
            level, text = check()
        except LedgerError as error:
            level, text = "error", str(error)
        findings.append(Finding(level, subject, text))
    findings += [Finding("warning", "notice", notice) for notice in home.notices]
    return Diagnosis(tuple(findings))


def _check_log(home: Home, progress: Progress | None) -> _Told:
    verified = verify(home.log, progress=progress)
    return "ok", f"{verified.events:,} events verify, {verified.erased:,} of them redacted"


def _check_file(home: Home) -> _Told:
    problems = home.log.integrity()
    return ("error", "; ".join(problems)) if problems else ("ok", "SQLite finds nothing wrong")


def _check_schema(home: Home) -> _Told:
    differences = home.log.schema_differences()
    if not differences:
        return "ok", "tables, indexes and triggers of the log are as created"
    return "error", (
        f"another program changed the log's file: {', '.join(differences)}; its events are "
        "checked above; `export` them and `import` them into a new home, whose log has all of it"
    )


def _check_losses(home: Home) -> _Told:
    home.views.check_losses()
    return "ok", "the log holds what it ever held, as far as is known"


def _check_clock(home: Home) -> _Told:
    ahead = home.log.head().recorded_at - home.clock.now()
    if ahead <= _AHEAD_US:
        return "ok", "the log's head is not in the future"
    return "warning", (
        f"the log's head is dated {ahead / 1e6:,.0f} s in the future; new events carry its "
        "time until this machine's clock has caught up"
    )


def _check_erasures(home: Home) -> _Told:
    pending = home.log.pending_erasures()
    if not pending:
        return "ok", "no redaction is unfinished"
    where = "; ".join(home.unerased) or "the next opening goes on with it"
    return "error", f"{len(pending)} redacted events are not gone from: {where}"


def _check_views(home: Home, progress: Progress | None) -> _Told:
    position = home.head()
    checked = home.views.read(lambda db: db.execute("PRAGMA integrity_check(5)").fetchall())
    broken = "; ".join(str(row[0]) for row in checked if row[0] != "ok")
    if broken:
        return "error", f"their file is damaged ({broken}); `rebuild` mends it"
    projections = all_projections(home.log.secret)
    # Outside the home, because its disk may be full; views hold no content.
    with temporary_directory("mnemolog-doctor-") as scratch:
        fresh = Views(scratch, home.log, projections, home.notify)
        try:
            fresh.rebuild(progress)
            fresh.catch_up(position)
            differing = [
                table
                for table in (one for projection in projections for one in projection.tables)
                if home.views.read(rows := partial(table_rows, table=table)) != fresh.read(rows)
            ]
        finally:
            fresh.close()
    if differing and home.log.head().position == position:
        return "error", f"{', '.join(differing)} differ from the log; `rebuild` mends them"
    return "ok", "every table equals one folded from the log just now"


def table_rows(db: apsw.Connection, table: str) -> list[tuple[object, ...]]:
    """All rows of a table, sorted by all columns."""
    columns = db.execute(f"SELECT count(*) FROM pragma_table_info('{table}')").get
    order = ", ".join(str(number + 1) for number in range(columns))
    return list(db.execute(f"SELECT * FROM {table} ORDER BY {order}").fetchall())


def _check_bases(home: Home) -> _Told:
    notices: list[str] = []
    spaces = sorted(home.views.manifest.read().bases)
    for space in spaces:
        entry = home.parts.bases.entry(space)
        if entry is not None:
            home.parts.bases.load(space, entry, notices.append)
    if notices:
        return "warning", "; ".join(notices)
    return "ok", f"the bases of {len(spaces)} spaces are as they were written"


class _KeptVectors(NamedTuple):
    """Memory of any space, its embedded text, and the digest of that text."""

    position: Position
    text: str
    digest: bytes


def _check_vectors(home: Home, progress: Progress | None, most: int | None) -> _Told:
    """Verify all checksums and holders, and embed the texts of a random sample again.

    A checksum binds a vector to the digest of its text; only a new embedding detects a vector that
    was computed wrongly.
    """
    # Read vectors before the log, so that vectors stored from now on are not checked.
    stored = home.parts.store.stored()
    kept = [one for one in _remembered(home) if one.digest in stored.digests]
    sound = [one for one in kept if one.digest not in stored.damaged]
    # A new random sample, so that each run checks other memories.
    sample = sorted(random.sample(sound, len(sound) if most is None else min(most, len(sound))))
    owned = {one.digest for one in kept}
    damaged = [one.position for one in kept if one.digest in stored.damaged]
    unowned = len(stored.damaged - owned)
    # A redaction would destroy the wrong vector. A digest of no memory belongs to another model.
    held = [(one, stored.holders.get(one.position, one.digest)) for one in kept]
    mixed = [one.position for one, by in held if by != one.digest and by in owned]
    foreign = [*_foreign(home, sample, progress)]
    problems = [
        f"{count:,} of {len(kept):,} vectors {what}{_named(positions)}"
        for count, what, positions in (
            (len(damaged), "do not match their checksums", damaged),
            (unowned, "are damaged, and of no memory that is known", ()),
            (len(mixed), "are held by the wrong memory", mixed),
            (len(foreign), "do not fit their texts, embedded again", foreign),
        )
        if count
    ]
    rest = ", drawn at random (`doctor --all` does all)" if len(sample) < len(sound) else ""
    embedded = f"{len(sample):,} of {len(kept):,} texts were embedded again{rest}"
    if problems:
        mend = "delete vectors.db and indexes/ in the home: both are made anew"
        return "error", "; ".join((*problems, embedded, mend))
    if not kept:
        return "ok", "none are kept yet"
    return "ok", f"all {len(kept):,} vectors match their checksums and holders; {embedded}"


def _foreign(
    home: Home, sample: Sequence[_KeptVectors], progress: Progress | None
) -> Iterator[Position]:
    for start in range(0, len(sample), _CHUNK):
        part = sample[start : start + _CHUNK]
        stored = home.parts.store.get([one.digest for one in part])
        made = home.embedder.embed([one.text for one in part])
        for one, vector in zip(part, made, strict=True):
            kept = stored.get(one.digest)
            if kept is not None and not _is_same(kept.astype(np.float32), vector):
                yield one.position
        if progress is not None:
            progress("embedding", start + len(part), len(sample))


def _is_same(stored: np.ndarray, made: np.ndarray) -> bool:
    if stored.shape != made.shape:
        return False
    lengths = float(np.linalg.norm(stored) * np.linalg.norm(made))
    return lengths > 0 and float(np.dot(stored, made)) >= _SAME * lengths


def _remembered(home: Home) -> Iterator[_KeptVectors]:
    for event in events_in(home.log, LogRange(Position(0), kinds=("remembered",))):
        check_content(event)
        decoded = VOCABULARY.decode(event)
        if not isinstance(decoded, Decoded):
            continue
        structure, content = decoded.structure, decoded.content
        if isinstance(structure, Remembered) and isinstance(content, MemoryContent):
            text = enriched(content.text, structure.place, structure.category)
            digest = digest_of(home.parts.secret, home.embedder.name, text)
            yield _KeptVectors(event.position, text, digest)


def _named(positions: Sequence[int]) -> str:
    if not positions:
        return ""
    more = ", …" if len(positions) > _NAMED else ""
    return f" ({', '.join(f'@{position}' for position in positions[:_NAMED])}{more})"
