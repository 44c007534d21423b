"""Index of one space, brought up to date at each question.

A base on disk covers the log up to a position, a tail in memory the events since. Appends wait
for neither: each process follows at its next question, and one writes a base after a long tail.
"""

import threading
from collections.abc import Sequence
from contextlib import closing

import msgspec
import numpy as np

from mnemolog.indexes.embedder import Embedder
from mnemolog.indexes.space_state import Base, Bases, State
from mnemolog.indexes.vector_store import Halves, VectorStore, digest_of
from mnemolog.indexes.vectors import GRAPH_FROM, HnswGraph
from mnemolog.language.analysis import Analyzer
from mnemolog.ledger.digests import GENESIS, check_content
from mnemolog.ledger.errors import CorruptLog, StorageFailed
from mnemolog.ledger.events import MemoryContent
from mnemolog.ledger.files import FileLock
from mnemolog.ledger.ids import Position
from mnemolog.ledger.log import Log, event_at, head_at
from mnemolog.ledger.vocabulary import decoded_part
from mnemolog.projections.folding import Notify, Progress
from mnemolog.projections.memory_queries import Changes, MemoryRow, changes_after
from mnemolog.projections.views import Views

_CHUNK = 128
_TAIL_LIMIT, _TAIL_SHARE = 500, 0.2

_content = msgspec.json.Decoder(MemoryContent)


class Parts(msgspec.Struct, frozen=True):
    """Parts that all space indexes of a home share."""

    log: Log
    views: Views
    embedder: Embedder
    secret: bytes
    store: VectorStore
    bases: Bases
    analyzer: Analyzer
    notify: Notify


class SpaceIndex:
    """Index of one space; safe for several threads."""

    def __init__(self, space: str, shared: Parts) -> None:
        self.space = space
        self._shared = shared
        self._lock = threading.Lock()
        self._state: State | None = None
        self._writing: threading.Thread | None = None
        self._unreadable = False
        self._unkept: StorageFailed | None = None
        self._refused_at = 0

    def at(self, position: Position, progress: Progress | None = None) -> State:
        """State that covers a position of the views, at least; redacted memories are left out."""
        state = self._state
        recent = state is not None and not state.waiting and self._is_recent(state, position)
        if state is None or not recent or not self._is_of_log(state):
            state = self._brought_to(position, progress)
            if self._is_base_due(state):
                with self._lock:
                    if self._writing is None or not self._writing.is_alive():
                        self._writing = threading.Thread(
                            target=self._write_in_thread, name="mnemolog-base", daemon=False
                        )
                        self._writing.start()
        return state

    def keep(
        self, position: Position, progress: Progress | None = None, *, anew: bool = False
    ) -> State:
        """State as from `at`, after writing its vectors, growing its graph and writing a due base.

        With `anew` it is made from the log alone, and a base is written even if none is due.
        Raises `StorageFailed` if a file cannot be written; the state in memory remains usable.
        """
        if anew:
            self.forget()
        with self._lock:
            # Drop a state whose vectors or base could not be written, so that both are tried again.
            if self._unkept is not None:
                self._state = self._unkept = None
            self._unreadable, self._refused_at = False, 0
        state = self._brought_to(position, progress)
        self.grow_graph()
        if anew or self._is_base_due(state):
            self.write_base()
        if self._unkept is not None:
            raise self._unkept
        return state

    def _brought_to(self, position: Position, progress: Progress | None) -> State:
        with self._lock:
            state = self._state = self._embedded(self._refreshed(position), progress)
        return state

    def words_at(self, position: Position, most: int) -> State:
        """State as from `at`, but its newest memories are not embedded if more than `most` wait.

        After a large import, words are found at once; a question that needs vectors makes them.
        """
        with self._lock:
            state = self._state = self._refreshed(position)
            if len(state.waiting) <= most:
                self._embedded(state, None)
        return state

    def _refreshed(self, position: Position) -> State:
        """State that covers at least `position`; its newest memories may wait for vectors."""
        state = self._state
        if state is not None and not self._is_of_log(state):
            state = None
        try:
            if state is not None:
                if self._is_recent(state, position):
                    return state
                changes = self._changes(state.reached)
                if not changes.redacted:
                    # The caller sets it again. After a failure half-way, the next question
                    # would otherwise add the same memories twice.
                    self._state = None
                    self._follow(state, changes)
                    return state
            return self._new_state()
        except CorruptLog as error:
            if error.last_good < position:
                raise
            # Memories before the damage can still be found.
            return self._new_state(position)

    def _is_recent(self, state: State, position: Position) -> bool:
        return state.reached >= position and state.purged >= self._shared.views.reached().position

    def _is_of_log(self, state: State) -> bool:
        """True if a state was made from this log; false after another log was restored."""
        # Looked up once per state and generation of the views: a restored log has new ones.
        generation = self._shared.views.generation
        if state.generation != generation and state.digest is not None:
            event = event_at(self._shared.log, state.reached)
            if state.digest != (GENESIS if event is None else event.digest):
                return False
            state.generation = generation
        return True

    def _changes(self, after: Position) -> Changes:
        return self._shared.views.read(lambda db: changes_after(db, self.space, after))

    def _new_state(self, until: Position | None = None) -> State:
        """New state up to `until`, or the log's end, from the base or, if none fits, the log."""
        # The base is read first, so that the views reach at least as far.
        base = self._base()
        whole = self._changes(Position(0))
        changes = whole if until is None else whole.cut(until)
        if base is not None:
            new = _new(changes.rows)[: len(base.positions)]
            # They differ if a memory was redacted since: its terms must not be found.
            if not np.array_equal(base.positions, [row.memory for row in new]):
                base = None
        state = State(self._shared.embedder.dimensions, base)
        self._follow(state, changes)
        state.purged = whole.reached
        return state

    def _base(self) -> Base | None:
        """Base that the manifest lists; None if there is none or it cannot be used."""
        shared = self._shared
        try:
            while (entry := shared.bases.entry(self.space)) is not None:
                event = event_at(shared.log, entry.position)
                if event is None or event.digest.hex() != entry.digest:
                    return None
                base = shared.bases.load(self.space, entry, shared.notify)
                if base is not None or shared.bases.entry(self.space) == entry:
                    return base
                # Another process wrote a newer one and removed this one meanwhile.
        except StorageFailed as refused:
            # The base may be sound: only a process that can read it may replace it.
            self._unreadable, self._unkept = True, refused
            cause = f"{refused.path}: {refused.problem}"
            shared.notify(f"the index of space {self.space!r} is kept in memory: {cause}")
        return None

    def _follow(self, state: State, changes: Changes) -> None:
        new, known = _new(changes.rows), max(0, state.based - len(state.columns))
        state.track(new[:known])
        todo = new[known:]
        for start in range(0, len(todo), _CHUNK):
            rows = todo[start : start + _CHUNK]
            contents = self._contents([row.memory for row in rows])
            # One whose content went just now is left out.
            found = [(row, contents[row.memory]) for row in rows if row.memory in contents]
            state.add(found, self._shared.analyzer)
        state.columns.change(row for row in changes.rows if row.since != row.memory)
        state.columns.supersede(changes.supersessions)
        state.edges.follow(changes.edges, state.columns, self._shared.log)
        state.strengths.follow(changes.strengths, changes.pace, state.columns)
        state.weights.follow(changes.weights, state.columns)
        state.lessons.follow(changes.lessons, state.columns, self._shared.embedder.name)
        state.digest, state.generation = changes.digest, None
        # Last: other threads read these without the lock to see whether a state is recent.
        state.reached = state.purged = changes.reached

    # -- adding ------------------------------------------------------------------------
    def _embedded(self, state: State, progress: Progress | None) -> State:
        total = len(state.waiting)
        for start in range(0, total, _CHUNK):
            positions, texts = zip(*state.waiting[:_CHUNK], strict=True)
            state.vectors.extend(self._vectors(positions, texts))
            del state.waiting[:_CHUNK]
            if progress is not None:
                progress("indexing", min(start + _CHUNK, total), total)
        return state

    def _contents(self, positions: Sequence[Position]) -> dict[Position, MemoryContent]:
        found = {}
        for event in self._shared.log.events_at(positions):
            if event.content is not None:
                check_content(event)
                found[event.position] = decoded_part(event, event.content, _content.decode)
        return found

    def _vectors(self, positions: Sequence[Position], texts: Sequence[str]) -> list[Halves]:
        """Vectors of enriched texts; texts without a stored vector are embedded."""
        shared = self._shared
        digests = [digest_of(shared.secret, shared.embedder.name, text) for text in texts]
        kept = shared.store.get(digests)
        missing = {one: text for one, text in zip(digests, texts, strict=True) if one not in kept}
        if missing:
            made = shared.embedder.embed(list(missing.values())).astype(np.float16)
            fresh = dict(zip(missing, made, strict=True))
            holders = zip(positions, digests, strict=True)
            refused = shared.store.put(fresh, holders, lambda: set(self._contents(positions)))
            self._unkept = refused or self._unkept
            kept |= fresh
        return [kept[digest] for digest in digests]

    # -- bases -------------------------------------------------------------------------
    def _is_base_due(self, state: State) -> bool:
        size = len(state.columns)
        longest = max(_TAIL_LIMIT, _TAIL_SHARE * state.based)
        # A base that could not be written is tried again once the tail has grown as much again.
        return not self._unreadable and size - max(state.based, self._refused_at) > longest

    def grow_graph(self) -> None:
        """Build or extend the graph of near vectors of a large space; no question waits for it."""
        state = self._state
        if state is None or len(state.columns) < GRAPH_FROM:
            return
        vectors, graph = state.vectors.vectors, state.vectors.graph
        if graph is None:
            state.vectors.graph = HnswGraph.build(vectors)
        elif len(vectors) > graph.size * (1 + _TAIL_SHARE):
            state.vectors.extend_graph(vectors)

    def _write_in_thread(self) -> None:
        try:
            self.write_base()
        except Exception as error:  # noqa: BLE001 - whatever it is, the tail in memory still serves
            state = self._state
            self._refused_at = 0 if state is None else len(state.columns)
            self._shared.notify(f"the index of space {self.space!r} is not saved: {error}")

    def write_base(self) -> None:
        """Write the state as a new base, unless another process is writing one."""
        shared = self._shared
        with closing(FileLock(shared.bases.build_lock(self.space))) as lock:
            if not lock.try_acquire():
                return
            with self._lock:
                # Up to the head, so that nothing redacted meanwhile is written again.
                head = shared.log.head().position
                shared.views.catch_up(head)
                state = self._state = self._embedded(self._refreshed(head), None)
                base, covered = state.frozen(), head_at(shared.log, state.reached)
            if covered is not None and covered.position > 0:
                shared.bases.write(self.space, base, covered)
                state.based, self._unreadable = len(base.positions), False

    def forget(self) -> None:
        """Drop the index in memory and on disk, as when content in it was destroyed."""
        bases = self._shared.bases
        # A process that writes a base now may have read the content: wait, then remove the
        # base. The order of the two locks is that of `write_base`.
        with closing(FileLock(bases.build_lock(self.space))) as lock, lock.held(), self._lock:
            self._state = None
            bases.drop(self.space)

    def close(self) -> None:
        """Wait for a base that is being written."""
        writing = self._writing
        if writing is not None and writing.is_alive():
            writing.join()


def _new(rows: Sequence[MemoryRow]) -> list[MemoryRow]:
    return [row for row in rows if row.since == row.memory and row.status != "redacted"]
