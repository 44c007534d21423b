"""Foreign files in a home, searched for texts that a redaction destroyed.

When a text is destroyed, the log keeps traces of it until the redaction is complete. A trace
has a keyed sum of a piece of the text, which finds candidate places in one pass over a file,
and a keyed hash, which confirms them. So the search can be repeated after the text is gone.
Files that hold the text are reported and never changed.
"""

from __future__ import annotations

import hmac
import json
import os
import stat
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from hashlib import sha256, shake_256
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from mnemolog.application.redaction.quotations import tells
from mnemolog.ledger.errors import MalformedFile, StorageFailed
from mnemolog.ledger.events import Event, MemoryContent
from mnemolog.ledger.files import open_regular
from mnemolog.ledger.ids import Position
from mnemolog.ledger.scratch import is_ours
from mnemolog.ledger.sqlite.sqlite_log import SqliteLog
from mnemolog.ledger.vocabulary import VOCABULARY, strings_of

MOST_BYTES = 256 << 20
"""Maximum bytes searched in one run; files beyond it are reported."""

_LATE = "time was up before they were searched for it; redact again with a longer timeout"
_CHUNK_BYTES = 256 << 10
_MOST_FILES = 20_000
_FEWEST_BYTES = 6
"""Minimum bytes of a searched text; a shorter one occurs everywhere."""

_TELLING_WORDS_OF_LINE = 3
_TELLING_WORDS_BESIDE = 5
"""Content words that tags, names and reasons need: their words occur in many texts."""

_WHOLE_BYTES = 64
_PIECE_BYTES = 48
_PIECES = 4
"""Pieces searched of a longer text: a database may spread it over pages."""

_TRIED_PIECES = 32
_FEWEST_CHARACTERS = 8
"""Minimum distinct letters and digits of a piece; excludes rules and table frames."""

_MOST_LINES = 32
"""Maximum lines of a text that are also searched separately."""

_MAC_BYTES = 16
_SIEVE = 0xFFFF
"""Bits of a sum used to skip most places of a file."""


class ContentTrace(msgspec.Struct, frozen=True, array_like=True):
    """Trace that identifies a piece of a destroyed text: its length, keyed sum and keyed hash."""

    length: int
    sum: int
    mac: bytes


class Searched(NamedTuple):
    """Search result: files that hold destroyed content, and unsearched files with reasons.

    `late` names where the search stopped at its deadline; files after it may hold content.
    """

    holding: list[Path]
    unsearched: list[str]
    late: list[str]


def traces_of(log: SqliteLog, positions: Sequence[Position]) -> list[tuple[Position, bytes]]:
    """Traces that the log keeps of the texts at positions when it destroys them."""
    keyed = _Keyed(log.secret)
    return [
        (event.position, msgspec.msgpack.encode(traces))
        for event in log.events_at(positions)
        if (traces := [keyed.trace(piece) for piece in sorted(_pieces_of(event))])
    ]


def search(home: Path, log: SqliteLog, deadline: float) -> Searched:
    """Search the foreign files of a home for texts whose erasure is not finished.

    Stops at `deadline`, a time of the monotonic clock.
    """
    kept = log.pending_traces()
    traces = [one for part in kept for one in msgspec.msgpack.decode(part, type=list[ContentTrace])]
    found = Searched([], [], [])
    keyed, left = _Keyed(log.secret), MOST_BYTES
    for path, size in _files_of_others(home, found.unsearched) if traces else ():
        if size > left:
            found.unsearched.append(f"{path}: more than {MOST_BYTES >> 20} MiB are not searched")
            continue
        left -= size
        try:
            holds = keyed.is_in(path, size, traces, deadline)
            if holds is None:
                found.late.append(f"{path} and files after it: {_LATE}")
                break
            if holds:
                found.holding.append(path)
        except FileNotFoundError:
            continue
        except MalformedFile as error:
            found.unsearched.append(str(error))
        except OSError as error:
            found.unsearched.append(str(StorageFailed.from_os(error, path)))
    return found


def _files_of_others(home: Path, unsearched: list[str]) -> Iterator[tuple[Path, int]]:
    """Regular files in a home that are not mnemolog's, with their sizes in bytes."""

    def refused(error: OSError) -> None:
        unsearched.append(str(StorageFailed.from_os(error, home)))

    count = 0
    for where, folders, names in os.walk(home, onerror=refused):
        folder = Path(where)
        if folder == home:
            folders[:] = [name for name in folders if not is_ours(name)]
        for path in (folder / name for name in sorted(names)):
            if folder == home and is_ours(path.name):
                continue
            size = _size_of(path, unsearched)
            if size is None:
                continue
            count += 1
            if count > _MOST_FILES:
                unsearched.append(f"{home}: has more than {_MOST_FILES:,} files of others")
                return
            if size >= _FEWEST_BYTES:
                yield path, size


def _size_of(path: Path, unsearched: list[str]) -> int | None:
    """Size of a regular file in bytes; None if it is not one, is gone, or is unreadable."""
    try:
        status = path.lstat()
    except FileNotFoundError:
        return None
    except OSError as error:
        # For example, a folder that may be listed but not entered; the search continues.
        unsearched.append(str(StorageFailed.from_os(error, path)))
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


def _pieces_of(event: Event) -> set[bytes]:
    """Pieces of an event's texts as files may hold them: plain and as JSON."""
    if event.content is None:
        return set()
    texts = {one for one in strings_of(event.content) if tells(one, _TELLING_WORDS_BESIDE)}
    content = VOCABULARY.decode(event).content
    if isinstance(content, MemoryContent):
        lines = content.text.splitlines()[:_MOST_LINES]
        texts.update(line for line in lines if tells(line, _TELLING_WORDS_OF_LINE))
        if len(content.text) >= _FEWEST_BYTES:
            texts.add(content.text)
    return {
        piece
        for text in texts
        for written in (
            text.encode(),
            msgspec.json.encode(text)[1:-1],
            json.dumps(text)[1:-1].encode(),
        )
        for piece in _pieces(written)
    }


def _pieces(text: bytes) -> list[bytes]:
    if len(text) <= _WHOLE_BYTES:
        return [text]
    starts = np.linspace(0, len(text) - _PIECE_BYTES, _TRIED_PIECES).astype(int)
    tried = list(dict.fromkeys(text[start : start + _PIECE_BYTES] for start in starts))
    telling = list(filter(_is_no_rule, tried)) or tried
    return [telling[at] for at in np.linspace(0, len(telling) - 1, _PIECES).astype(int)]


def _is_no_rule(piece: bytes) -> bool:
    characters = set(filter(str.isalnum, piece.decode(errors="ignore")))
    return len(characters) >= _FEWEST_CHARACTERS


class _Wanted(NamedTuple):
    """Traces of one length, prepared for searching a file."""

    length: int
    sieve: npt.NDArray[np.bool_]
    sums: npt.NDArray[np.uint64]
    macs: frozenset[bytes]

    @classmethod
    def of(cls, length: int, traces: Sequence[ContentTrace]) -> _Wanted:
        sums = np.fromiter({one.sum for one in traces}, np.uint64)
        sieve = np.zeros(_SIEVE + 1, np.bool_)
        sieve[(sums & np.uint64(_SIEVE)).astype(np.intp)] = True
        return cls(length, sieve, sums, frozenset(one.mac for one in traces))


class _Keyed:
    """Keyed sums and hashes: only the holder of the log's key can compute or compare them."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self._values = np.frombuffer(shake_256(b"traces" + secret).digest(256 * 8), np.uint64)

    def trace(self, piece: bytes) -> ContentTrace:
        """Trace of a piece of text."""
        return ContentTrace(len(piece), int(self._sums(piece)[-1]), self._mac(piece))

    def is_in(
        self, path: Path, size: int, traces: Sequence[ContentTrace], deadline: float
    ) -> bool | None:
        """True if a file holds any of the pieces; None if the deadline passes first.

        Reads at most `size` bytes, also if the file grows.
        """
        by_length: dict[int, list[ContentTrace]] = defaultdict(list)
        for one in traces:
            by_length[one.length].append(one)
        wanted = [_Wanted.of(length, ones) for length, ones in by_length.items()]
        overlap = max(by_length) - 1
        with open_regular(path) as file:
            tail = b""
            while size > 0 and (chunk := file.read(min(size, _CHUNK_BYTES))):
                if time.monotonic() > deadline:
                    return None
                size -= len(chunk)
                read = tail + chunk
                sums = self._sums(read)
                if any(self._holds(read, sums, one) for one in wanted):
                    return True
                tail = read[-overlap:]
        return False

    def _holds(self, read: bytes, sums: npt.NDArray[np.uint64], wanted: _Wanted) -> bool:
        length = wanted.length
        found = sums[length:] - sums[:-length]
        near = np.flatnonzero(wanted.sieve[(found & np.uint64(_SIEVE)).astype(np.intp)])
        alike = near[np.isin(found[near], wanted.sums)]
        return any(self._mac(read[start : start + length]) in wanted.macs for start in alike)

    def _sums(self, text: bytes) -> npt.NDArray[np.uint64]:
        """Prefix sums of the keyed values of a text's bytes."""
        sums = np.zeros(len(text) + 1, np.uint64)
        np.cumsum(self._values[np.frombuffer(text, np.uint8)], out=sums[1:])
        return sums

    def _mac(self, piece: bytes) -> bytes:
        return hmac.digest(self._secret, b"trace\x00" + piece, sha256)[:_MAC_BYTES]
