"""Tables, indexes and triggers of a log in SQLite, and the key that is kept in it."""

from __future__ import annotations

import secrets
from contextlib import closing
from pathlib import Path

import apsw

from mnemolog.ledger.errors import CorruptLog, ForeignFormat

APPLICATION_ID = 0x6D6E_656D  # "mnem"
FORMAT = 2

_SCHEMA = """
CREATE TABLE properties (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE events (
    position       INTEGER PRIMARY KEY,
    event_id       BLOB NOT NULL,
    space          TEXT NOT NULL,
    kind           TEXT NOT NULL,
    version        INTEGER NOT NULL,
    recorded_at    INTEGER NOT NULL,
    actor          TEXT NOT NULL,
    memory_id      BLOB,
    correlation_id TEXT,
    causation_id   BLOB,
    structure      TEXT NOT NULL,
    content        TEXT,
    salt           BLOB,
    content_hash   BLOB,
    digest         BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX events_by_id ON events (event_id);
CREATE INDEX events_by_memory ON events (memory_id, position) WHERE memory_id <> event_id;
-- Positions whose content was destroyed in the log but may still be in a derived file.
CREATE TABLE pending_erasures (position INTEGER PRIMARY KEY) STRICT;
CREATE TRIGGER events_are_kept BEFORE DELETE ON events
BEGIN SELECT raise(ABORT, 'events are never deleted'); END;
CREATE TRIGGER events_are_facts BEFORE UPDATE OF position, event_id, space, kind, version,
    recorded_at, actor, memory_id, correlation_id, causation_id, structure, content_hash, digest
    ON events
BEGIN SELECT raise(ABORT, 'events never change'); END;
CREATE TRIGGER content_is_only_destroyed BEFORE UPDATE OF content, salt ON events
WHEN new.content IS NOT NULL OR new.salt IS NOT NULL
BEGIN SELECT raise(ABORT, 'content never changes'); END;
"""


def ensure_schema(connection: apsw.Connection, path: Path) -> None:
    """Create the tables in a new file; raises `ForeignFormat` for one that is no ledger of ours."""
    application = connection.pragma("application_id")
    version = connection.pragma("user_version")
    if application == 0 and is_empty(connection):
        with connection:
            connection.execute(_SCHEMA).fetchall()
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}").fetchall()
            connection.execute(f"PRAGMA user_version = {FORMAT}").fetchall()
            secret = (secrets.token_bytes(32),)
            connection.execute("INSERT INTO properties VALUES ('secret', ?)", secret)
    elif application != APPLICATION_ID:
        raise ForeignFormat(str(path), "another program's database", "its own ledgers")
    elif version != FORMAT:
        raise ForeignFormat(str(path), f"ledger format {version}", f"format {FORMAT}")


def is_empty(connection: apsw.Connection) -> bool:
    """True if a database has no tables yet."""
    return not connection.execute("SELECT 1 FROM sqlite_schema").fetchall()


def secret_of(connection: apsw.Connection) -> bytes:
    """The key of a log; raises `CorruptLog` if it is missing."""
    for (value,) in connection.execute("SELECT value FROM properties WHERE name = 'secret'"):
        if isinstance(value, bytes):
            return value
    raise CorruptLog("its property 'secret' is missing", 0)


def schema_differences(connection: apsw.Connection) -> list[str]:
    """Tables, indexes and triggers that are not as this format creates them, in words."""
    found = _schema_of(connection)
    with closing(apsw.Connection(":memory:")) as created:
        created.execute(_SCHEMA).fetchall()
        wanted = _schema_of(created)
    words = dict.fromkeys(found, "not ours") | dict.fromkeys(wanted, "missing")
    words |= dict.fromkeys(found.keys() & wanted.keys(), "altered")
    differing = sorted(name for name in words if found.get(name) != wanted.get(name))
    return [f"{name} is {words[name]}" for name in differing]


def _schema_of(connection: apsw.Connection) -> dict[str, str]:
    """The statements that made a database, by what they made, without SQLite's own tables."""
    own = "name NOT LIKE 'sqlite!_%' ESCAPE '!'"
    rows = connection.execute(f"SELECT type || ' ' || name, sql FROM sqlite_schema WHERE {own}")
    return {str(name): " ".join(str(sql).split()) for name, sql in rows}
