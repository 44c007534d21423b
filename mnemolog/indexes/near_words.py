"""The words of a space in a Tantivy index, asked for the word that a mistyped one meant.

Each distinct word is one document with the ordinal of the first memory that has it, so that an
answer as of a moment sees the words of that moment alone. A base on disk has most of them.
"""

from __future__ import annotations

import errno
import os
import re
import threading
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path

import msgspec
import tantivy

from mnemolog.indexes.embedder import stored_tokenizer
from mnemolog.ledger.errors import StorageFailed

_SHORTEST, _LONG = 4, 8
_FOUND, _OFFERED = 1000, 3
_HEAP_BYTES = 15_000_000
_SYSTEM_ERROR = re.compile(r"\(os error (\d+)\)|\bcode: (\d+)")  # as Tantivy words its number


class NearWord(msgspec.Struct, frozen=True, order=True):
    """A word of the memories that a mistyped word may mean."""

    distance: int
    word: str


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("word", stored=True, tokenizer_name="raw")
    builder.add_integer_field("first", stored=True)
    return builder.build()


class WordIndex:
    """Words and the ordinal at which each first appears, in Tantivy segments, or in memory."""

    def __init__(self, index: tantivy.Index | None = None) -> None:
        self._index = tantivy.Index(_schema()) if index is None else index
        # By hand: the default reader watches the directory and makes a reload cost 100 ms.
        self._index.config_reader(reload_policy="manual")
        self._waiting: list[tuple[str, int]] = []
        # One writer at a time: a second one would find the index locked.
        self._turn = threading.Lock()

    @classmethod
    def write(cls, path: Path, words: Iterable[tuple[str, int]]) -> None:
        """Write words into a directory of their own. Raises `OSError`."""
        path.mkdir(parents=True)
        try:
            written = cls(tantivy.Index(_schema(), str(path)))
            written.add(words)
            written.commit()
        except ValueError as error:
            raise _refusal(error, path) from error

    @classmethod
    def opened(cls, path: Path) -> WordIndex:
        """One that is there. Raises `FileNotFoundError` if it is gone, else `StorageFailed`."""
        try:
            return cls(tantivy.Index.open(str(path)))
        except ValueError as error:
            if (path / "meta.json").exists():
                raise _refusal(error, path) from error
            raise FileNotFoundError(errno.ENOENT, str(error), str(path)) from None

    def add(self, words: Iterable[tuple[str, int]]) -> None:
        """Add words with their first ordinals; searchable after `commit`."""
        with self._turn:
            self._waiting.extend(words)

    def commit(self) -> None:
        """Make what was added searchable; a failure raises and loses nothing."""
        with self._turn:
            if not self._waiting:
                return
            waiting, self._waiting = self._waiting, []
            # Not `with writer`: that commits even when the body raised, and hides the error.
            writer = self._index.writer(heap_size=_HEAP_BYTES, num_threads=1)
            try:
                for word, first in waiting:
                    writer.add_document(tantivy.Document(word=word, first=first))
                writer.commit()
                writer.wait_merging_threads()
            except BaseException:
                # Its threads would go on in the directory, which is removed now.
                with suppress(ValueError):
                    writer.wait_merging_threads()
                self._waiting = waiting + self._waiting
                raise
            self._index.reload()

    def near(self, word: str, distance: int, size: int) -> list[NearWord]:
        """The words of the first `size` memories within some edits or swaps, nearest first."""
        self.commit()
        # No reload: the segments that are open stay readable when a newer base has taken
        # the place of this one and removed its directory.
        searcher = self._index.searcher()
        for allowed in range(1, distance + 1):
            query = tantivy.Query.fuzzy_term_query(
                self._index.schema, "word", word, distance=allowed, transposition_cost_one=True
            )
            hits = searcher.search(query, _FOUND, count=False).hits
            documents = [searcher.doc(address) for _, address in hits]
            known = [str(one["word"][0]) for one in documents if one["first"][0] < size]
            if found := sorted(NearWord(allowed, one) for one in known if one[0] == word[0]):
                return found
        return []


def _refusal(error: ValueError, path: Path) -> StorageFailed:
    """The system's refusal, as far as Tantivy reports it."""
    found = _SYSTEM_ERROR.search(str(error))
    if found is None:
        return StorageFailed(path, str(error))
    number = int(found[1] or found[2])
    return StorageFailed.from_os(OSError(number, os.strerror(number), str(path)), path)


@cache
def known_words() -> frozenset[str]:
    """The words that the embedding model knows whole, English words and common names: no slips."""
    vocabulary = msgspec.json.decode(stored_tokenizer())["model"]["vocab"]
    return frozenset(filter(str.isalpha, vocabulary))


def meant_words(word: str, indexes: Iterable[WordIndex], size: int) -> list[NearWord]:
    """Up to three words of the memory that a cue's word, found nowhere in it, may mean.

    Words of fewer than four letters, with other characters, or of English are taken as they are.
    The first letter must be the same; from eight letters on two edits are forgiven.
    """
    if len(word) < _SHORTEST or not word.isalpha() or word in known_words():
        return []
    distance = 2 if len(word) >= _LONG else 1
    found = {near for index in indexes for near in index.near(word, distance, size)}
    best = min((near.distance for near in found), default=0)
    return sorted(near for near in found if near.distance == best)[:_OFFERED]
