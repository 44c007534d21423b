"""Files of others in a home, searched for texts that a redaction destroyed.

When a text is destroyed, the log keeps traces of it until the redaction is complete: of
pieces of the text a keyed sum, by which their places in a file are found in one pass, and
a keyed hash, which proves them. So the search can be repeated when the text is gone. What
holds the text is named, and never touched.
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
from mnemolog.ledger.events import VOCABULARY, Event, MemoryContent
from mnemolog.ledger.file_names import is_ours
from mnemolog.ledger.files import open_regular
from mnemolog.ledger.ids import Position
from mnemolog.ledger.json_text import strings_of
from mnemolog.ledger.sqlite_log import SqliteLog

MOST_BYTES = 256 << 20
"""How much is searched at once; what is behind that is told."""

_LATE = "time was up before they were searched for it; redact again with a longer timeout"
_CHUNK_BYTES = 256 << 10
_MOST_FILES = 20_000
_FEWEST_BYTES = 6
"""A shorter text of a memory is found everywhere."""

_TELLING_WORDS_OF_LINE = 3
_TELLING_WORDS_BESIDE = 5
"""What tags, names and reasons need to be searched for: they are words of many texts."""

_WHOLE_BYTES = 64
_PIECE_BYTES = 48
_PIECES = 4
"""A longer text is found by pieces of it: in a database it may be spread over pages."""

_TRIED_PIECES = 32
_FEWEST_CHARACTERS = 8
"""So many different letters and digits tell a piece from a rule or the frame of a table."""

_MOST_LINES = 32
"""So many lines of a text are found by themselves as well."""

_MAC_BYTES = 16
_SIEVE = 0xFFFF
"""The bits of a sum by which most places of a file are passed over."""


class ContentTrace(msgspec.Struct, frozen=True, array_like=True):
    """What tells a piece of a destroyed text, and nothing else: its length, keyed sum and hash."""

    length: int
    sum: int
    mac: bytes


class Searched(NamedTuple):
    """The files that hold what was destroyed, and what was not searched, with why.

    `late` says where the search ended before its end: what is behind that may hold it.
    """

    holding: list[Path]
    unsearched: list[str]
    late: list[str]


def traces_of(log: SqliteLog, positions: Sequence[Position]) -> list[tuple[Position, bytes]]:
    """What a log is to keep of the texts at positions when it destroys them."""
    keyed = _Keyed(log.secret)
    return [
        (event.position, msgspec.msgpack.encode(traces))
        for event in log.events_at(positions)
        if (traces := [keyed.trace(piece) for piece in sorted(_pieces_of(event))])
    ]


def search(home: Path, log: SqliteLog, deadline: float) -> Searched:
    """Search the files of others in a home for texts whose erasure is not finished.

    It ends at the deadline of the monotonic clock.
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
    """The regular files in a home that are not ours, with their sizes."""

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
    """The size of a regular file; None if it is none, is gone, or cannot be looked at."""
    try:
        status = path.lstat()
    except FileNotFoundError:
        return None
    except OSError as error:
        # Such as in a folder that may be listed and not entered: others are searched.
        unsearched.append(str(StorageFailed.from_os(error, path)))
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


def _pieces_of(event: Event) -> set[bytes]:
    """Pieces of an event's texts, as files hold them: as they are, and as JSON."""
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
    """The traces of one length, as a file is searched for them."""

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
    """Sums and hashes that only who has a log's key can make, or compare with texts."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self._values = np.frombuffer(shake_256(b"traces" + secret).digest(256 * 8), np.uint64)

    def trace(self, piece: bytes) -> ContentTrace:
        """The trace of a piece."""
        return ContentTrace(len(piece), int(self._sums(piece)[-1]), self._mac(piece))

    def is_in(
        self, path: Path, size: int, traces: Sequence[ContentTrace], deadline: float
    ) -> bool | None:
        """Whether a file holds any of the pieces; None if that is not known by the deadline.

        Of a file that grows, as much as it had is read.
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
        """The sums of the values of a text's bytes, up to each of them."""
        sums = np.zeros(len(text) + 1, np.uint64)
        np.cumsum(self._values[np.frombuffer(text, np.uint8)], out=sums[1:])
        return sums

    def _mac(self, piece: bytes) -> bytes:
        return hmac.digest(self._secret, b"trace\x00" + piece, sha256)[:_MAC_BYTES]
