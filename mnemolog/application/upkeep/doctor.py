"""Diagnosis of a home: a check of its log, files, views, indexes and vectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal

import apsw

from mnemolog.application.home.home import Home
from mnemolog.application.home.space import Space
from mnemolog.application.upkeep.vector_checks import SAMPLE, VectorCheck, check_vectors
from mnemolog.ledger.errors import InvalidField, LedgerError
from mnemolog.ledger.scratch import temporary_directory
from mnemolog.ledger.sqlite.verification import verify
from mnemolog.projections.folding import Progress
from mnemolog.projections.views import Views, all_projections
from mnemolog.results import Results, Value

_AHEAD_US = 1_000_000
_NAMED = 5


class Finding(Value, frozen=True):
    """Result of the check of one part."""

    level: Literal["ok", "warning", "error"]
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
    checks: tuple[tuple[str, Callable[[], Finding]], ...] = (
        ("log", lambda: _check_log(home, progress)),
        ("ledger.db", lambda: _check_file(home)),
        ("schema", lambda: _check_schema(home)),
        ("history", lambda: _check_losses(home)),
        ("clock", lambda: _check_clock(home)),
        ("erasures", lambda: _check_erasures(home)),
        ("views", lambda: _check_views(home, progress)),
        ("indexes", lambda: _check_bases(home)),
        ("vectors", lambda: _check_vectors(home, progress, sample)),
    )
    findings = []
    for subject, check in checks:
        try:
            findings.append(check())
        except LedgerError as error:
            findings.append(Finding("error", subject, str(error)))
    findings += [Finding("warning", "notice", notice) for notice in home.notices]
    return Diagnosis(tuple(findings))


def _check_log(home: Home, progress: Progress | None) -> Finding:
    verified = verify(home.log, progress=progress)
    return Finding(
        "ok", "log", f"{verified.events:,} events verify, {verified.erased:,} of them redacted"
    )


def _check_file(home: Home) -> Finding:
    problems = home.log.integrity()
    if problems:
        return Finding("error", "ledger.db", "; ".join(problems))
    return Finding("ok", "ledger.db", "SQLite finds nothing wrong")


def _check_schema(home: Home) -> Finding:
    """Compare the tables, indexes and triggers of the log's file with the format's."""
    differences = home.log.schema_differences()
    if not differences:
        return Finding("ok", "schema", "tables, indexes and triggers of the log are as created")
    return Finding(
        "error",
        "schema",
        f"another program changed the log's file: {', '.join(differences)}; its events are "
        "checked above; `export` them and `import` them into a new home, whose log has all of it",
    )


def _check_losses(home: Home) -> Finding:
    home.views.check_losses()
    return Finding("ok", "history", "the log holds what it ever held, as far as is known")


def _check_clock(home: Home) -> Finding:
    ahead = home.log.head().recorded_at - home.clock.now()
    if ahead > _AHEAD_US:
        return Finding(
            "warning",
            "clock",
            f"the log's head is dated {ahead / 1e6:,.0f} s in the future; new events carry its "
            "time until this machine's clock has caught up",
        )
    return Finding("ok", "clock", "the log's head is not in the future")


def _check_erasures(home: Home) -> Finding:
    pending = home.log.pending_erasures()
    if pending:
        where = "; ".join(home.unerased) or "the next opening goes on with it"
        return Finding(
            "error", "erasures", f"{len(pending)} redacted events are not gone from: {where}"
        )
    return Finding("ok", "erasures", "no redaction is unfinished")


def _check_views(home: Home, progress: Progress | None) -> Finding:
    """Compare every table with one newly folded from the log."""
    position = home.head()
    broken = home.views.read(
        lambda db: [row[0] for row in db.execute("PRAGMA integrity_check(5)") if row[0] != "ok"]
    )
    if broken:
        said = "; ".join(map(str, broken))
        return Finding("error", "views", f"their file is damaged ({said}); `rebuild` mends it")
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
                if home.views.read(partial(table_rows, table=table))
                != fresh.read(partial(table_rows, table=table))
            ]
        finally:
            fresh.close()
    if differing and home.log.head().position == position:
        return Finding(
            "error", "views", f"{', '.join(differing)} differ from the log; `rebuild` mends them"
        )
    return Finding("ok", "views", "every table equals one folded from the log just now")


def table_rows(db: apsw.Connection, table: str) -> list[tuple[object, ...]]:
    """All rows of a table, sorted by all columns."""
    columns = db.execute(f"SELECT count(*) FROM pragma_table_info('{table}')").get
    order = ", ".join(str(number + 1) for number in range(columns))
    return list(db.execute(f"SELECT * FROM {table} ORDER BY {order}").fetchall())


def _check_bases(home: Home) -> Finding:
    notices: list[str] = []
    bases = home.parts.bases
    spaces = sorted(home.views.manifest.read().bases)
    for space in spaces:
        entry = bases.entry(space)
        if entry is not None:
            bases.load(space, entry, notices.append)
    if notices:
        return Finding("warning", "indexes", "; ".join(notices))
    return Finding("ok", "indexes", f"the bases of {len(spaces)} spaces are as they were written")


def _check_vectors(home: Home, progress: Progress | None, most: int | None) -> Finding:
    checked = check_vectors(home, progress, most)
    problems = [
        f"{count:,} of {checked.kept:,} vectors {what}{_named(positions)}"
        for count, what, positions in (
            (len(checked.damaged), "do not match their checksums", checked.damaged),
            (checked.unowned, "are damaged, and of no memory that is known", ()),
            (len(checked.mixed), "are held by the wrong memory", checked.mixed),
            (len(checked.foreign), "do not fit their texts, embedded again", checked.foreign),
        )
        if count
    ]
    if problems:
        mend = "delete vectors.db and indexes/ in the home: both are made anew"
        return Finding("error", "vectors", "; ".join((*problems, _embedded(checked), mend)))
    if not checked.kept:
        return Finding("ok", "vectors", "none are kept yet")
    whole = f"all {checked.kept:,} vectors match their checksums and holders"
    return Finding("ok", "vectors", f"{whole}; {_embedded(checked)}")


def _embedded(checked: VectorCheck) -> str:
    """Number of texts embedded again, and the option to embed all."""
    some = checked.compared < checked.kept - len(checked.damaged)
    rest = ", drawn at random (`doctor --all` does all)" if some else ""
    return f"{checked.compared:,} of {checked.kept:,} texts were embedded again{rest}"


def _named(positions: Sequence[int]) -> str:
    if not positions:
        return ""
    more = ", …" if len(positions) > _NAMED else ""
    return f" ({', '.join(f'@{position}' for position in positions[:_NAMED])}{more})"
