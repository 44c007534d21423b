"""Foreign files in a home, searched for texts that a redaction destroyed.

When a text is destroyed, the log keeps traces of it until the redaction is complete. A trace
has a keyed sum of a piece of the text, which finds candidate places in one pass over a file,
and a keyed hash, which confirms them. So the search can be repeated after the text is gone.
Files that hold the text are reported and never changed.
"""

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
from mnemolog.ledger.ids_and_times import Position
from mnemolog.ledger.scratch import is_ours
from mnemolog.ledger.sqlite.sqlite_log import SqliteLog
from mnemolog.ledger.vocabulary import VOCABULARY, strings_of

MOST_BYTES = 256 << 20
"""Maximum bytes searched in one run; files beyond it are reported."""

_LATE = "time was up before they were searched for it; redact again with a longer timeout"
_CHUNK_BYTES = 256 << 10
_MOST_FILES = 20_000
_FEWEST_BYTES = 6  # minimum bytes of a searched text; a shorter one occurs everywhere
_TELLING_WORDS_OF_LINE, _TELLING_WORDS_BESIDE = 3, 5
"""Content words of a searched line, and of tags, names and reasons: theirs occur in many texts."""
_WHOLE_BYTES, _PIECE_BYTES, _PIECES, _TRIED_PIECES = 64, 48, 4, 32
"""A longer text is searched in pieces: a database may spread it over pages."""
_FEWEST_CHARACTERS = 8
"""Minimum distinct letters and digits of a piece; excludes rules and table frames."""
_MOST_LINES = 32  # maximum lines of a text that are also searched separately
_MAC_BYTES = 16
_SIEVE = np.uint64(0xFFFF)  # bits of a sum used to skip most places of a file


class ContentTrace(msgspec.Struct, frozen=True, array_like=True):
    """Trace that identifies a piece of a destroyed text: its length, keyed sum and keyed hash."""

    length: int
    sum: int
    mac: bytes


class Searched(NamedTuple):
    """Search result: files that hold destroyed content, or were not searched, or not in time."""

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
    """Search the foreign files of a home, up to a time of the monotonic clock, for erased texts."""
    kept = log.pending_traces()
    traces = [one for part in kept for one in msgspec.msgpack.decode(part, type=list[ContentTrace])]
    found = Searched([], [], [])
    keyed, left = _Keyed(log.secret, traces), MOST_BYTES
    for path, size in _files_of_others(home, found.unsearched) if traces else ():
        if size > left:
            found.unsearched.append(f"{path}: more than {MOST_BYTES >> 20} MiB are not searched")
            continue
        left -= size
        try:
            holds = keyed.is_in(path, size, deadline)
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

    def refused(error: OSError, path: Path = home) -> None:
        unsearched.append(str(StorageFailed.from_os(error, path)))

    count = 0
    for where, folders, names in os.walk(home, onerror=refused):
        if Path(where) == home:
            folders[:] = [name for name in folders if not is_ours(name)]
            names[:] = [name for name in names if not is_ours(name)]
        for path in (Path(where, name) for name in sorted(names)):
            try:
                status = path.lstat()
            except FileNotFoundError:
                continue
            except OSError as error:
                # For example, a folder that may be listed but not entered; the search continues.
                refused(error, path)
                continue
            if not stat.S_ISREG(status.st_mode):
                continue
            count += 1
            if count > _MOST_FILES:
                unsearched.append(f"{home}: has more than {_MOST_FILES:,} files of others")
                return
            if status.st_size >= _FEWEST_BYTES:
                yield path, status.st_size


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
    as_json = [msgspec.json.encode(text)[1:-1] for text in texts]
    as_json += [json.dumps(text)[1:-1].encode() for text in texts]
    return {piece for one in (*map(str.encode, texts), *as_json) for piece in _pieces(one)}


def _pieces(text: bytes) -> list[bytes]:
    if len(text) <= _WHOLE_BYTES:
        return [text]
    starts = np.linspace(0, len(text) - _PIECE_BYTES, _TRIED_PIECES).astype(int)
    tried = list(dict.fromkeys(text[start : start + _PIECE_BYTES] for start in starts))
    letters = {one: set(filter(str.isalnum, one.decode(errors="ignore"))) for one in tried}
    telling = [one for one in tried if len(letters[one]) >= _FEWEST_CHARACTERS] or tried
    return [telling[at] for at in np.linspace(0, len(telling) - 1, _PIECES).astype(int)]


class _Keyed:
    """Keyed sums and hashes: only the holder of the log's key can compute or compare them."""

    def __init__(self, secret: bytes, traces: Sequence[ContentTrace] = ()) -> None:
        self._secret = secret
        self._values = np.frombuffer(shake_256(b"traces" + secret).digest(256 * 8), np.uint64)
        self._macs = {one.mac for one in traces}
        by_length: dict[int, set[int]] = defaultdict(set)
        for one in traces:
            by_length[one.length].add(one.sum)
        self._wanted = {length: np.fromiter(sums, np.uint64) for length, sums in by_length.items()}
        self._sieves = {length: np.zeros(int(_SIEVE) + 1, np.bool_) for length in by_length}
        for length, sums in self._wanted.items():
            self._sieves[length][(sums & _SIEVE).astype(np.intp)] = True

    def trace(self, piece: bytes) -> ContentTrace:
        return ContentTrace(len(piece), int(self._sums(piece)[-1]), self._mac(piece))

    def is_in(self, path: Path, size: int, deadline: float) -> bool | None:
        """True if a file's first `size` bytes hold a wanted piece; None if time is up before."""
        overlap, tail = max(self._wanted) - 1, b""
        with open_regular(path) as file:
            while size > 0 and (chunk := file.read(min(size, _CHUNK_BYTES))):
                if time.monotonic() > deadline:
                    return None
                size -= len(chunk)
                read = tail + chunk
                sums = self._sums(read)
                if any(self._holds(read, sums, length) for length in self._wanted):
                    return True
                tail = read[-overlap:]
        return False

    def _holds(self, read: bytes, sums: npt.NDArray[np.uint64], length: int) -> bool:
        found = sums[length:] - sums[:-length]
        near = np.flatnonzero(self._sieves[length][(found & _SIEVE).astype(np.intp)])
        alike = near[np.isin(found[near], self._wanted[length])]
        return any(self._mac(read[start : start + length]) in self._macs for start in alike)

    def _sums(self, text: bytes) -> npt.NDArray[np.uint64]:
        """Prefix sums of the keyed values of a text's bytes."""
        sums = np.zeros(len(text) + 1, np.uint64)
        np.cumsum(self._values[np.frombuffer(text, np.uint8)], out=sums[1:])
        return sums

    def _mac(self, piece: bytes) -> bytes:
        return hmac.digest(self._secret, b"trace\x00" + piece, sha256)[:_MAC_BYTES]
