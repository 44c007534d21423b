"""Integrity of a home: diagnosis, verification of the log, and rebuild of what is derived."""

import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import sqrt
from typing import Literal, NamedTuple

import apsw

from mnemolog.application.home.home import Home
from mnemolog.application.home.space import Space
from mnemolog.application.questions.browse import read_settings
from mnemolog.indexes.embedder import release_memory
from mnemolog.ledger.errors import InvalidField, LedgerError
from mnemolog.ledger.ids import Position
from mnemolog.ledger.log import LogRange, events_in
from mnemolog.ledger.scratch import temporary_directory
from mnemolog.ledger.sqlite.verification import Checkpoint, Verified, checkpoint_of, verify
from mnemolog.projections.folding import Progress
from mnemolog.projections.memory_queries import spaces_as_of
from mnemolog.projections.views import Views, all_projections
from mnemolog.results import Results, Value

SAMPLE = 500  # texts embedded again by default: seconds, where all of a large home take minutes
_SAME = 0.98  # minimum cosine of two vectors of one text: float16 and other machines cost less
_CHUNK, _NAMED, _AHEAD_US = 50, 5, 1_000_000

Level = Literal["ok", "warning", "error"]
_Finding = tuple[Level, str]


class Rebuilt(Value, frozen=True):
    """Result of a rebuild: the position reached, and the numbers of memories and spaces."""

    position: Position
    memories: int
    spaces: int


def checkpoint(space: Space) -> Checkpoint:
    """Checkpoint of the present head, to be kept elsewhere as evidence."""
    return checkpoint_of(space.home.log)


def verify_log(
    space: Space, checkpoint: Checkpoint | None = None, progress: Progress | None = None
) -> Verified:
    """Verify every hash of the log, and compare the log with a checkpoint.

    Raises `CorruptLog` with the last good position, `LogShortened` if the log once held more or
    other events, `LogReplaced` if it belongs to another home, or `CheckpointMismatch`.
    """
    space.home.views.check_losses()
    return verify(space.home.log, checkpoint, progress)


def accept_loss(space: Space) -> None:
    """Accept the loss of events: delete the evidence that the log was once longer."""
    space.home.views.accept_losses()


def rebuild(space: Space, progress: Progress | None = None) -> Rebuilt:
    """Build views and indexes from the log alone, and switch to them. Raises `StorageFailed`."""
    home = space.home
    head = home.views.rebuild(progress).position
    spaces = home.views.read(lambda db: spaces_as_of(db, head))
    memories = 0
    for name in dict.fromkeys((space.name, *spaces)):
        index = home.index(name)
        if name == space.name or home.parts.bases.entry(name) is not None:
            path = read_settings(Space(home, name)).vector_search
            memories += len(index.keep(head, progress, anew=True, path=path).columns)
        else:
            # The index of a small space gets files only if it had some.
            index.forget()
            memories += len(index.keep(head, progress).columns)
    return Rebuilt(head, memories, len(spaces))


def index(space: Space, progress: Progress | None = None) -> int:
    """Embed and index new memories before the next question; return the number indexed in all.

    Raises `StorageFailed` if the index cannot be written: this process then answers from
    memory, and other processes must index again.
    """
    head = space.home.head()
    space.home.views.check_kept()
    path = read_settings(space).vector_search
    memories = len(space.home.index(space.name).keep(head, progress, path=path).columns)
    release_memory()
    return memories


def catch_up(space: Space, progress: Progress | None = None) -> int:
    """Index memories as the next question would, at least in memory; return the number in all."""
    return len(space.home.index(space.name).at(space.home.head(), progress).columns)


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

    `sample` texts are embedded again, or all with None. Raises `InvalidField` if it is negative.
    """
    home = space.home
    if sample is not None and sample < 0:
        raise InvalidField("sample", f"is {sample}", "use 0 or more, or None for all")
    checks: dict[str, Callable[[], _Finding]] = {
        "log": lambda: _check_log(home, progress),
        "ledger.db": lambda: _found(home.log.integrity(), "SQLite finds nothing wrong"),
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


def _found(problems: Sequence[str], fine: str, level: Level = "error") -> _Finding:
    return (level, "; ".join(problems)) if problems else ("ok", fine)


def _check_log(home: Home, progress: Progress | None) -> _Finding:
    verified = verify(home.log, progress=progress)
    return "ok", f"{verified.events:,} events verify, {verified.erased:,} of them redacted"


def _check_schema(home: Home) -> _Finding:
    differences = home.log.schema_differences()
    if not differences:
        return "ok", "tables, indexes and triggers of the log are as created"
    return "error", (
        f"another program changed the log's file: {', '.join(differences)}; its events are "
        "checked above; `export` them and `import` them into a new home, whose log has all of it"
    )


def _check_losses(home: Home) -> _Finding:
    home.views.check_losses()
    return "ok", "the log holds what it ever held, as far as is known"


def _check_clock(home: Home) -> _Finding:
    ahead = home.log.head().recorded_at - home.clock.now()
    if ahead <= _AHEAD_US:
        return "ok", "the log's head is not in the future"
    return "warning", (
        f"the log's head is dated {ahead / 1e6:,.0f} s in the future; new events carry its "
        "time until this machine's clock has caught up"
    )


def _check_erasures(home: Home) -> _Finding:
    pending = home.log.pending_erasures()
    if not pending:
        return "ok", "no redaction is unfinished"
    where = "; ".join(home.unerased) or "the next opening goes on with it"
    return "error", f"{len(pending)} redacted events are not gone from: {where}"


def _check_views(home: Home, progress: Progress | None) -> _Finding:
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
                for projection in projections
                for table in projection.tables
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


def _check_bases(home: Home) -> _Finding:
    notices: list[str] = []
    spaces = sorted(home.views.manifest.read().bases)
    for space in spaces:
        if (entry := home.parts.bases.entry(space)) is not None:
            home.parts.bases.load(space, entry, notices.append)
    return _found(notices, f"the bases of {len(spaces)} spaces are as they were written", "warning")


class _KeptVectors(NamedTuple):
    position: Position
    text: str
    digest: bytes


def _check_vectors(home: Home, progress: Progress | None, most: int | None) -> _Finding:
    """Verify checksums and holders, and embed a random sample again to find wrong vectors."""
    # Read vectors before the log, so that vectors stored from now on are not checked.
    stored = home.parts.store.stored()
    remembered = [*_remembered(home)]
    kept = [one for one in remembered if one.digest in stored.digests]
    lost = [
        one.position
        for one in remembered
        if one.digest not in stored.digests and stored.holders.get(one.position) == one.digest
    ]
    if not kept and not stored.damaged and not lost:
        return "ok", "none are kept yet"
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
            (len(lost), "are held, but gone", lost),
            (len(foreign), "do not fit their texts, embedded again", foreign),
        )
        if count
    ]
    rest = ", drawn at random (`doctor --all` does all)" if len(sample) < len(sound) else ""
    embedded = f"{len(sample):,} of {len(kept):,} texts were embedded again{rest}"
    mend = "delete vectors.db and indexes/ in the home: both are made anew"
    fine = f"all {len(kept):,} vectors match their checksums and holders; {embedded}"
    return _found([*problems, embedded, mend] if problems else [], fine)


def _foreign(
    home: Home, sample: Sequence[_KeptVectors], progress: Progress | None
) -> Iterator[Position]:
    for start in range(0, len(sample), _CHUNK):
        part = sample[start : start + _CHUNK]
        stored = home.parts.store.get([one.digest for one in part])
        made = home.embedder.embed([one.text for one in part])
        for one, vector in zip(part, made, strict=True):
            if one.digest not in stored:
                continue
            kept = stored[one.digest].astype(vector.dtype)
            lengths = sqrt(kept @ kept) * sqrt(vector @ vector)
            if not 0 < _SAME * lengths <= kept @ vector:
                yield one.position
        if progress is not None:
            progress("embedding", start + len(part), len(sample))


def _remembered(home: Home) -> Iterator[_KeptVectors]:
    from mnemolog.indexes.vectors.embedded_texts import embedded_text  # noqa: PLC0415 - numpy
    from mnemolog.indexes.vectors.vector_store import digest_of  # noqa: PLC0415 - as above

    for event in events_in(home.log, LogRange(Position(0), kinds=("remembered",))):
        if (text := embedded_text(event)) is not None:
            digest = digest_of(home.parts.secret, home.embedder.name, text)
            yield _KeptVectors(event.position, text, digest)


def _named(positions: Sequence[int]) -> str:
    shown = ", ".join(f"@{position}" for position in positions[:_NAMED])
    return f" ({shown}{', …' if len(positions) > _NAMED else ''})" if shown else ""
