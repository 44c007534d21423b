"""Parts of a home's indexes: vectors, bases, analysis and the embedder behind its cache."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from mnemolog.indexes.bases import Bases
from mnemolog.indexes.embedder import Embedder
from mnemolog.indexes.near_words import KnownWords
from mnemolog.indexes.recent_vectors import RecentVectors
from mnemolog.indexes.space_index import Parts
from mnemolog.indexes.vector_store import VectorStore
from mnemolog.language.analysis import VERSION as ANALYSIS_VERSION, Analyzer
from mnemolog.ledger.sqlite_log import SqliteLog
from mnemolog.projections.views import Views


def open_parts(
    home: Path, log: SqliteLog, views: Views, embedder: Embedder, notify: Callable[[str], None]
) -> Parts:
    """The parts over a home's log and views; files are opened when they are first read."""
    made_with = f"{ANALYSIS_VERSION}/{embedder.name}"
    return Parts(
        log=log,
        views=views,
        embedder=RecentVectors(embedder, log.secret),
        secret=log.secret,
        store=VectorStore(home, notify),
        bases=Bases(home, views.manifest, views.holds, made_with, embedder.dimensions),
        analyzer=Analyzer(),
        known_words=KnownWords(),
        notify=notify,
    )
