"""Looking for what is left of a text in a home: its bytes, its terms, its vector."""

from __future__ import annotations

import json
import secrets
from pathlib import Path

import msgspec
import numpy as np
import tantivy
from hashed_words import HashedWords

from mnemolog import Judge, Memory
from mnemolog.language.analysis import Analyzer
from tests.files import holding

# Half a word that the stemmer cuts, so that the term on disk is not the word as given.
_ENDINGS = ("ations", "ingly", "ousness")


def new_secret() -> str:
    """Words that are nowhere else, with what JSON escapes and what is not ASCII."""
    words = [f"{_letters()}{ending}" for ending in _ENDINGS]
    return f'{words[0]} "{words[1]}" \\ größe-{_letters()}\t{words[2]} ünd {_letters()} \U0001f5dd'


def _letters() -> str:
    return "".join(secrets.choice("bcdfghjklmnpqrstvwxz") for _ in range(12))


def open_home(home: Path, judge: Judge | None = None) -> Memory:
    """A handle on a home."""
    return Memory.open(home, "vault", actor="user:dana", embedder=HashedWords(), judge=judge)


def bytes_left(home: Path, text: str) -> list[str]:
    """The files that hold a text, or a long piece of it, in any encoding that we know of."""
    pieces = {text, *(piece for piece in text.split() if len(piece) > 8)}
    encodings = {
        encoded
        for piece in pieces
        for encoded in (
            piece.encode(),
            piece.casefold().encode(),
            piece.encode("utf-16-le"),
            json.dumps(piece)[1:-1].encode(),
            msgspec.json.encode(piece)[1:-1],
        )
    }
    # Every term too: a stem is the beginning of its word, in whatever file.
    encodings |= {term.encode() for term in terms_of(text)}
    return _holding(home, encodings)


def terms_of(text: str) -> set[str]:
    """The long terms that a text is indexed under, stemmed, as written and exact."""
    analyzer = Analyzer()
    found = {*analyzer.words(text), *analyzer.surface(text), *analyzer.exact(text)}
    return {term.removeprefix("=") for term in found if len(term) > 8}


def vector_left(home: Path, text: str) -> list[str]:
    """The files that hold the vector of a text, as float16 or float32."""
    vector = HashedWords().embed([text])[0]
    halves = vector.astype(np.float16)
    return _holding(home, {vector.tobytes(), halves.tobytes(), halves.astype(np.float32).tobytes()})


def dictionary_words(home: Path) -> set[str]:
    """Every word in the Tantivy dictionaries of a home."""
    words = set()
    for meta in home.glob("indexes/**/meta.json"):
        index = tantivy.Index.open(str(meta.parent))
        searcher = index.searcher()
        hits = searcher.search(tantivy.Query.all_query(), 100_000).hits
        words.update(str(searcher.doc(address)["word"][0]) for _, address in hits)
    return words


def _holding(home: Path, wanted: set[bytes]) -> list[str]:
    if not holding(home, *wanted):
        return []
    return [
        f"{path.relative_to(home)}: {sought!r}"
        for sought in wanted
        for path in holding(home, sought)
    ]
