"""Shared parts of a home's indexes: vectors, bases, analyzer and cached embedder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mnemolog.indexes.bases import Bases
from mnemolog.indexes.near_words import KnownWords
from mnemolog.indexes.recent_vectors import RecentVectors
from mnemolog.indexes.space_index import Parts
from mnemolog.indexes.vector_store import VectorStore
from mnemolog.language.analysis import VERSION as ANALYSIS_VERSION, Analyzer

if TYPE_CHECKING:
    from collections.abc import Callable

    from mnemolog.indexes.embedder import Embedder
    from mnemolog.ledger.sqlite.sqlite_log import SqliteLog
    from mnemolog.projections.views import Views


def open_parts(
    log: SqliteLog, views: Views, embedder: Embedder, model: str, notify: Callable[[str], None]
) -> Parts:
    """Index parts of an open home; `model` is the name of its embedder.

    Their files are opened on first read.
    """
    home, secret = log.path.parent, log.secret
    made_with = f"{ANALYSIS_VERSION}/{model}"
    return Parts(
        log=log,
        views=views,
        embedder=RecentVectors(embedder, secret),
        secret=secret,
        store=VectorStore(home, notify),
        bases=Bases(home, views.manifest, views.losses.holds, made_with, embedder.dimensions),
        analyzer=Analyzer(),
        known_words=KnownWords(),
        notify=notify,
    )
