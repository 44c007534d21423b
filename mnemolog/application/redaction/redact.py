"""Redaction: destroy content in the log and what is derived from it; find it in foreign files."""

import hmac
import json
import os
import stat
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from hashlib import sha256, shake_256
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from mnemolog.application.home.home import Home, remove_for_erasure
from mnemolog.application.home.space import Cut
from mnemolog.application.redaction.quotations import is_quotable
from mnemolog.indexes.vectors.vector_store import FILE as STORE
from mnemolog.ledger import errors
from mnemolog.ledger.events import Event, MemoryContent, Redacted, Remembered, Reopened, Settled
from mnemolog.ledger.files import open_regular
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.scratch import is_ours
from mnemolog.ledger.sqlite.sqlite_log import SqliteLog
from mnemolog.ledger.vocabulary import VOCABULARY, strings_of
from mnemolog.policies.supersession import Decision, command_of, why
from mnemolog.projections.edges import edge_events_of
from mnemolog.projections.memories import conflicts_of
from mnemolog.projections.spaces import undone_at
from mnemolog.projections.strengths import strength_changed_at

_INDEXED = frozenset({"remembered", "linked"})  # kinds of events whose content is indexed
_LONGEST_S = 86_400.0
_SEARCHING_S = 0.5  # minimum search time of foreign files, regardless of the other steps
_READER = "a reader in another process holds on to old pages"
_MOST_BYTES = 256 << 20  # maximum bytes searched in one run; files beyond it are reported
_LATE = "time was up before they were searched for it; redact again with a longer timeout"
_CHUNK_BYTES, _MOST_FILES, _MAC_BYTES = 256 << 10, 20_000, 16
_FEWEST_BYTES = 6  # minimum bytes of a searched text; a shorter one occurs everywhere
_TELLING_WORDS_OF_LINE, _TELLING_WORDS_BESIDE = 3, 5  # content words of a searched text
# A longer text is searched in pieces: a database may spread it over pages.
_WHOLE_BYTES, _PIECE_BYTES, _PIECES, _TRIED_PIECES = 64, 48, 4, 32
_FEWEST_CHARACTERS = 8  # minimum distinct letters and digits of a piece: no rules or frames
_MOST_LINES = 32  # maximum lines of a text that are also searched separately
_SIEVE = np.uint64(0xFFFF)  # bits of a sum used to skip most places of a file


class Erasing(NamedTuple):
    """Erasure plan: positions to destroy, ones that may remain in a file, and the event, if any."""

    positions: list[Position]
    again: list[Position]
    decisions: list[Decision]


def erasing(  # noqa: PLR0913, PLR0917 - events, state and options
    home: Home,
    events: Sequence[Event],
    cut: Cut,
    overrides: frozenset[str],
    reason: str | None,
    scan: Callable[[Sequence[Event], Cut], list[Event]],
) -> Erasing:
    """Erasure plan for a redaction of events.

    Redacting a memory's own event covers everything said about the memory. `scan` finds other
    events that name or quote memories, as `quoting` does. Raises `InvalidState` if no content
    is left, and `ImmutableMemory` for an immutable memory that is not in `overrides`.
    """
    unfinished = {*home.log.pending_erasures(), *home.finished}
    concerned: dict[Position, Event] = {}
    again: set[Position] = set()
    immutable = False
    for event in events:
        structure = VOCABULARY.structure(event)
        if isinstance(structure, Remembered) and structure.immutable and event.memory_id:
            immutable = True
            if event.memory_id not in overrides:
                raise errors.ImmutableMemory(event.memory_id, "redact")
        family = _family(home, event, cut)
        with_content = {one.position: one for one in family if one.content is not None}
        retried = {one.position for one in family} & unfinished
        if not with_content and not retried:
            if event.kind == "remembered":
                fix = "there is nothing left to redact"
                raise errors.InvalidState(event.event_id, "redacted already", fix)
            state = "redacted already" if event.erased else "without content"
            subject = f"the {event.kind!r} event"
            raise errors.InvalidState(event.event_id, state, "there is nothing to redact", subject)
        concerned |= with_content
        again |= retried
    stored = [event for event in events if event.kind == "remembered"]
    concerned |= {one.position: one for one in scan(stored, cut)}
    positions = sorted(position for position in concerned if position <= cut.position)
    redacted = Redacted(tuple(concerned[at].event_id for at in positions), override=immutable)
    memories = {event.memory_id for event in events}
    decision = Decision(redacted, memories.pop() if len(memories) == 1 else None, why(reason))
    return Erasing(positions, sorted(again), [decision] if positions else [])


def _family(home: Home, event: Event, cut: Cut) -> list[Event]:
    """Events that a redaction of one covers: for a memory, all that were said about it."""
    memory_id = event.memory_id
    if event.kind != "remembered" or memory_id is None:
        return [event]
    places = home.views.read(lambda db: edge_events_of(db, memory_id))
    changes = home.views.read(lambda db: strength_changed_at(db, memory_id))
    family = [
        *home.log.concerning(memory_id),
        # The content of its edges is about it too.
        *home.log.events_at(places),
        *_conflicts_with(home, memory_id, cut),
        # A cue that is kept with a use may quote it.
        *(one for one in home.log.events_at(changes) if one.kind == "recalled"),
    ]
    # The reason of an earlier redaction stays, unless it quotes the memory.
    return [one for one in (*family, *_undoing(home, family)) if one.kind != "redacted"]


def words_of_others(events: Sequence[Event], named: Sequence[Event]) -> tuple[str, ...]:
    """Receipt lines for events that lose content in addition to the named events."""
    known = {event.event_id for event in named}
    by_kind: dict[str, list[str]] = {}
    for event in events:
        if event.event_id not in known and event.kind != "remembered":
            by_kind.setdefault(event.kind, []).append(f"@{event.position}")
    return tuple(
        f"redacted with it, being about it or quoting it: {kind} {', '.join(positions)}"
        for kind, positions in sorted(by_kind.items())
    )


def _undoing(home: Home, events: Sequence[Event]) -> list[Event]:
    """Events that undid the commands of these events, and undos of those; they hold reasons."""
    found, ahead, seen = list[Event](), [*events], set[EventId]()
    while ahead:
        commands = [one for one in dict.fromkeys(map(command_of, ahead)) if one not in seen]
        seen.update(commands)
        ahead = home.log.events_at(home.views.read(partial(undone_at, commands=commands)))
        found += ahead
    return found


def _conflicts_with(home: Home, memory_id: MemoryId, cut: Cut) -> list[Event]:
    """Events on conflicts of newer memories with this one; they may quote it."""
    rows = home.views.read(lambda db: conflicts_of(db, [memory_id], cut.position))
    newer = {row.conflict: row.new for row in rows if row.other == memory_id}
    found = []
    for event in chain.from_iterable(map(home.log.concerning, dict.fromkeys(newer.values()))):
        structure = VOCABULARY.structure(event)
        on = structure.conflict if isinstance(structure, Settled | Reopened) else event.event_id
        found += [event] if on in newer else []
    return found


def checked_timeout(timeout_s: float) -> None:
    """Raise `InvalidField` for an invalid timeout."""
    if not isinstance(timeout_s, int | float) or not 0 <= timeout_s <= _LONGEST_S:
        problem = f"{timeout_s!r} is no time to wait"
        raise errors.InvalidField("timeout_s", problem, "give seconds, 0 to 86,400")


def erase(home: Home, positions: Sequence[Position], timeout_s: float) -> tuple[str, ...]:
    """Remove data derived from content that the log has destroyed; return the failures.

    `positions` were destroyed just now; unfinished earlier erasures are retried. mnemolog's own
    files are cleaned once; foreign files are searched each time, until none holds the content.
    Each failure names the file and the reason.
    """
    deadline = time.monotonic() + timeout_s
    left, held = list[str](), list[str]()
    pending, unclean = [*positions], [*positions]
    with _noted(left):
        pending = home.log.pending_erasures()
        unclean = sorted({*positions, *home.log.pending_erasures(unclean=True)})
    if unclean:
        left += _cleaned(home, unclean, deadline)
    with _noted(held):
        until = max(deadline, time.monotonic() + _SEARCHING_S)
        found, unsearched = search(home.path, home.log, until)
        held += found
        for one in unsearched:
            home.notify(f"not searched for what was redacted: {one}")
    finish, done = home.log.finish_erasure, pending
    if left or held:
        # Always clean the log's pages; record an erasure as done only if nothing is left.
        finish, done = home.log.clean_erasure, [] if left else unclean
    left += held
    with _noted(left):
        if (unclean or not held) and not finish(done, max(0.0, deadline - time.monotonic())):
            left.append(f"{home.log.path}-wal: {_READER}")
    home.unerased = tuple(dict.fromkeys(left))
    return home.unerased


def _cleaned(home: Home, positions: Sequence[Position], deadline: float) -> list[str]:
    left: list[str] = []
    with _noted(left):
        home.head()
    with _noted(left):
        home.parts.store.forget(positions)
    events: list[Event] = []
    with _noted(left):
        events = home.log.events_at(positions)
    for space in {event.space for event in events if event.kind in _INDEXED}:
        with _noted(left):
            home.index(space).forget()
    with _noted(left):
        left += remove_for_erasure(home.path, home.views, home.parts.bases)
    with _noted(left):
        if not home.parts.store.truncate_wal(max(0.0, deadline - time.monotonic())):
            left.append(f"{home.path / STORE}-wal: {_READER}")
    return left


def erase_with_notices(home: Home, positions: Sequence[Position], timeout_s: float) -> bool:
    """True if `erase` completes; sends a notice for each file that still holds content."""
    left = erase(home, positions, timeout_s)
    for where in left:
        home.notify(f"a redaction is incomplete: {where}")
    return not left


@contextmanager
def _noted(left: list[str]) -> Iterator[None]:
    try:
        yield
    except (errors.LedgerError, OSError) as error:
        left.append(str(error))


class ContentTrace(msgspec.Struct, frozen=True, array_like=True):
    """Trace of a piece of a destroyed text: its length, keyed sum and keyed hash.

    The log keeps traces until the redaction is complete, so that the search can be repeated after
    the text is gone. Sums find candidate places in one pass over a file, hashes confirm them.
    """

    length: int
    sum: int
    mac: bytes


def traces_of(log: SqliteLog, positions: Sequence[Position]) -> list[tuple[Position, bytes]]:
    """Traces that the log keeps of the texts at positions when it destroys them."""
    keyed = _Keyed(log.secret)
    return [
        (event.position, msgspec.msgpack.encode(traces))
        for event in log.events_at(positions)
        if (traces := [keyed.trace(piece) for piece in sorted(_pieces_of(event))])
    ]


def search(home: Path, log: SqliteLog, deadline: float) -> tuple[list[str], list[str]]:
    """Foreign files that hold an erased text, or may as time was up; those not searched."""
    kept = log.pending_traces()
    traces = [one for part in kept for one in msgspec.msgpack.decode(part, type=list[ContentTrace])]
    holding, unsearched = list[str](), list[str]()
    keyed, left = _Keyed(log.secret, traces), _MOST_BYTES
    for path, size in _files_of_others(home, unsearched) if traces else ():
        if size > left:
            unsearched.append(f"{path}: more than {_MOST_BYTES >> 20} MiB are not searched")
            continue
        left -= size
        try:
            holds = keyed.is_in(path, size, deadline)
            if holds is None:
                return [*holding, f"{path} and files after it: {_LATE}"], unsearched
            if holds:
                holding.append(f"{path} holds it, and is not ours: remove it yourself")
        except FileNotFoundError:
            continue
        except errors.MalformedFile as error:
            unsearched.append(str(error))
        except OSError as error:
            unsearched.append(str(errors.StorageFailed.from_os(error, path)))
    return holding, unsearched


def _files_of_others(home: Path, unsearched: list[str]) -> Iterator[tuple[Path, int]]:
    """Regular files in a home that are not mnemolog's, with their sizes in bytes."""

    def refused(error: OSError, path: Path = home) -> None:
        unsearched.append(str(errors.StorageFailed.from_os(error, path)))

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
            count += stat.S_ISREG(status.st_mode)
            if count > _MOST_FILES:
                unsearched.append(f"{home}: has more than {_MOST_FILES:,} files of others")
                return
            if stat.S_ISREG(status.st_mode) and status.st_size >= _FEWEST_BYTES:
                yield path, status.st_size


def _pieces_of(event: Event) -> set[bytes]:
    if event.content is None:
        return set()
    texts = {one for one in strings_of(event.content) if is_quotable(one, _TELLING_WORDS_BESIDE)}
    content = VOCABULARY.decode(event).content
    if isinstance(content, MemoryContent):
        lines = content.text.splitlines()[:_MOST_LINES]
        texts.update(line for line in lines if is_quotable(line, _TELLING_WORDS_OF_LINE))
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
