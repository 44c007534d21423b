"""Index of one space, brought up to date at each question.

A base on disk covers the log up to a position, a tail in memory the events since. Appends wait
for neither: each process follows at its next question, and one writes a base after a long tail.
"""

import os
import threading
from collections.abc import Sequence
from contextlib import closing

import numpy as np

from mnemolog.indexes.filters import Indexing, SearchPath
from mnemolog.indexes.space_state import Base, Bases, FrozenState, State
from mnemolog.indexes.vectors.embedded_texts import EmbeddedTexts, VectorParts
from mnemolog.language.analysis import Analyzer
from mnemolog.ledger.digests import GENESIS, Head
from mnemolog.ledger.errors import CorruptLog, StorageFailed
from mnemolog.ledger.files import FileLock
from mnemolog.ledger.ids import Position
from mnemolog.ledger.log import event_at, head_at
from mnemolog.projections.folding import Notify, Progress
from mnemolog.projections.memory_queries import Changes, MemoryRow, changes_after
from mnemolog.projections.views import Views

_CHUNK = 128
_ROUNDS = 8
_TAIL_LIMIT, _TAIL_SHARE = 500, 0.2


class Parts(VectorParts, frozen=True):
    """Parts that all space indexes of a home share."""

    views: Views
    bases: Bases
    analyzer: Analyzer
    notify: Notify
    indexing: Indexing


class SpaceIndex:
    """Index of one space; safe for several threads."""

    def __init__(self, space: str, shared: Parts) -> None:
        self.space = space
        self._shared = shared
        self._begin()

    def _begin(self) -> None:
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._embedding = threading.Lock()  # taken before the other one
        self._state: State | None = None
        self._working: threading.Thread | None = None
        self._closing = False
        self._told = ""
        self._unreadable = False
        self._unread: StorageFailed | None = None
        self._vectors = EmbeddedTexts(self._shared)
        self._refused_at = 0

    def at(self, position: Position, progress: Progress | None = None) -> State:
        """State that covers a position of the views, at least; redacted memories are left out.

        With indexing in the background its newest memories may wait for their vectors.
        """
        self._leave_parent()
        state = self._state
        if state is None or not self._is_recent(state, position) or not self._is_of_log(state):
            state = self._followed(position)
        if state.waiting and self._shared.indexing == "foreground":
            self._embed(state, progress)
        self._catch_up(state)
        return state

    def follow(self) -> None:
        """Index what was appended, in the background, if it is indexed there."""
        self._leave_parent()
        if self._shared.indexing == "background" and self._state is not None:
            self._start()

    def _catch_up(self, state: State) -> None:
        """Embed what waits, and write a due base, in the background."""
        if state.waiting or self._is_base_due(state):
            self._start()

    def _start(self) -> None:
        with self._lock:
            if self._closing or self._working is not None:
                return
            self._working = threading.Thread(target=self._work, name="mnemolog-index")
            try:
                self._working.start()
            except RuntimeError as error:
                # No thread can be had: a command that has stored something must not fail.
                self._working = None
                self._shared.notify(f"space {self.space!r} is indexed later: {error}")

    def _leave_parent(self) -> None:
        """Begin anew in a forked process, whose locks may be held by threads that are not there."""
        if self._pid != os.getpid():
            self._begin()

    def keep(
        self,
        position: Position,
        progress: Progress | None = None,
        *,
        anew: bool = False,
        path: SearchPath = "automatic",
    ) -> State:
        """State as from `at`, after writing its vectors, a graph for that path, and a due base.

        With `anew` it is made from the log alone, and a base is written even if none is due.
        Raises `StorageFailed` if a file cannot be written; the state in memory remains usable.
        """
        self._leave_parent()
        if anew:
            self.forget()
        with self._lock:
            # Drop a state whose vectors or base could not be written, so that both are tried again.
            if self._vectors.unkept or self._unread:
                self._state = self._vectors.unkept = self._unread = None
            self._unreadable, self._refused_at = False, 0
        state = self._followed(position)
        self._embed(state, progress)
        grown = path == "graph" and state.vectors.grow_graph()
        if path != "graph":
            state.vectors.graph = None
        if anew or grown or self._is_base_due(state):
            self.write_base()
        if refused := self._vectors.unkept or self._unread:
            raise refused
        return state

    def words_at(self, position: Position, most: int) -> State:
        """State as from `at`, but its newest memories are not embedded if more than `most` wait.

        After a large import, words are found at once; a question that needs vectors makes them.
        """
        self._leave_parent()
        state = self._followed(position)
        if len(state.waiting) <= most:
            self._embed(state, None)
        return state

    def _followed(self, position: Position) -> State:
        """State that covers at least `position`; its newest memories may wait for vectors."""
        with self._lock:
            state = self._state = self._refreshed(position)
        return state

    def _refreshed(self, position: Position) -> State:
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

    def _changes(self, after: Position, known: Position | None = None) -> Changes:
        return self._shared.views.read(lambda db: changes_after(db, self.space, after, known))

    def _new_state(self, until: Position | None = None) -> State:
        """New state up to `until`, or the log's end, from the base or, if none fits, the log."""
        # The base is read first, so that the views reach at least as far.
        base = self._base()
        if base is not None and until is not None and base.position > until:
            base = None
        whole = self._changes(Position(0), None if base is None else base.position)
        if base is not None and whole.redacted:
            # The terms of a memory that was redacted since must not be found.
            base, whole = None, self._changes(Position(0))
        changes = whole if until is None else whole.cut(until)
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
            self._unreadable, self._unread = True, refused
            cause = f"{refused.path}: {refused.problem}"
            shared.notify(f"the index of space {self.space!r} is kept in memory: {cause}")
        return None

    def _follow(self, state: State, changes: Changes) -> None:
        todo = _new(changes.rows)
        for start in range(0, len(todo), _CHUNK):
            rows = todo[start : start + _CHUNK]
            contents = self._vectors.contents([row.memory for row in rows])
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
    def _embed(self, state: State, progress: Progress | None) -> None:
        """Embed the memories that wait; questions that need no vectors do not wait for it."""
        with self._embedding:
            total, done = len(state.waiting), 0
            while state.waiting and not self._is_ending():
                positions, texts = zip(*state.waiting[:_CHUNK], strict=True)
                vectors = self._vectors.embedded(positions, texts)
                with self._lock:
                    state.vectors.extend(vectors)
                    del state.waiting[: len(vectors)]
                done += len(vectors)
                if progress is not None:
                    progress("indexing", done, max(done, total))

    def _is_ending(self) -> bool:
        """True if the rest waits for another process: a program must not be kept from ending."""
        in_background = threading.current_thread() is self._working
        return self._closing or (in_background and not threading.main_thread().is_alive())

    # -- bases -------------------------------------------------------------------------
    def _is_base_due(self, state: State) -> bool:
        size = len(state.columns)
        longest = max(_TAIL_LIMIT, _TAIL_SHARE * state.based)
        # A base that could not be written is tried again once the tail has grown as much again.
        return not self._unreadable and size - max(state.based, self._refused_at) > longest

    def _work(self) -> None:
        try:
            while self._has_more():
                state = self._followed(self._shared.views.reached().position)
                self._embed(state, None)
                if self._is_base_due(state):
                    self.write_base()
            self._told = ""
        except Exception as error:  # noqa: BLE001 - whatever it is, the tail in memory still serves
            state_now = self._state
            self._refused_at = 0 if state_now is None else len(state_now.columns)
            with self._lock:
                self._working = None
            if str(error) != self._told:
                self._told = str(error)
                self._shared.notify(f"the index of space {self.space!r} is not saved: {error}")

    def _has_more(self) -> bool:
        """True if the thread goes on; else it is no longer the one that works."""
        with self._lock:
            state, reached = self._state, self._shared.views.reached().position
            behind = state is None or state.reached < reached or bool(state.waiting)
            due = state is not None and self._is_base_due(state)
            if (behind or due) and not self._is_ending():
                return True
            self._working = None
            return False

    def write_base(self) -> None:
        """Write the state as a new base, unless another process is writing one."""
        shared = self._shared
        with closing(FileLock(shared.bases.build_lock(self.space))) as lock:
            if not lock.try_acquire():
                self._refused_at = 0 if self._state is None else len(self._state.columns)
                return
            # Up to the head, so that nothing redacted meanwhile is written again.
            head = shared.log.head().position
            shared.views.catch_up(head)
            state = self._followed(head)
            frozen, covered = self._frozen(state)
            self._refused_at = len(state.columns)
            if frozen is None or covered is None or covered.position == 0:
                return
            if shared.bases.write(self.space, frozen, covered) is None:
                positions = state.columns.positions(np.arange(len(state.columns)))
                self._vectors.keep_again(positions, state.vectors)
                if shared.bases.write(self.space, frozen, covered) is None:
                    return
            self._unreadable, self._refused_at = False, 0
            self._follow_base(state)

    def _frozen(self, state: State) -> tuple[FrozenState | None, Head | None]:
        """State as it is written, and up to where; None if others change it all the time."""
        for _ in range(_ROUNDS):
            self._embed(state, None)
            with self._lock:
                if self._is_ending() or self._state is not state:
                    break
                # Others may have added some meanwhile.
                if not state.waiting:
                    return state.frozen(), head_at(self._shared.log, state.reached)
        return None, None

    def _follow_base(self, state: State) -> None:
        """Go on with the base on disk, which processes share, unless the state moved on."""
        renewed = self._new_state()
        self._embed(renewed, None)
        with self._lock:
            if self._state is state:
                self._state = renewed

    def forget(self) -> None:
        """Drop the index in memory and on disk, as when content in it was destroyed."""
        bases = self._shared.bases
        # A process that writes a base now may have read the content: wait, then remove the
        # base. The order of the two locks is that of `write_base`.
        with closing(FileLock(bases.build_lock(self.space))) as lock, lock.held(), self._lock:
            self._state = None
            bases.drop(self.space)

    def close(self) -> None:
        """Wait for a base that is being written; what is not embedded yet waits on."""
        self._leave_parent()
        with self._lock:
            self._closing, working = True, self._working
        if working is not None:
            working.join()


def _new(rows: Sequence[MemoryRow]) -> list[MemoryRow]:
    return [row for row in rows if row.since == row.memory and row.status != "redacted"]
