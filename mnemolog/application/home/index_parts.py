"""Parts of a home's indexes: vectors, bases, analysis and the embedder behind its cache."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mnemolog.indexes.bases import Bases
from mnemolog.indexes.near_words import KnownWords
from mnemolog.indexes.recent_vectors import RecentVectors
from mnemolog.indexes.space_index import Parts
from mnemolog.indexes.vector_store import VectorStore
from mnemolog.language.analysis import VERSION as ANALYSIS_VERSION, Analyzer

if TYPE_CHECKING:
    from mnemolog.application.home.home import Home


def open_parts(home: Home, model: str) -> Parts:
    """The parts of an open home; `model` is the name of its embedder.

    Their files are opened when they are first read.
    """
    secret, views = home.log.secret, home.views
    made_with = f"{ANALYSIS_VERSION}/{model}"
    return Parts(
        log=home.log,
        views=views,
        embedder=RecentVectors(home.embedder, secret),
        secret=secret,
        store=VectorStore(home.path, home.notify),
        bases=Bases(
            home.path, views.manifest, views.losses.holds, made_with, home.embedder.dimensions
        ),
        analyzer=Analyzer(),
        known_words=KnownWords(),
        notify=home.notify,
    )
