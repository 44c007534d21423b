"""Shared parts of a home's indexes: vectors, bases, analyzer and cached embedder."""

from __future__ import annotations

from mnemolog.indexes.bases import Bases
from mnemolog.indexes.embedder import Embedder
from mnemolog.indexes.near_words import KnownWords
from mnemolog.indexes.recent_vectors import RecentVectors
from mnemolog.indexes.space_index import Parts
from mnemolog.indexes.vector_store import VectorStore
from mnemolog.language.analysis import VERSION as ANALYSIS_VERSION, Analyzer
from mnemolog.ledger.sqlite_log import SqliteLog
from mnemolog.projections.folding import Notify
from mnemolog.projections.views import Views


def open_parts(
    log: SqliteLog, views: Views, embedder: Embedder, model: str, notify: Notify
) -> Parts:
    """Index parts of an open home; `model` names its embedder. Files open on first read."""
    home, made_with = log.path.parent, f"{ANALYSIS_VERSION}/{model}"
    return Parts(
        log=log,
        views=views,
        embedder=RecentVectors(embedder, log.secret),
        secret=log.secret,
        store=VectorStore(home, notify),
        bases=Bases(home, views.manifest, views.losses.holds, made_with, embedder.dimensions),
        analyzer=Analyzer(),
        known_words=KnownWords(),
        notify=notify,
    )
